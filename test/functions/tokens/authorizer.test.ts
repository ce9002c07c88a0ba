import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '../../../functions/authorizer.ts';
import { createAuthorizer } from '../../../functions/tokens/authorizer.ts';
import { generateToken, hashToken, type TokenRecord, tokensTable } from '../../../functions/tokens/token.ts';
import { tokenStore } from '../../../functions/tokens/token-store.ts';
import { lambdaContext } from '../../support/event.ts';
import { logText } from '../../support/log.ts';
import { createRecordingClient } from '../../support/recording-client.ts';
import { client, createTable } from '../../support/tables.ts';
import { issueToken } from '../../support/tokens.ts';

const stage = 'arn:aws:execute-api:eu-central-1:123456789012:api/test';

const grants = [
  { permission: 'contacts:read', resource: 'GET/api/v1/contact' },
  { permission: 'contacts:read', resource: 'GET/api/v1/contact/*' },
  { permission: 'contacts:delete', resource: 'DELETE/api/v1/contact/*' },
  { permission: 'campaigns:read', resource: 'GET/v1/campaigns' },
];

const eventFor = (authorizationToken: string, resource = 'GET/v1/campaigns') => ({
  type: 'TOKEN',
  authorizationToken,
  methodArn: `${stage}/${resource}`,
});

const start = async (now = new Date('2026-03-01T12:00:00.000Z')) => {
  const table = await createTable(tokensTable);
  const counts: string[] = [];
  const count = (metric: string) => counts.push(metric);
  const authorizer = createAuthorizer({ store: tokenStore(client, table), grants, count, now: () => now });
  return {
    table,
    counts,
    issue: (record?: Partial<TokenRecord>) => issueToken(table, record),
    ask: (header: string, resource?: string) => authorizer(eventFor(header, resource), lambdaContext()),
  };
};

const statement = (effect: string, resource: string | string[]) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: effect, Action: 'execute-api:Invoke', Resource: resource }],
});

describe('a token', () => {
  it('allows every resource of its permissions, whichever was requested', async () => {
    const { issue, ask } = await start();
    const token = await issue({ permissions: ['contacts:read', 'campaigns:read'] });
    const policies = await Promise.all([
      ask(token),
      ask(token, 'DELETE/api/v1/contact/x'),
      ask(token, 'POST/anything'),
    ]);
    for (const { policyDocument } of policies) {
      expect(policyDocument).toStrictEqual(
        statement('Allow', [
          `${stage}/GET/api/v1/contact`,
          `${stage}/GET/api/v1/contact/*`,
          `${stage}/GET/v1/campaigns`,
        ]),
      );
    }
  });

  it.each([[[]], [['contacts:write', 'contacts', '*', 'all']]])(
    'with the permissions %j allows nothing',
    async (permissions) => {
      const { issue, ask } = await start();
      const { policyDocument } = await ask(await issue({ permissions }));
      expect(policyDocument).toStrictEqual(statement('Deny', `${stage}/*`));
    },
  );

  it('is identified in logs by the start of its hash', async () => {
    const { issue, ask } = await start();
    const token = await issue({ name: 'Ada' });
    const { principalId } = await ask(token);
    expect(hashToken(token).startsWith(principalId)).toBe(true);
    expect(principalId).toHaveLength(12);
  });

  it('tells the function its name, in ASCII and without quotes', async () => {
    const { issue, ask } = await start();
    const name = 'Zoë, "inbox"';
    const { context } = await ask(await issue({ name }));
    const tokenName = String(context?.['tokenName']);
    expect(tokenName).toMatch(/^[!#-~]+$/);
    expect(decodeURIComponent(tokenName)).toBe(name);
  });
});

const unauthorized = /^Unauthorized$/;

it('refuses and counts an unknown token, and logs nothing', async () => {
  const { ask, issue, counts } = await start();
  await ask(await issue());
  expect(counts).toEqual([]);
  await expect(ask(generateToken())).rejects.toThrow(unauthorized);
  expect(counts).toEqual(['RequestsRefused']);
  expect(logText()).toBe('');
});

it('refuses an expired token, from the very millisecond on', async () => {
  const expiresAt = '2026-03-01T12:00:00.000Z';
  const before = await start(new Date('2026-03-01T11:59:59.999Z'));
  const { policyDocument } = await before.ask(await before.issue({ expiresAt }));
  expect(policyDocument.Statement).toMatchObject([{ Effect: 'Allow' }]);
  const then = await start(new Date(expiresAt));
  await expect(then.ask(await then.issue({ expiresAt }))).rejects.toThrow(unauthorized);
});

// Every read of the embedded store is consistent: only the request shows the option.
it('reads consistently, so that a revoked token is gone at once', async () => {
  const recording = createRecordingClient();
  await tokenStore(recording.client, await createTable(tokensTable)).find(generateToken());
  expect(recording.calls).toMatchObject([{ input: { ConsistentRead: true } }]);
});

it('refuses a token with anything around it', async () => {
  const { issue, ask } = await start();
  const token = await issue();
  for (const header of [`${token}a`, `x${token}`, `Basic ${token}`, `${token}\n`])
    await expect(ask(header)).rejects.toThrow(unauthorized);
});

it('refuses a revoked token', async () => {
  const { issue, ask, table } = await start();
  const token = await issue();
  await ask(token);
  await client.send(new DeleteCommand({ TableName: table, Key: { tokenHash: hashToken(token) } }));
  await expect(ask(token)).rejects.toThrow(unauthorized);
});

describe('fails with another error than Unauthorized for', () => {
  it.each([
    ['permissions that are not a list', { permissions: 'contacts:read' }],
    ['no permissions', { permissions: undefined }],
    ['an expiry that is not a time', { expiresAt: 'soon' }],
    ['an expiry in seconds', { expiresAt: 4_102_444_800 }],
  ])('a record with %s', async (_, garbage) => {
    const { ask, table } = await start();
    const token = generateToken();
    const item = { tokenHash: hashToken(token), name: 'Ada', permissions: [], createdAt: '2026-01-01T00:00:00.000Z' };
    await client.send(new PutCommand({ TableName: table, Item: { ...item, ...garbage } }));
    await expect(ask(token)).rejects.toThrow(/^(?!Unauthorized$)/);
    expect(logText()).toContain('"level":"error"');
    expect(logText()).not.toContain(token);
    expect(logText()).not.toContain('soon');
  });

  it.each([
    ['nothing', {}],
    ['a token alone', { authorizationToken: 'x' }],
    ['a method alone', { methodArn: `${stage}/GET/v1/campaigns` }],
    ['a method without a stage', { ...eventFor('x'), methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:api' }],
  ])('an event with %s', async (_, event) => {
    const authorizer = createAuthorizer({
      store: tokenStore(client, 'missing'),
      grants,
      count: () => {},
      now: () => new Date(0),
    });
    await expect(authorizer(event, lambdaContext())).rejects.toThrow(/^(?!Unauthorized$)/);
  });
});

it('reads table and grants from the environment', async () => {
  const table = await createTable(tokensTable, process.env['TOKENS_TABLE']);
  const token = await issueToken(table, { permissions: ['campaigns:read'], expiresAt: '9999-12-31T23:59:59.999Z' });
  const { policyDocument } = await handler(eventFor(token), lambdaContext());
  expect(policyDocument).toStrictEqual(statement('Allow', [`${stage}/GET/v1/campaigns`]));
  const expired = await issueToken(table, { expiresAt: '2000-01-01T00:00:00.000Z' });
  await expect(handler(eventFor(expired), lambdaContext())).rejects.toThrow(unauthorized);
});

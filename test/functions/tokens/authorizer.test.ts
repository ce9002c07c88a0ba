import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler } from '../../../functions/authorizer.ts';
import { createAuthorizer } from '../../../functions/tokens/authorizer.ts';
import { tokenStore } from '../../../functions/tokens/store.ts';
import { generateToken, hashToken, type TokenRecord, tokensTable } from '../../../functions/tokens/token.ts';
import { lambdaContext } from '../../support/event.ts';
import { logText } from '../../support/log.ts';
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
  it('opens every resource of its permissions, whichever was asked for', async () => {
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

  it.each(['contacts:read', 'contacts:delete', 'campaigns:read'])(
    'with %s alone opens those resources alone',
    async (permission) => {
      const { issue, ask } = await start();
      const { policyDocument } = await ask(await issue({ permissions: [permission] }));
      const own = grants.filter((grant) => grant.permission === permission);
      expect(policyDocument).toStrictEqual(
        statement(
          'Allow',
          own.map(({ resource }) => `${stage}/${resource}`),
        ),
      );
    },
  );

  it.each([[[]], [['contacts:write', 'contacts', '*', 'all']]])(
    'with the permissions %j is denied everything',
    async (permissions) => {
      const { issue, ask } = await start();
      const { policyDocument } = await ask(await issue({ permissions }));
      expect(policyDocument).toStrictEqual(statement('Deny', `${stage}/*`));
    },
  );

  it.each(['', 'Bearer ', 'bearer '])('is read behind %j', async (prefix) => {
    const { issue, ask } = await start();
    const { policyDocument } = await ask(prefix + (await issue()));
    expect(policyDocument.Statement).toMatchObject([{ Effect: 'Allow' }]);
  });

  it('is told from others by a part of its hash, not by itself or its name', async () => {
    const { issue, ask } = await start();
    const token = await issue({ name: 'Ada' });
    const { principalId } = await ask(token);
    expect(hashToken(token).startsWith(principalId)).toBe(true);
    expect(principalId).toHaveLength(12);
  });
});

describe('Unauthorized is the answer to', () => {
  it('a token that was never issued', async () => {
    const { ask } = await start();
    await expect(ask(generateToken())).rejects.toThrow(/^Unauthorized$/);
  });

  it('a token whose time is over, from that very instant on', async () => {
    const expiresAt = '2026-03-01T12:00:00.000Z';
    const before = await start(new Date('2026-03-01T11:59:59.999Z'));
    const { policyDocument } = await before.ask(await before.issue({ expiresAt }));
    expect(policyDocument.Statement).toMatchObject([{ Effect: 'Allow' }]);
    const then = await start(new Date(expiresAt));
    await expect(then.ask(await then.issue({ expiresAt }))).rejects.toThrow(/^Unauthorized$/);
  });

  it('a token that was revoked', async () => {
    const { issue, ask, table } = await start();
    const token = await issue();
    await ask(token);
    await client.send(new DeleteCommand({ TableName: table, Key: { tokenHash: hashToken(token) } }));
    await expect(ask(token)).rejects.toThrow(/^Unauthorized$/);
  });

  it('the hash of a token', async () => {
    const { issue, ask } = await start();
    await expect(ask(hashToken(await issue()))).rejects.toThrow(/^Unauthorized$/);
  });

  it('a request that is counted, and not logged', async () => {
    const { ask, issue, counts } = await start();
    await ask(await issue());
    expect(counts).toEqual([]);
    await expect(ask(generateToken())).rejects.toThrow(/^Unauthorized$/);
    expect(counts).toEqual(['RequestsRefused']);
    expect(logText()).toBe('');
  });
});

describe('the header', () => {
  const token = generateToken();
  const alphabet = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');

  /** The token in a header, told by hand: the prefix, then 43 characters of base64url, alone or behind Bearer. */
  const tokenIn = (header: string): string | undefined => {
    const text = header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7) : header;
    const secret = Array.from(text.slice(5));
    return text.startsWith('crcs_') && secret.length === 43 && secret.every((letter) => alphabet.has(letter))
      ? text
      : undefined;
  };

  const nearly = fc
    .record({
      prefix: fc.constantFrom(
        '',
        '',
        'Bearer ',
        'bearer ',
        'BEARER ',
        'Bearer',
        'Bearer  ',
        ' ',
        'Basic ',
        'bearer Bearer ',
      ),
      at: fc.nat({ max: token.length }),
      drop: fc.nat({ max: 2 }),
      put: fc.oneof(
        fc.constant(''),
        fc.string({ unit: 'binary', maxLength: 2 }),
        fc.constantFrom('\n', ' ', '=', '+', 'a', 'é'),
      ),
      suffix: fc.constantFrom('', '', '', '\n', ' ', ',', '\r\nX: y'),
    })
    .map(({ prefix, at, drop, put, suffix }) => prefix + token.slice(0, at) + put + token.slice(at + drop) + suffix);

  it('is looked up exactly when it holds a well-formed token, and nothing else of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(nearly, fc.string({ unit: 'binary' })), async (header) => {
        const looked: string[] = [];
        const store = {
          find: async (wanted: string) => {
            looked.push(wanted);
            return undefined;
          },
        };
        const authorizer = createAuthorizer({ store, grants, count: () => {}, now: () => new Date(0) });
        await expect(authorizer(eventFor(header), lambdaContext())).rejects.toThrow(/^Unauthorized$/);
        const expected = tokenIn(header);
        expect(looked).toStrictEqual(expected === undefined ? [] : [expected]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a fault of the service is not passed off as Unauthorized:', () => {
  it.each([
    ['permissions that are no list', { permissions: 'contacts:read' }],
    ['permissions of another type', { permissions: [1] }],
    ['no permissions', { permissions: undefined }],
    ['an expiry that is no time', { expiresAt: 'soon' }],
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

  it('a table that is missing', async () => {
    const authorizer = createAuthorizer({
      store: tokenStore(client, 'missing'),
      grants,
      count: () => {},
      now: () => new Date(0),
    });
    await expect(authorizer(eventFor(generateToken()), lambdaContext())).rejects.toThrow(/^(?!Unauthorized$)/);
  });

  it.each([
    ['nothing', {}],
    ['a token alone', { authorizationToken: 'x' }],
    ['a method alone', { methodArn: `${stage}/GET/v1/campaigns` }],
    ['the method of no stage', { ...eventFor('x'), methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:api' }],
  ])('an event that holds %s', async (_, event) => {
    const { table } = await start();
    const authorizer = createAuthorizer({
      store: tokenStore(client, table),
      grants,
      count: () => {},
      now: () => new Date(0),
    });
    await expect(authorizer(event, lambdaContext())).rejects.toThrow(/^(?!Unauthorized$)/);
  });
});

it('refuses a token whose expiry names no instant', async () => {
  const { issue, ask } = await start();
  await expect(ask(await issue({ expiresAt: '2026-12-31T23:59:59.000+02' }))).rejects.toThrow();
});

it('is composed from the environment', async () => {
  const table = await createTable(tokensTable, process.env['TOKENS_TABLE']);
  const token = await issueToken(table, { permissions: ['campaigns:read'], expiresAt: '9999-12-31T23:59:59.999Z' });
  const { policyDocument } = await handler(eventFor(token), lambdaContext());
  expect(policyDocument).toStrictEqual(statement('Allow', [`${stage}/GET/v1/campaigns`]));
  const expired = await issueToken(table, { expiresAt: '2000-01-01T00:00:00.000Z' });
  await expect(handler(eventFor(expired), lambdaContext())).rejects.toThrow(/^Unauthorized$/);
});

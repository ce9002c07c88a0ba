import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { contactStore } from '../../functions/contacts/store.ts';
import { serve } from '../support/server.ts';
import { client } from '../support/tables.ts';
import { type DeployedEnvironment, failure, startDeployed, where } from './deployed.ts';
import { now } from './staff.ts';
import { store } from './stored.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

let environment: DeployedEnvironment;
beforeEach(async () => {
  environment = await startDeployed();
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
});

const run = (...args: string[]) => environment.run(args);

it.each([
  ['tokens', 'issue', '--name', 'script', '--allow', 'all'],
  ['tokens', 'rotate', 'nobody'],
  ['tokens', 'revoke', 'nobody'],
  ['campaigns', 'add', 'Summer'],
  ['campaigns', 'rename', unknownId, 'Summer'],
  ['campaigns', 'remove', unknownId],
  ['campaigns', 'import', 'nothing.csv'],
  ['contacts', 'release', unknownId],
  ['contacts', 'delete', unknownId],
  ['contacts', 'apply-retention', '--yes'],
  ['contacts', 'erase', '--email', 'nobody@example.com'],
])('says in which account and region it changes something: %s %s', async (...args) => {
  const { stderr } = await run(...args);
  expect(stderr.slice(0, where.length)).toBe(where);
});

it.each(['tokens', 'campaigns', 'contacts'])('prints nothing but the list: %s list', async (group) => {
  expect(await run(group, 'list')).toMatchObject({ code: 0, stderr: '' });
});

it.each([
  ['that of AWS if this machine is hours slow', 'Sun, 01 Mar 2026 14:00:00 GMT', '2026-03-01T14:00:00.000Z'],
  ['that of AWS if this machine is minutes fast', 'Sun, 01 Mar 2026 11:57:00 GMT', '2026-03-01T11:57:00.000Z'],
  ['exact if AWS has the same time in whole seconds', 'Sun, 01 Mar 2026 11:59:59 GMT', '2026-03-01T12:00:00.500Z'],
  ["this machine's if AWS sends none", 'yesterday', '2026-03-01T12:00:00.500Z'],
])('releases at a time that is %s', async (_, date, releasedAt) => {
  const id = await store(environment, {}, { spam: true });
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00.500Z') });
  environment.headers['Date'] = date;
  await run('contacts', 'release', id);
  vi.useRealTimers();
  expect(await contactStore(client, environment.tables.contacts).get(id, now)).toMatchObject({ releasedAt });
});

const line = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });

const describeStacks = 'cloudformation:DescribeStacks';

const notAws = 'The answer is not from AWS: does the network ask for a login, or use a proxy?';

describe('explains in one line', () => {
  it.each([
    ['ExpiredToken', 403, 'AWS refuses the credentials (ExpiredToken): renew them and try again.'],
    ['InvalidClientTokenId', 403, 'AWS refuses the credentials (InvalidClientTokenId): renew them and try again.'],
    ['AccessDenied', 403, 'These AWS credentials may not do this: AccessDenied of AWS'],
    [
      'ServiceUnavailable',
      503,
      'The environment cannot be reached or is too busy (ServiceUnavailable of AWS): try again later.',
    ],
  ])('that AWS answers %s', async (name, status, explained) => {
    environment.answers[describeStacks] = () => failure(name, status);
    expect(await run('tokens', 'list')).toEqual(line(explained));
  });

  it('that an environment is not deployed', async () => {
    delete environment.stacks['ContactService-dev'];
    const explained =
      '"dev" is not deployed in this AWS account, in this region: run "npx cdk deploy ContactService-dev" first.';
    expect(await run('tokens', 'list')).toEqual(line(explained));
  });

  it.each([{}, { ContactsTable: 'one', CampaignsTable: 'two', TokensTable: 'three', Settings: '{}' }])(
    'that a stack has no tables or settings: %j',
    async (outputs) => {
      environment.stacks['ContactService-dev'] = outputs;
      expect((await run('tokens', 'list')).stderr).toContain('"dev" is not deployed');
    },
  );

  it.each(['CLOUDFORMATION', 'DYNAMODB'])('that something else answers for %s', async (service) => {
    await using other = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Please log in<br></body></html>');
    });
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, other.url);
    expect(await run('tokens', 'list')).toEqual(line(notAws));
  });

  it('that a table is missing', async () => {
    environment.outputs['TokensTable'] = 'gone';
    expect((await run('tokens', 'list')).stderr).toMatch(
      /^A table of this environment is missing: deploy it again, or .*\n$/,
    );
  });

  it('that a table is of another version', async () => {
    environment.outputs['TokensTable'] = environment.tables.campaigns;
    expect((await run('tokens', 'rotate', 'script')).stderr).toMatch(
      /\nA table of this environment is of another version: deploy it again, or .*\n$/,
    );
  });

  it('that nothing answers', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', 'http://127.0.0.1:1');
    expect((await run('tokens', 'list')).stderr).toMatch(
      /^The environment cannot be reached or is too busy \(.*ECONNREFUSED.*\): try again later\.\n$/,
    );
  });

  it('that there are no credentials', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    expect((await run('tokens', 'list')).stderr).toMatch(/^No AWS credentials: set AWS_PROFILE .*\n$/);
  });

  it('that there is no region', async () => {
    vi.stubEnv('AWS_REGION', undefined);
    expect(await run('tokens', 'list')).toEqual(
      line('No AWS region: set AWS_REGION, or a region in your AWS profile.'),
    );
  });
});

it('gives up on an answer that never ends', async () => {
  let begun = false;
  await using stalled = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('<', () => {
      begun = true;
    });
  });
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', stalled.url);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const outcome = run('tokens', 'list');
  while (!begun) await vi.advanceTimersByTimeAsync(1);
  let ended = false;
  void outcome.then(() => {
    ended = true;
  });
  while (!ended) await vi.advanceTimersByTimeAsync(1000);
  vi.useRealTimers();
  expect((await outcome).stderr).toBe('The environment cannot be reached or is too busy (stalled): try again later.\n');
});

it('lists past a number that JavaScript cannot hold', async () => {
  const id = await store(environment, {});
  const keys = { listPartition: { S: 'inbox' }, listSort: { S: `2026-02-01T12:00:00.000Z#${unknownId}` } };
  const item = { id: { S: unknownId }, createdAt: { N: '12345678901234567890.5' }, ...keys };
  await client.send(new PutItemCommand({ TableName: environment.tables.contacts, Item: item }));
  const { code, stdout, stderr } = await run('contacts', 'list', '--json');
  expect({ code, ids: JSON.parse(stdout) }).toEqual({ code: 0, ids: [expect.objectContaining({ id })] });
  expect(stderr).toContain(`Left out the contact request ${unknownId}: `);
});

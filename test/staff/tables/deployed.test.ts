import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contactStore } from '../../../functions/contacts/store.ts';
import { openTables } from '../../../lib/staff/tables/open.ts';
import { serve, type TestServer } from '../../support/server.ts';
import { client } from '../../support/tables.ts';
import { store } from '../contacts/stored.ts';
import { namespace, stackWith, where } from '../stack.ts';
import { now, type StaffService, startStaff } from '../staff.ts';

let staff: StaffService;
let cloudFormation: TestServer;
let answer: { status: number; body: string };
let date: string | undefined;

const unknownId = '00000000-0000-4000-8000-000000000000';
const failure = (status: number, code: string, message: string) => ({
  status,
  body: `<ErrorResponse ${namespace}><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const describing = (outputs: Readonly<Record<string, string>>) => ({ status: 200, body: stackWith(outputs) });

beforeEach(async () => {
  date = undefined;
  staff = await startStaff();
  const { contacts, campaigns, tokens } = staff.tables;
  answer = describing({
    BaseUrl: 'https://x',
    ContactsTable: contacts,
    CampaignsTable: campaigns,
    TokensTable: tokens,
  });
  cloudFormation = await serve((_, response, body) => {
    const known = new URLSearchParams(body.toString()).get('StackName') === 'ContactService-dev';
    const { status, body: text } = known ? answer : failure(400, 'ValidationError', 'Stack with id x does not exist');
    if (date !== undefined) response.setHeader('Date', date);
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(text);
  });
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', cloudFormation.url);
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  await cloudFormation[Symbol.asyncDispose]();
});

const run = (...args: string[]) => staff.run(args, { openTables });

it('finds the tables of a deployed environment by the outputs of its stack', async () => {
  expect(await run('campaigns', 'add', 'Spring', '--env', 'dev')).toMatchObject({ code: 0, stderr: where });
  expect((await staff.run(['campaigns', 'list'])).stdout).toMatch(/ {2}Spring\n$/);
});

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
  ['tables', 'copy', '--from', 'nothing', '--table', 'contacts'],
])('says in which account and region before it changes anything: %s %s', async (...args) => {
  const { stderr } = await run(...args, '--env', 'dev');
  expect(stderr.slice(0, where.length)).toBe(where);
});

it.each([
  ['tokens', 'list'],
  ['campaigns', 'list'],
  ['contacts', 'list'],
])('says nothing besides what it reads: %s %s', async (...args) => {
  expect(await run(...args, '--env', 'dev')).toMatchObject({ code: 0, stderr: '' });
});

it.each([
  ['that of AWS, where this machine is hours slow', 'Sun, 01 Mar 2026 14:00:00 GMT', '2026-03-01T14:00:00.000Z'],
  ['that of AWS, where this machine is minutes fast', 'Sun, 01 Mar 2026 11:57:00 GMT', '2026-03-01T11:57:00.000Z'],
  ['exact, where AWS tells the same in whole seconds', 'Sun, 01 Mar 2026 11:59:59 GMT', '2026-03-01T12:00:00.500Z'],
  ["this machine's, where AWS tells none", 'yesterday', '2026-03-01T12:00:00.500Z'],
])('releases at a time that is %s', async (_, told, releasedAt) => {
  const id = await store(staff, {}, { spam: true });
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00.500Z') });
  date = told;
  await run('contacts', 'release', id, '--env', 'dev');
  expect(await contactStore(client, staff.tables.contacts).get(id, now)).toMatchObject({ releasedAt });
});

it('says what to do when the environment is not deployed', async () => {
  expect(await run('campaigns', 'add', 'Spring', '--env', 'prod')).toEqual({
    code: 1,
    stdout: '',
    stderr: '"prod" is not deployed in this AWS account and region: run "npx cdk deploy ContactService-prod" first.\n',
  });
});

it.each([
  ['names no tables', () => describing({})],
  [
    'does not say its retention',
    () => describing({ ContactsTable: 'contacts', CampaignsTable: 'campaigns', TokensTable: 'tokens', Settings: '{}' }),
  ],
])('says the same of a stack that %s', async (_, described) => {
  answer = described();
  expect(await run('tokens', 'list', '--env', 'dev')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"dev" is not deployed'),
  });
});

it.each([
  [
    failure(403, 'ExpiredToken', 'The security token included in the request is expired'),
    'AWS refuses the credentials (ExpiredToken): renew them and try again.',
  ],
  [
    failure(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.'),
    'AWS refuses the credentials (InvalidClientTokenId): renew them and try again.',
  ],
  [
    failure(403, 'AccessDenied', 'User: ada is not authorized to perform: cloudformation:DescribeStacks'),
    'These AWS credentials may not do this: User: ada is not authorized to perform: cloudformation:DescribeStacks',
  ],
  [
    failure(503, 'ServiceUnavailable', 'Slow down'),
    'The environment cannot be reached or is too busy (Slow down): try again later.',
  ],
])('tells in one line what AWS says: %j', async (said, line) => {
  answer = said;
  expect(await run('tokens', 'list', '--env', 'dev')).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
});

it('tells when something else answers than AWS', async () => {
  answer = { status: 200, body: '<!doctype html>\n<html>Please log in</html>' };
  expect(await run('tokens', 'list', '--env', 'dev')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'This is no answer of AWS: does the network ask for a log-in, or a proxy answer?\n',
  });
});

it.each([
  ['CloudFormation', 'AWS_ENDPOINT_URL_CLOUDFORMATION'],
  ['DynamoDB', 'AWS_ENDPOINT_URL_DYNAMODB'],
])('tells when what answers in the place of %s cannot even be read', async (_, endpoint) => {
  await using other = await serve((__, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Please log in<br></body></html>');
  });
  vi.stubEnv(endpoint, other.url);
  expect(await run('tokens', 'list', '--env', 'dev')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'This is no answer of AWS: does the network ask for a log-in, or a proxy answer?\n',
  });
});

it('tells when a table is gone', async () => {
  answer = describing({ ContactsTable: 'gone', CampaignsTable: 'gone', TokensTable: 'gone' });
  expect(await run('tokens', 'list', '--env', 'dev')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A table of this environment is missing: deploy it again, or .*\n$/),
  });
});

it('tells when a table is of another version', async () => {
  const { contacts, campaigns } = staff.tables;
  answer = describing({ ContactsTable: contacts, CampaignsTable: campaigns, TokensTable: campaigns });
  expect(await run('tokens', 'rotate', 'script', '--env', 'dev')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\nA table of this environment is of another version: deploy it again, or .*\n$/),
  });
});

it('tells when nothing answers', async () => {
  await cloudFormation[Symbol.asyncDispose]();
  expect(await run('tokens', 'list', '--env', 'dev')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The environment cannot be reached or is too busy \(.*ECONNREFUSED.*\): try again later\.\n$/,
    ),
  });
  cloudFormation = await serve(() => {});
});

it('gives up on an answer that never ends', async () => {
  await cloudFormation[Symbol.asyncDispose]();
  let begun = false;
  cloudFormation = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('<', () => {
      begun = true;
    });
  });
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', cloudFormation.url);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const outcome = run('tokens', 'list', '--env', 'dev');
  while (!begun) await vi.advanceTimersByTimeAsync(1);
  let ended = false;
  void outcome.then(() => {
    ended = true;
  });
  while (!ended) await vi.advanceTimersByTimeAsync(1000);
  expect(await outcome).toMatchObject({
    code: 1,
    stderr: 'The environment cannot be reached or is too busy (stalled): try again later.\n',
  });
});

it('reads past a number that JavaScript cannot hold', async () => {
  const id = await store(staff, {});
  const keys = { listPartition: { S: 'inbox' }, listSort: { S: `2026-02-01T12:00:00.000Z#${unknownId}` } };
  const item = { id: { S: unknownId }, createdAt: { N: '12345678901234567890.5' }, ...keys };
  await client.send(new PutItemCommand({ TableName: staff.tables.contacts, Item: item }));
  const { code, stdout, stderr } = await run('contacts', 'list', '--json', '--env', 'dev');
  expect({ code, ids: JSON.parse(stdout) }).toEqual({ code: 0, ids: [expect.objectContaining({ id })] });
  expect(stderr).toContain(`Left out the contact request ${unknownId}: `);
});

it('tells when there are no credentials', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  expect(await run('tokens', 'list', '--env', 'dev')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'No AWS credentials: set AWS_PROFILE to a profile that there is, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (Could not load credentials from any providers).\n',
  });
});

it('tells when there is no region', async () => {
  vi.stubEnv('AWS_REGION', undefined);
  expect(await run('tokens', 'list', '--env', 'dev')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No AWS region: set AWS_REGION, or a region in your AWS profile.\n',
  });
});

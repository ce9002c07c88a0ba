import { beforeEach, describe, expect, it, vi } from 'vitest';
import { contactStore } from '../../functions/contacts/contact-store.ts';
import { awsError } from '../support/fake-aws.ts';
import { profileWithCode } from '../support/profile.ts';
import { serveProxy } from '../support/proxy.ts';
import { serve } from '../support/server.ts';
import { client } from '../support/tables.ts';
import { type DeployedEnvironment, denied, startDeployed } from './deployed.ts';
import { now, openAsProgram, refusal, runCommand, store } from './staff.ts';

const account = '123456789012';
const webhook = 'Webhook5e6f7a8b';
const describeStacks = 'cloudformation:DescribeStacks';
const callerIdentity = 'sts:GetCallerIdentity';

let environment: DeployedEnvironment;
beforeEach(async () => {
  environment = await startDeployed([webhook]);
  environment.responses[callerIdentity] = () => ({ Account: account });
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
});

/** Runs a command on `dev`, whose settings are these. */
const runIn = (settings: Readonly<Record<string, unknown>>, ...args: readonly string[]) =>
  environment.run(args, {
    loadSettings: async () => ({ file: 'environments.ts', environments: { dev: settings } }),
  });

const run = (...args: readonly string[]) => runIn({}, ...args);
const notAws = 'The response does not come from AWS. Check whether the network needs a login or a proxy.';

describe('the account and region', () => {
  const region = 'eu-west-3';
  beforeEach(() => {
    environment.stack.region = region;
    // The requests to the tables, too: they are signed for a region.
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', environment.url);
  });

  it.each([
    ['dynamodb', ['tokens', 'list']],
    ['dynamodb', ['campaigns', 'add', 'Spring']],
    ['secretsmanager', ['notifications', 'secret']],
    ['secretsmanager', ['notifications', 'rotate', webhook]],
    ['lambda', ['notifications', 'test']],
    ['sqs', ['notifications', 'redrive']],
  ])('are those of the settings, whatever the shell names: %s for %j', async (service, args) => {
    await runIn({ account, region }, ...args);
    expect([...new Set(environment.signed)]).toEqual(
      ['sts', 'cloudformation', service].map((each) => `${each} ${region}`),
    );
  });

  it('are those of the credentials and the stack if the settings name none', async () => {
    await run('tokens', 'list');
    expect(environment.signed).toEqual(['cloudformation eu-central-1', `dynamodb ${region}`]);
  });

  it('are those of a stack that no settings name', async () => {
    environment.stacks['ContactService-old'] = environment.outputs;
    const args = ['campaigns', 'add', 'Spring', '--stack', 'ContactService-old'];
    const { stderr } = await runCommand(args, { openEnvironment: openAsProgram });
    expect(stderr).toContain(`Changing stack ContactService-old, account ${account}, ${region}.\n`);
    expect(environment.signed.slice(0, 2)).toEqual(['cloudformation eu-central-1', `dynamodb ${region}`]);
  });
});

describe('the account of the settings is checked first:', () => {
  it.each<readonly [string, unknown, string]>([
    [
      'it refuses the credentials of another account',
      { Account: '210987654321' },
      '"dev" is in account 123456789012, but these AWS credentials belong to 210987654321. Nothing was done. Set AWS_PROFILE to a profile of 123456789012.',
    ],
    [
      'it refuses a missing permission',
      denied(callerIdentity),
      `These AWS credentials lack ${callerIdentity}: User: ci is not authorized to perform: ${callerIdentity} on resource: x`,
    ],
    [
      'it refuses expired credentials',
      awsError(403, 'ExpiredToken'),
      'AWS refuses the credentials (ExpiredToken): renew them and try again.',
    ],
    ['it refuses the response of a login page', {}, notAws],
  ])('%s, and nothing more is sent', async (_, response, line) => {
    environment.responses[callerIdentity] = () => response;
    expect(await runIn({ account }, 'campaigns', 'add', 'Spring')).toEqual(refusal(line));
    expect(environment.asked.map(([action]) => action)).toEqual([callerIdentity]);
  });
});

it.each([
  [{ account: '1' }, 'Environment "dev": account: must be 12 digits'],
  [{ region: 'Frankfurt' }, 'Environment "dev": region: must be a region such as "eu-central-1"'],
])('refuses settings that do not say where the environment is: %j', async (settings, line) => {
  expect(await runIn(settings, 'tokens', 'list')).toEqual(refusal(line));
  expect(environment.asked).toEqual([]);
});

it('finds the stack that 3.0.0 deployed with an instance', async () => {
  environment.stacks['ContactService-shop-dev'] = environment.outputs;
  const { stderr } = await runIn({ instance: 'shop' }, 'campaigns', 'add', 'Spring');
  expect(stderr).toMatch(/: stack ContactService-shop-dev, /);
});

it('revokes a token whatever is wrong with other settings', async () => {
  const { stderr } = await runIn({ sites: 'none', webAcl: 1 }, 'tokens', 'revoke', 'nobody');
  expect(stderr).toMatch(/There is no token named "nobody"/);
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

describe('explains in one line', () => {
  it.each([
    ['InvalidClientTokenId', 403, 'AWS refuses the credentials (InvalidClientTokenId): renew them and try again.'],
    [
      'ServiceUnavailable',
      503,
      'The environment is unreachable or too busy (ServiceUnavailable of AWS): try again later.',
    ],
  ])('that AWS responds with %s', async (name, status, line) => {
    environment.responses[describeStacks] = () => awsError(status, name, `${name} of AWS`);
    expect(await run('tokens', 'list')).toEqual(refusal(line));
  });

  it('that the environment is not deployed', async () => {
    delete environment.stacks['ContactService-dev'];
    const line =
      '"dev" is not deployed in this AWS account, in this region. Run "npx cdk deploy ContactService-dev" first.';
    expect(await run('tokens', 'list')).toEqual(refusal(line));
  });

  it.each([{}, { ContactsTable: 'one', CampaignsTable: 'two', TokensTable: 'three', Settings: '{}' }])(
    'that a stack is not of this service: %j',
    async (outputs) => {
      environment.stacks['ContactService-old'] = outputs;
      const args = ['tokens', 'list', '--stack', 'ContactService-old'];
      expect(await runCommand(args, { openEnvironment: openAsProgram })).toEqual(
        refusal(
          'This service has no stack ContactService-old in this AWS account, in this region. Run "aws cloudformation list-stacks" to see the stacks.',
        ),
      );
    },
  );

  it.each(['CLOUDFORMATION', 'DYNAMODB'])('that a login page responds for %s', async (service) => {
    await using other = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Please log in<br></body></html>');
    });
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, other.url);
    expect(await run('tokens', 'list')).toEqual(refusal(notAws));
  });

  it('that a table is missing', async () => {
    environment.outputs['TokensTable'] = 'gone';
    expect((await run('tokens', 'list')).stderr).toMatch(
      /^A table or another part of this environment is missing: deploy the environment again, or .*\n$/,
    );
  });

  it('that a table is of another version', async () => {
    environment.outputs['TokensTable'] = environment.tables.campaigns;
    expect((await run('tokens', 'issue', '--name', 'script', '--allow', 'all')).stderr).toMatch(
      /\nA table of this environment is from another version of the service: deploy the environment again, or .*\n$/,
    );
  });

  it('that nothing responds', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', 'http://127.0.0.1:1');
    expect((await run('tokens', 'list')).stderr).toMatch(
      /^The environment is unreachable or too busy \(.*ECONNREFUSED.*\): try again later\.\n$/,
    );
  });

  it('that a proxy refuses', async () => {
    await using proxy = await serveProxy();
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', 'https://cloudformation.example.com');
    expect((await run('tokens', 'list')).stderr).toMatch(
      /^The proxy refuses the connection: check HTTPS_PROXY \(.* HTTP\/1\.1 502 Bad Gateway\)\.\n$/,
    );
  });

  it('that there are no credentials', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    expect((await run('tokens', 'list')).stderr).toMatch(/^No AWS credentials \(.*\): set AWS_PROFILE .*\n$/);
    expect(environment.asked).toEqual([]);
  });

  it('that a profile asks for a code', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', profileWithCode());
    vi.stubEnv('AWS_PROFILE', 'mfa');
    expect((await run('tokens', 'list')).stderr).toMatch(
      /^No AWS credentials \(.* multi-factor .*\): .* first run: eval "\$\(aws configure export-credentials --profile 'mfa' --format env\)"\n$/,
    );
  });

  it('which request lacks a permission, if AWS does not name the permission', async () => {
    environment.responses[describeStacks] = () => awsError(403, 'OptInRequired', 'No');
    expect(await run('tokens', 'list')).toEqual(
      refusal('These AWS credentials lack a permission for CloudFormation DescribeStacks: No'),
    );
  });

  it('that there is no region', async () => {
    vi.stubEnv('AWS_REGION', undefined);
    const line = 'No AWS region: set AWS_REGION, or a region in your AWS profile.';
    expect(await run('tokens', 'list')).toEqual(refusal(line));
  });

  it('that a response never ends', async () => {
    let begun = false;
    await using stalled = await serve((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('<', () => {
        begun = true;
      });
    });
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', stalled.url);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let outcome: Awaited<ReturnType<typeof run>> | undefined;
    void run('tokens', 'list').then((ended) => {
      outcome = ended;
    });
    while (!begun) await vi.advanceTimersByTimeAsync(1);
    while (!outcome) await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    expect(outcome).toEqual(refusal('The environment is unreachable or too busy (stalled): try again later.'));
  });
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serve, type TestServer } from '../support/server.ts';
import { stackWith } from './stack.ts';
import { openAsProgram, runCommand } from './staff.ts';

const account = '123456789012';
const region = 'eu-west-3';

/** AWS, as whose the credentials are and what it then answers: `service region` of each request, as it is signed. */
let aws: TestServer;
let asked: string[];
let outputs: Readonly<Record<string, string>>;
let caller: { status: number; body: string };

const identified = (as: string) => ({
  status: 200,
  body: `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::${as}:user/ada</Arn><Account>${as}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
});

const refused = (code: string, message: string) => ({
  status: 403,
  body: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const target = 'Webhook5e6f7a8b';

const outputsAt = (url: string) => ({
  ContactsTable: 'contacts',
  CampaignsTable: 'campaigns',
  TokensTable: 'tokens',
  NotifyFunction: 'notify',
  DeadLetters: `${url}/${account}/dead-letters`,
  FanOutFailures: `${url}/${account}/fan-out-failures`,
  [`Notify${target}`]: JSON.stringify({
    name: target,
    kind: 'webhook',
    address: 'https://crm.example.com/…',
    secret: 'arn:one',
    queue: `${url}/${account}/${target}`,
  }),
});

const answers: Readonly<Record<string, unknown>> = {
  dynamodb: { Items: [], Count: 0 },
  sqs: {},
  secretsmanager: { SecretString: 'whsec_x', CreatedDate: 0 },
  lambda: {},
};

beforeEach(async () => {
  asked = [];
  caller = identified(account);
  aws = await serve((request, response, body) => {
    const name = new URLSearchParams(body.toString()).get('StackName') ?? '';
    const [, signedIn = '', service = ''] =
      /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
    asked.push(`${service} ${signedIn}`);
    const xml = service === 'sts' ? caller : { status: 200, body: stackWith(outputs, { name, account, region }) };
    const isXml = service === 'sts' || service === 'cloudformation';
    response
      .writeHead(isXml ? xml.status : 200, { 'Content-Type': isXml ? 'text/xml' : 'application/x-amz-json-1.0' })
      .end(isXml ? xml.body : JSON.stringify(answers[service]));
  });
  outputs = outputsAt(aws.url);
  vi.stubEnv('AWS_ENDPOINT_URL', aws.url);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await aws[Symbol.asyncDispose]();
});

const runIn = (settings: Readonly<Record<string, unknown>>, ...args: readonly string[]) =>
  runCommand(args, {
    openEnvironment: openAsProgram,
    loadSettings: async () => ({ file: 'environments.ts', environments: { dev: settings } }),
  });

const run = (...args: readonly string[]) => runIn({ account, region }, ...args, '--env', 'dev');

it.each([
  ['dynamodb', ['tokens', 'list']],
  ['dynamodb', ['campaigns', 'add', 'Spring']],
  ['secretsmanager', ['notifications', 'secret']],
  ['secretsmanager', ['notifications', 'rotate', target]],
  ['lambda', ['notifications', 'test']],
  ['sqs', ['notifications', 'redrive']],
])('speaks to %s in the region that the environment names, whichever the shell names', async (service, args) => {
  await run(...args);
  expect(asked[0]).toBe(`sts ${region}`);
  expect([...new Set(asked)]).toEqual([`sts ${region}`, `cloudformation ${region}`, `${service} ${region}`]);
});

it('looks for the stack that the instance is a part of the name of', async () => {
  const { stderr } = await runIn({ instance: 'shop' }, 'campaigns', 'add', 'Spring', '--env', 'dev');
  expect(stderr).toBe(`dev is the stack ContactService-shop-dev in the account ${account}, ${region}.\n`);
});

it('asks for the account of the credentials only where the environment names one', async () => {
  expect(await runIn({ region }, 'tokens', 'list', '--env', 'dev')).toMatchObject({ code: 0 });
  expect(asked).toEqual([`cloudformation ${region}`, `dynamodb ${region}`]);
});

it('sends nothing to another account', async () => {
  caller = identified('210987654321');
  expect(await run('tokens', 'issue', '--name', 'script', '--allow', 'all')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      '"dev" is in the account 123456789012, but these AWS credentials belong to 210987654321: nothing was done. Set AWS_PROFILE to a profile of 123456789012.\n',
  });
  expect(asked).toEqual([`sts ${region}`]);
});

it.each([
  [
    refused('AccessDenied', 'User: ada is not authorized to perform: sts:GetCallerIdentity'),
    'These AWS credentials may not do this: User: ada is not authorized to perform: sts:GetCallerIdentity',
  ],
  [refused('ExpiredToken', 'expired'), 'AWS refuses the credentials (ExpiredToken): renew them and try again.'],
  [
    { status: 200, body: '<!doctype html>\n<html>Please log in</html>' },
    'The answer is not from AWS: does the network ask for a login, or use a proxy?',
  ],
])('sends nothing more when whose the credentials are cannot be asked: %j', async (said, line) => {
  caller = said;
  expect(await run('campaigns', 'add', 'Spring')).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
  expect(asked).toEqual([`sts ${region}`]);
});

it('sends nothing without credentials', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  expect(await run('campaigns', 'add', 'Spring')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No AWS credentials: set AWS_PROFILE to [^\n]*\n$/),
  });
  expect(asked).toEqual([]);
});

it.each([
  [{ account: '1' }, 'Environment "dev": account: must be 12 digits'],
  [{ region: 'Frankfurt' }, 'Environment "dev": region: must be a region such as "eu-central-1"'],
])('asks nothing where the settings say wrongly where the environment is: %j', async (settings, line) => {
  expect(await runIn(settings, 'tokens', 'list', '--env', 'dev')).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
  expect(asked).toEqual([]);
});

it('acts on a stack that no settings name, where the shell leads', async () => {
  const outcome = await runIn({ account, region }, 'campaigns', 'add', 'Spring', '--stack', 'ContactService-old');
  expect(outcome).toMatchObject({
    code: 0,
    stderr: `This is the stack ContactService-old in the account ${account}, ${region}.\n`,
  });
  // The shell's region, and then the stack's.
  expect(asked).toEqual(['cloudformation eu-central-1', `dynamodb ${region}`, `dynamodb ${region}`]);
});

it('tells of a stack that there is not, or that is none of this service', async () => {
  outputs = {};
  expect(await runIn({}, 'tokens', 'list', '--stack', 'ContactService-old')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'There is no stack ContactService-old of this service in this AWS account, in this region: "aws cloudformation list-stacks" shows the stacks.\n',
  });
});

it('minds no other setting, so that a token is revoked whatever is wrong with the rest', async () => {
  const { stderr } = await runIn({ region, sites: 'none', webAcl: 1 }, 'tokens', 'revoke', 'nobody', '--env', 'dev');
  expect(stderr).toMatch(/There is no token named "nobody"/);
});

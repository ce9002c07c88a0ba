import { existsSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { createGuardedApp, findingsOf, readStacks, type StackState } from '../../lib/infrastructure/guard.ts';
import { type EnvironmentInput, parseEnvironment, stackName } from '../../lib/infrastructure/settings.ts';
import { type AwsResponse, awsError, describeStacks, type FakeStack, startFakeAws } from '../support/fake-aws.ts';
import { profileWithCode } from '../support/profile.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bare, briefly, fakeBundles } from './synthesize.ts';

const kept = { ...bare, retainData: true };

const names = { contacts: 'Old-Contacts', campaigns: 'Old-Campaigns', tokens: 'Old-Tokens' };
const adopting = { ...kept, existingTables: names };

const outputsWith = (settings: object) => ({
  ContactsTable: names.contacts,
  CampaignsTable: names.campaigns,
  TokensTable: names.tokens,
  Settings: JSON.stringify({ version: '3.0.0', retainData: true, ...settings }),
});

const deployedWith = (settings: object, outputs: object = {}): StackState => ({
  kind: 'deployed',
  outputs: { ...outputsWith(settings), ...outputs },
});

const withFiles = { ...adopting, webAcl: true, files: {} };
const inBucket = { ...withFiles, files: { existingBucket: 'old-files' } };
const FilesBucket = 'old-files';

const otherCredentials: StackState = { kind: 'unknown', reason: 'Use AWS_PROFILE', hasOtherCredentials: true };

const findings = (settings: EnvironmentInput, state: StackState, ...confirmed: string[]) =>
  findingsOf(parseEnvironment('prod', settings), state, new Set(confirmed)).map(
    ({ rule, severity, description }) => `${severity} ${rule}: ${description}`,
  );

test.each<[deployment: string, settings: EnvironmentInput, state: StackState, found: RegExp[]]>([
  [
    'data that are no longer kept',
    bare,
    deployedWith({}),
    [/^fatal prod\.retainData: .* To deploy anyway: -c confirm=prod\.retainData$/],
  ],
  [
    'imported tables that are missing',
    kept,
    deployedWith({ existingTables: names }),
    [/^fatal prod\.existingTables: /],
  ],
  [
    'another table than before',
    { ...adopting, existingTables: { ...names, tokens: 'New' } },
    deployedWith({}),
    [/^fatal prod\.existingTables: /],
  ],
  [
    'files that nothing would delete',
    adopting,
    deployedWith({}, { FilesBucket }),
    [/^fatal prod\.files: .* old-files/],
  ],
  [
    'an imported bucket that is missing',
    withFiles,
    deployedWith({ existingBucket: 'old-files' }, { FilesBucket }),
    [/^fatal prod\.files: .* old-files/],
  ],
  ['another bucket', inBucket, deployedWith({}, { FilesBucket: 'new-files' }), [/^fatal prod\.files: .* new-files/]],
  ['the same bucket', withFiles, deployedWith({}, { FilesBucket }), []],
  ['its own bucket, now named', inBucket, deployedWith({}, { FilesBucket }), []],
  ['files from now on', withFiles, deployedWith({}), []],
  ['credentials that only the CDK has', kept, otherCredentials, [/^fatal prod\.credentials: .*: Use AWS_PROFILE\. To/]],
  [
    'an unreadable stack',
    kept,
    { kind: 'unknown', reason: 'no AWS region' },
    [/^warning .* cannot .*: no AWS region$/],
  ],
  ['a first deployment', kept, { kind: 'new' }, [/^warning deployed: the first deployment is not protected, /]],
  ['a first deployment that keeps nothing', bare, { kind: 'new' }, []],
  ['the same settings', kept, deployedWith({}), []],
  ['data that are kept from now on', kept, deployedWith({ retainData: false }), []],
  ['an environment that keeps nothing, as before', bare, deployedWith({ retainData: false }), []],
  ['the same imported tables', adopting, deployedWith({ existingTables: names }), []],
  ['its own tables, now named', adopting, deployedWith({}), []],
])('refuses, warns of or accepts %s', (_, settings, state, found) => {
  expect(findings(settings, state)).toEqual(found.map((each) => expect.stringMatching(each)));
});

test('a loss that the operator confirms is a warning', () => {
  expect(findings(bare, deployedWith({}), 'prod.existingTables')).toEqual([expect.stringMatching(/^fatal /)]);
  expect(findings(bare, deployedWith({}), 'prod.other', 'prod.retainData')).toEqual([
    expect.stringMatching(/^warning prod\.retainData: Confirmed: /),
  ]);
});

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_CONFIG_FILE', devNull);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', devNull);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
});
afterEach(() => vi.unstubAllEnvs());

interface Account {
  /** @defaultValue 123456789012 */
  readonly account?: string;
  readonly stacks?: readonly FakeStack[];
  /** The response to every request for a stack, instead. */
  readonly response?: AwsResponse;
}

const serveAws = ({ account = '123456789012', stacks = [], response }: Account) =>
  startFakeAws(({ operation, input }) => {
    if (operation === 'GetCallerIdentity') return { status: 200, body: { Account: account } };
    return response ?? describeStacks(stacks, input);
  });

const ofCdk = { CDK_DEFAULT_ACCOUNT: '123456789012', CDK_DEFAULT_REGION: 'eu-central-1' };

const prod: FakeStack = { name: 'ContactService-prod', outputs: outputsWith({}) };

const read = async (aws: Account, settings: object = {}, variables: object = ofCdk) => {
  await using server = await serveAws(aws);
  vi.stubEnv('AWS_ENDPOINT_URL', server.url);
  const [state] = await readStacks([parseEnvironment('prod', { ...kept, ...settings })], variables);
  return state;
};

test.each([
  ...['REVIEW_IN_PROGRESS', 'CREATE_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'].map(
    (status) => [status, { kind: 'new' }] as const,
  ),
  ...['CREATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'UPDATE_FAILED', 'IMPORT_COMPLETE'].map(
    (status) => [status, deployedWith({})] as const,
  ),
])('reads a stack in the state %s', async (status, state) => {
  expect(await read({ stacks: [{ ...prod, status }] })).toEqual(state);
});

test('a missing stack is new', async () => {
  expect(await read({})).toEqual({ kind: 'new' });
});

test.each<[reason: string, aws: Account, settings: object, variables: object]>([
  ['no valid AWS credentials', {}, {}, {}],
  ['AccessDenied: No', { response: awsError(403, 'AccessDenied', 'No') }, {}, ofCdk],
  ['ValidationError: No', { response: awsError(400, 'ValidationError', 'No') }, {}, ofCdk],
  [
    'the response does not come from AWS',
    { response: { status: 200, body: '<html><body>Log in</body></html>' } },
    {},
    ofCdk,
  ],
  ['it is in account 210987654321, but the credentials belong to 123456789012', {}, { account: '210987654321' }, ofCdk],
])('says why it cannot read the stack: %s', async (reason, aws, settings, variables) => {
  expect(await read({ stacks: [prod], ...aws }, settings, variables)).toEqual({ kind: 'unknown', reason });
});

test.each([
  ['no credentials', undefined],
  ['credentials of 210987654321', 'key'],
])('finds out that `cdk` has other credentials than its app, which has %s', async (found, key) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', key);
  expect(await read({ account: '210987654321', stacks: [prod] })).toEqual({
    kind: 'unknown',
    reason: `the CDK has credentials of 123456789012, but its app has ${found}. Instead of --profile, use "AWS_PROFILE=<profile> npx cdk …"`,
    hasOtherCredentials: true,
  });
});

test('names the command that gives the app what a profile gets for a code', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  vi.stubEnv('AWS_CONFIG_FILE', profileWithCode());
  vi.stubEnv('AWS_PROFILE', 'mfa');
  expect(await read({ stacks: [prod] })).toEqual({
    kind: 'unknown',
    reason: expect.stringMatching(
      /app has none \(.* multi-factor .*\)\. .* first run: eval "\$\(aws configure export-credentials --profile 'mfa' --format env\)" /,
    ),
    hasOtherCredentials: true,
  });
});

const report = v.object({ pluginReports: v.array(v.object({ pluginName: v.string(), conclusion: v.string() })) });

/** The environments whose deployment `cdk` refuses, by the report that it reads. */
const refusedIn = (folder: string) => {
  const file = join(folder, 'validation-report.json');
  if (!existsSync(file)) return [];
  const { pluginReports } = v.parse(report, JSON.parse(readFileSync(file, 'utf8')));
  return pluginReports.filter(({ conclusion }) => conclusion === 'failure').map(({ pluginName }) => pluginName);
};

const bundles = fakeBundles();

const synthesize = async (
  environments: Readonly<Record<string, EnvironmentInput>>,
  stacks: readonly FakeStack[],
  outdir = temporaryFolder(),
) => {
  await using server = await serveAws({ stacks });
  vi.stubEnv('AWS_ENDPOINT_URL', server.url);
  const create: typeof createApp = (inputs, folder, props) =>
    createApp(inputs, folder, {
      ...props,
      ...briefly,
      outdir,
      context: { '@aws-cdk/core:failSynthOnValidationErrors': false },
    });
  const app = await createGuardedApp(create, environments, () => Promise.resolve(bundles), ofCdk);
  return app.synth();
};

const protectionOf = (assembly: Awaited<ReturnType<typeof synthesize>>, environment: string) => {
  const { terminationProtection, template } = assembly.getStackByName(stackName(environment));
  const tables = Object.values(Template.fromJSON(template).findResources('AWS::DynamoDB::GlobalTable'));
  return {
    stack: terminationProtection,
    tables: tables.map(({ Properties }) => Properties.Replicas[0].DeletionProtectionEnabled),
    nextStep: 'NextStep' in template.Outputs,
  };
};

test('protects stack and tables from the second deployment on, and imported tables from the first', async () => {
  const assembly = await synthesize({ prod: kept, fresh: kept, back: adopting }, [prod]);
  const all = [true, true, true];
  const none = [false, false, false];
  expect(protectionOf(assembly, 'prod')).toEqual({ stack: true, tables: all, nextStep: false });
  expect(protectionOf(assembly, 'fresh')).toEqual({ stack: false, tables: none, nextStep: true });
  expect(protectionOf(assembly, 'back')).toEqual({ stack: false, tables: all, nextStep: true });
});

test('refuses one environment and no other, until its settings are repaired', async () => {
  const outdir = temporaryFolder();
  await synthesize({ dev: kept, prod: bare }, [prod], outdir);
  expect(refusedIn(outdir)).toEqual(['Environment "prod"']);
  await synthesize({ dev: kept, prod: kept }, [prod], outdir);
  expect(refusedIn(outdir)).toEqual([]);
});

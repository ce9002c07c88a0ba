import { existsSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../../lib/infrastructure/app.ts';
import { createGuardedApp } from '../../../lib/infrastructure/deployed/guarded-app.ts';
import type { EnvironmentInput } from '../../../lib/infrastructure/settings.ts';
import { stackName } from '../../../lib/infrastructure/stack-name.ts';
import { SettingsError } from '../../../lib/settings-error.ts';
import { bare, briefly, domainOfFull, fakeBundles, temporaryFolder } from '../synthesize.ts';
import { type FakeAws, type FakeStack, serveAws } from './aws.ts';

const bundles = fakeBundles();

const kept = { ...bare, retainData: true };

/** Outputs of every stack. */
const tableOutputs = { ContactsTable: 'Old-Contacts', CampaignsTable: 'Old-Campaigns', TokensTable: 'Old-Tokens' };

/** A stack, as a deployment with these settings leaves it. */
const deployed = (
  name: string,
  settings: Readonly<Record<string, unknown>>,
  stack: Partial<FakeStack> = {},
): FakeStack => ({
  name: stackName(name),
  tags: { Service: 'contact-service', Environment: name },
  outputs: { ...tableOutputs, Settings: JSON.stringify({ version: '3.0.0', ...settings }) },
  ...stack,
});

const prod = deployed('prod', { retainData: true });

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_CONFIG_FILE', devNull);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', devNull);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
});
afterEach(() => vi.unstubAllEnvs());

const report = v.object({
  pluginReports: v.array(
    v.object({
      pluginName: v.string(),
      conclusion: v.string(),
      violations: v.array(
        v.object({
          severity: v.string(),
          description: v.string(),
          violatingConstructs: v.tuple([v.object({ constructPath: v.string() })]),
        }),
      ),
    }),
  ),
});

/** What `cdk` reads, to say it, and to stop where it is to deploy a stack with a failure. */
const reportsIn = (directory: string) => {
  const file = join(directory, 'validation-report.json');
  return existsSync(file) ? v.parse(report, JSON.parse(readFileSync(file, 'utf8'))).pluginReports : [];
};

/** What `cdk` gives its app. */
const ofCdk = { CDK_DEFAULT_ACCOUNT: '123456789012', CDK_DEFAULT_REGION: 'eu-central-1' };

/** Synthesizes as `cdk -c confirm=…` does while that is deployed. */
const synthesize = async (
  environments: Readonly<Record<string, EnvironmentInput>>,
  aws: FakeAws,
  confirm?: string,
  variables: Readonly<Record<string, string>> = ofCdk,
  outdir = temporaryFolder(),
) => {
  await using server = await serveAws(aws);
  vi.stubEnv('AWS_ENDPOINT_URL', server.url);
  const create: typeof createApp = (inputs, folder, props) =>
    createApp(inputs, folder, {
      ...props,
      ...briefly,
      outdir,
      context: { '@aws-cdk/core:failSynthOnValidationErrors': false, ...(confirm && { confirm }) },
    });
  const app = await createGuardedApp(create, environments, () => Promise.resolve(bundles), variables);
  const assembly = app.synth();
  const reports = reportsIn(assembly.directory);
  return {
    said: reports.flatMap(({ violations }) =>
      violations.map(
        ({ severity, description, violatingConstructs: [{ constructPath }] }) =>
          `${severity}, ${constructPath}: ${description}`,
      ),
    ),
    stopped: reports.filter(({ conclusion }) => conclusion === 'failure').map(({ pluginName }) => pluginName),
    asked: server.asked,
    stack: (environment: string) => assembly.getStackByName(stackName(environment)),
  };
};

const loss = {
  retainData:
    'it is deployed with "retainData: true": stack and tables would lose their protection, and with the stack its contact requests, campaigns and tokens would go',
  existingTables:
    'its tables are Old-Contacts, Old-Campaigns, Old-Tokens, and would be others: what is in them would be shown no more, and stay there',
  customDomains:
    'it answers at contact.example.com, which would end at once, and with it every form that posts there: let another name answer beside it first (docs/operation.md)',
  defaultEndpoint:
    'https://a1.execute-api.example/prod would answer no more before any form or name leads elsewhere: deploy without defaultEndpoint: false first (docs/operation.md)',
  region:
    'there is no ContactService-prod in 123456789012, eu-central-1, but in eu-west-1, us-east-1: a second one would be made, with empty tables, another base URL and no token, and the forms would go on posting to the first (docs/operation.md)',
  instance:
    'there is no ContactService-prod in 123456789012, eu-central-1, but ContactService-former-prod is this environment by its tags: a second one would be made, with empty tables, another base URL and no token, and the forms would go on posting to the first (docs/operation.md)',
};

const names = { contacts: 'Old-Contacts', campaigns: 'Old-Campaigns', tokens: 'Old-Tokens' };

/** The stack with these tables, named by its settings or by CloudFormation. */
const withTables = (existingTables?: typeof names): FakeStack => deployed('prod', { retainData: true, existingTables });

const firstDeployment =
  'warning, ContactService-prod: this is its first deployment, without protection, so that it can be repeated when it fails: deploy once more for its protection';

const domain = (name: string) => ({ name, certificateArn: domainOfFull.certificateArn });

/** The stack with these names of its own. */
const answeringAt = (...domains: readonly string[]): FakeStack => deployed('prod', { retainData: false, domains });

const atGateway: FakeStack = {
  ...prod,
  outputs: { ...answeringAt().outputs, BaseUrl: 'https://a1.execute-api.example/prod' },
};

test.each<[setting: keyof typeof loss, settings: EnvironmentInput, stacks: FakeStack[], besides: string[]]>([
  ['retainData', bare, [prod], []],
  ['existingTables', kept, [withTables(names)], []],
  ['existingTables', { ...kept, existingTables: { ...names, tokens: 'New-Tokens' } }, [withTables(names)], []],
  ['existingTables', { ...kept, existingTables: { ...names, contacts: 'New-Contacts' } }, [withTables()], []],
  ['customDomains', bare, [answeringAt('contact.example.com')], []],
  [
    'customDomains',
    { ...bare, customDomains: [domain('forms.example.org')] },
    [answeringAt('contact.example.com')],
    [],
  ],
  ['defaultEndpoint', { ...bare, customDomains: [domain('a.example.com')], defaultEndpoint: false }, [atGateway], []],
  [
    'region',
    kept,
    [
      { ...prod, region: 'us-east-1' },
      { ...prod, region: 'eu-west-1' },
    ],
    [firstDeployment],
  ],
  ['instance', bare, [{ ...prod, name: 'ContactService-former-prod' }], []],
])(
  '%s: what would be lost is refused, and done when it is confirmed by name',
  async (setting, settings, stacks, besides) => {
    const name = `prod.${setting}`;
    const refused = await synthesize({ prod: settings }, { stacks });
    expect(refused.said).toEqual([
      `fatal, ContactService-prod: ${loss[setting]}. To do it all the same: -c confirm=${name}`,
      ...besides,
    ]);
    expect(refused.stopped).toEqual(['Environment "prod"']);

    const confirmed = await synthesize({ prod: settings }, { stacks }, name);
    expect(confirmed.said).toEqual([`warning, ContactService-prod: Confirmed: ${loss[setting]}`, ...besides]);
    expect(confirmed.stopped).toEqual([]);
  },
);

test('what loses nothing is said nothing of', async () => {
  const dev = deployed('dev', { retainData: false });
  const { said, asked } = await synthesize(
    { dev: kept, prod: { ...kept, existingTables: names } },
    { stacks: [dev, withTables(names)] },
  );
  expect(said).toEqual([]);
  expect(asked.toSorted()).toEqual([
    'eu-central-1 DescribeStacks ContactService-dev',
    'eu-central-1 DescribeStacks ContactService-prod',
    'eu-central-1 GetCallerIdentity',
  ]);
});

test.each<[step: string, settings: EnvironmentInput, stack: FakeStack]>([
  ['a first name', { ...bare, customDomains: [domain('a.example.com')] }, atGateway],
  [
    'the end of the old URL',
    { ...bare, customDomains: [domain('a.example.com')], defaultEndpoint: false },
    answeringAt('a.example.com'),
  ],
  [
    'a second name',
    { ...bare, customDomains: [domain('a.example.com'), domain('b.example.com')] },
    answeringAt('a.example.com'),
  ],
  [
    'the end of the first',
    { ...bare, customDomains: [domain('b.example.com')] },
    answeringAt('a.example.com', 'b.example.com'),
  ],
])('allows a move to a custom domain: %s', async (_, settings, stack) => {
  expect((await synthesize({ prod: settings }, { stacks: [stack] })).said).toEqual([]);
});

test('a stack of another service, of another environment, of another entry or that never was is no former one', async () => {
  const tags = { Service: 'contact-service', Environment: 'prod' };
  const stacks = [
    { name: 'Shop', tags: { ...tags, Service: 'shop' }, outputs: tableOutputs },
    { name: 'ContactService-staging', tags: { ...tags, Environment: 'staging' }, outputs: tableOutputs },
    // The roles that deploy it.
    { name: 'ContactServiceDeployment-prod', tags, outputs: { DeployRole: 'arn:aws:iam::123456789012:role/x' } },
    { ...deployed('other', { retainData: false }), tags },
    { name: 'ContactService-failed', status: 'ROLLBACK_COMPLETE', tags, outputs: tableOutputs },
  ];
  const { said } = await synthesize({ prod: bare, other: bare }, { stacks });
  expect(said).toEqual([]);
});

test('a region that the account has not opened has no stack', async () => {
  const { said } = await synthesize({ prod: kept }, { refusals: { 'me-south-1': 'InvalidClientTokenId' } });
  expect(said).toEqual([firstDeployment]);
});

test('a region that is too busy to say whether it has one is no proof that there is none', async () => {
  const { said, stack } = await synthesize({ prod: kept }, { refusals: { 'me-south-1': 'ThrottlingException' } });
  expect(said).toEqual([
    expect.stringContaining('cannot read the deployed stack: ThrottlingException: It is me-south-1 that says so'),
  ]);
  expect(stack('prod').terminationProtection).toBe(true);
});

test('where nothing is to be kept, no other region is asked', async () => {
  const { said, asked } = await synthesize({ prod: bare }, { stacks: [{ ...prod, region: 'us-east-1' }] });
  expect(said).toEqual([]);
  expect(asked.filter((request) => !request.startsWith('eu-central-1 '))).toEqual([]);
});

test('of an environment that is written over by another name it is said that it stays', async () => {
  const { said, stopped } = await synthesize({ shop: kept }, { stacks: [prod] });
  expect(said).toEqual([
    `${firstDeployment.replace('prod', 'shop')}. No settings name ContactService-prod: if this was its name, data and forms stay there (docs/operation.md#rename-or-move-an-environment)`,
  ]);
  expect(stopped).toEqual([]);
});

test('one environment that is refused stops no other', async () => {
  const { stopped, said } = await synthesize({ dev: kept, prod: bare }, { stacks: [prod] });
  expect(stopped).toEqual(['Environment "prod"']);
  expect(said).toHaveLength(2);
});

test('a refusal is over when its cause is, also in the folder of the run before', async () => {
  const again = (settings: EnvironmentInput, outdir: string) =>
    synthesize({ prod: settings }, { stacks: [prod] }, undefined, ofCdk, outdir);
  const outdir = temporaryFolder();
  expect((await again(bare, outdir)).stopped).toEqual(['Environment "prod"']);
  expect((await again(kept, outdir)).stopped).toEqual([]);
});

test('several are confirmed with commas between them', async () => {
  const stacks = [
    { ...prod, region: 'eu-west-1' },
    { ...prod, name: 'ContactService-former-prod' },
  ];
  const { stopped } = await synthesize({ prod: kept }, { stacks }, 'prod.region, prod.instance');
  expect(stopped).toEqual([]);
});

test('what is not there to confirm is refused, with what is', async () => {
  await expect(synthesize({ prod: bare }, { stacks: [prod] }, 'prod.retaindata')).rejects.toThrow(
    new SettingsError(
      '-c confirm=prod.retaindata: there is no such thing to confirm. To be confirmed now: prod.retainData',
    ),
  );
  await expect(synthesize({ prod: kept }, { stacks: [prod] }, 'live.region,prod.region')).rejects.toThrow(
    new SettingsError('-c confirm=live.region: there is no such thing to confirm. To be confirmed now: nothing'),
  );
});

test('the same command can be given again when what it confirms is done', async () => {
  const { said } = await synthesize(
    { prod: bare },
    { stacks: [deployed('prod', { retainData: false })] },
    'prod.retainData',
  );
  expect(said).toEqual([]);
});

const protectionOf = ({ stack }: Awaited<ReturnType<typeof synthesize>>) => {
  const { terminationProtection, template } = stack('prod');
  const resources = v.parse(
    v.object({ Resources: v.record(v.string(), v.object({ Type: v.string(), Properties: v.optional(v.unknown()) })) }),
    template,
  );
  const tables = Object.values(resources.Resources).filter(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable');
  const ofTable = v.object({ Replicas: v.tuple([v.object({ DeletionProtectionEnabled: v.boolean() })]) });
  return {
    stack: terminationProtection,
    tables: tables.map(({ Properties }) => v.parse(ofTable, Properties).Replicas[0].DeletionProtectionEnabled),
    says: template.Outputs.NextStep?.Value,
  };
};

const without = {
  stack: false,
  tables: [false, false, false],
  says: 'Deploy once more: then the stack and its tables resist deletion.',
};
const withAll = { stack: true, tables: [true, true, true], says: undefined };

test.each(['REVIEW_IN_PROGRESS', 'CREATE_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'])(
  'a stack that never was complete (%s) is deployed without protection, and says so',
  async (status) => {
    const synthesis = await synthesize({ prod: kept }, { stacks: [{ ...prod, status }] });
    expect(protectionOf(synthesis)).toEqual(without);
    expect(synthesis.said).toEqual([firstDeployment]);
  },
);

test('so is one that is not there', async () => {
  expect(protectionOf(await synthesize({ prod: kept }, {}))).toEqual(without);
});

test('tables that a first deployment takes in are protected by it: they hold data', async () => {
  const synthesis = await synthesize({ prod: { ...kept, existingTables: names } }, {});
  expect(protectionOf(synthesis)).toEqual({ ...without, tables: withAll.tables });
});

test.each(['CREATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'UPDATE_FAILED', 'IMPORT_COMPLETE'])(
  'the next deployment protects it (%s)',
  async (status) => {
    expect(protectionOf(await synthesize({ prod: kept }, { stacks: [{ ...prod, status }] }))).toEqual(withAll);
  },
);

test('what is not kept is not protected, and needs no second deployment', async () => {
  const synthesis = await synthesize({ prod: bare }, {});
  expect(protectionOf(synthesis)).toEqual({ ...without, says: undefined });
  expect(synthesis.said).toEqual([]);
});

test.each<[why: string, aws: FakeAws, variables: Record<string, string>, settings: EnvironmentInput, said: string]>([
  ['no credentials', {}, {}, kept, 'there are no AWS credentials, or none that AWS takes'],
  [
    'no permission',
    { denied: 'DescribeStacks' },
    ofCdk,
    kept,
    'AccessDenied: User: x is not authorized to perform: cloudformation:DescribeStacks',
  ],
  ['a refusal of another kind', { invalid: 'No' }, ofCdk, kept, 'ValidationError: No'],
  ['an answer of something else', { isOther: true }, ofCdk, kept, 'Error: this is no answer of AWS'],
  [
    'another account',
    {},
    ofCdk,
    { ...kept, account: '210987654321' },
    'it is of the account 210987654321, and the credentials are of 123456789012',
  ],
])('where it cannot know, it says so and protects: %s', async (_, aws, variables, settings, why) => {
  const synthesis = await synthesize({ prod: settings }, { ...aws, stacks: [prod] }, undefined, variables);
  expect(synthesis.said).toEqual([
    `warning, ContactService-prod: Data-loss check skipped, cannot read the deployed stack: ${why}`,
  ]);
  expect(protectionOf(synthesis).stack).toBe(settings.retainData);
});

test.each([
  ['none', {}],
  ['others, of the account 210987654321', { AWS_ACCESS_KEY_ID: 'key' }],
])('with other credentials than those of `cdk` (%s), nothing is deployed over', async (found, variables) => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const aws = { account: '210987654321', stacks: [prod] };
  const why = `the CDK has credentials of the account 123456789012, and its app finds ${found}. Is it for --profile? Type "AWS_PROFILE=<profile> npx cdk …" in its place`;
  // What is deployed keeps its data, whatever the settings say now.
  for (const settings of [kept, bare]) {
    const { said } = await synthesize({ prod: settings }, aws);
    expect(said[0]).toBe(
      `fatal, ContactService-prod: what is deployed was not looked at: ${why}. To do it all the same: -c confirm=prod.unseen`,
    );
  }
  const { stopped } = await synthesize({ prod: kept }, aws, 'prod.unseen');
  expect(stopped).toEqual([]);
});

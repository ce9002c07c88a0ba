import { readFileSync } from 'node:fs';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { notifySettings } from '../../functions/notify/notify-settings.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import { bare, propertiesOfOnly, synthesize } from '../infrastructure/synthesize.ts';
import { startForms } from '../support/contacts.ts';
import { awsError } from '../support/fake-aws.ts';
import { logText } from '../support/log.ts';
import { serveProxy } from '../support/proxy.ts';
import { serve } from '../support/server.ts';
import { client } from '../support/tables.ts';
import { denied, startDeployed } from './deployed.ts';
import { actionsDuring, statementsIn } from './policy.ts';

const day = 24 * 60 * 60 * 1000;

const topic = 'arn:aws:sns:eu-central-1:123456789012:alarms';

const report = v.object({ findings: v.array(v.record(v.string(), v.string())) });

/** A resource, as CloudFormation lists it. */
const resource = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
  ResourceType,
  LogicalResourceId,
  PhysicalResourceId,
});

const template = synthesize({ bare })('bare');

/** The log groups of a stack, whose names begin with the logical ids, as those of CloudFormation do. */
const logGroups = Object.keys(template.findResources('AWS::Logs::LogGroup')).map((id) =>
  resource('AWS::Logs::LogGroup', id, `ContactService-dev-${id}`),
);

/** A row of a query's results. CloudWatch leaves out what no line of the row has. */
const row = (cells: Readonly<Record<string, string | number>>) =>
  Object.entries(cells).map(([field, value]) => ({ field, value: String(value) }));

/** A deployed environment without a problem. */
const startWorld = async () => {
  const deployed = await startDeployed(['Email1a2b3c4d', 'Webhook5e6f7a8b']);
  const { responses, run } = deployed;
  /** The address of the sender is covered by its domain. */
  const verified = new Set(['office@example.com', 'example.com']);
  const dkim = { SigningEnabled: true, Status: 'SUCCESS' };
  const suppressed = new Set<string>();
  const account = { SendingEnabled: true, EnforcementStatus: 'HEALTHY', ProductionAccessEnabled: false };
  const subscriptions = [`${topic}:one`, `${topic}:two`];
  const resources = [
    resource('AWS::SNS::Topic', 'AlarmsTopicA0A1A2A3', topic),
    resource('AWS::SNS::Subscription', 'AlarmsTopicOneA0A1A2A3', `${topic}:one`),
    resource('AWS::SNS::Subscription', 'AlarmsTopicTwoA0A1A2A3', `${topic}:two`),
    ...logGroups,
  ];
  const plan = { accountPlanType: 'PAID', accountPlanStatus: 'ACTIVE', accountPlanExpirationDate: '' };
  /** The responses to each request for the results of the query; the last one stays. */
  const queried: { status: string; results: ReturnType<typeof row>[] }[] = [{ status: 'Complete', results: [] }];
  Object.assign(responses, {
    'cloudformation:ListStackResources': () => ({ StackResourceSummaries: resources }),
    'sns:ListSubscriptionsByTopic': () => ({
      Subscriptions: subscriptions.map((SubscriptionArn, at) => ({ SubscriptionArn, Endpoint: `${at}@example.com` })),
    }),
    'lambda:GetFunctionConfiguration': () => ({
      Environment: {
        Variables: toVariables(notifySettings, {
          environment: 'dev',
          mailFrom: '=?utf-8?B?QsO8cm8=?= <contact@mail.example.com>',
          targets: {
            Email1a2b3c4d: { kind: 'email', to: 'office@example.com' },
            Webhook5e6f7a8b: { kind: 'webhook', url: 'https://crm.example.com/hooks', secret: 'arn:one' },
          },
        }),
      },
    }),
    'freetier:GetAccountPlanState': () => ({
      ...plan,
      accountPlanExpirationDate: plan.accountPlanExpirationDate || undefined,
    }),
    'ses:GetAccount': () => account,
    'ses:GetEmailIdentity': ({ name }: Readonly<Record<string, unknown>>) =>
      String(name).includes('@') || verified.has(String(name))
        ? {
            VerifiedForSendingStatus: verified.has(String(name)),
            ...(!String(name).includes('@') && { DkimAttributes: dkim }),
          }
        : awsError(404, 'NotFoundException'),
    'ses:GetSuppressedDestination': ({ name }: Readonly<Record<string, unknown>>) =>
      suppressed.has(String(name))
        ? { SuppressedDestination: { EmailAddress: name, Reason: 'BOUNCE', LastUpdateTime: 0 } }
        : awsError(404, 'NotFoundException'),
    'logs:StartQuery': () => ({ queryId: 'one' }),
    'logs:GetQueryResults': () => (queried.length > 1 ? queried.shift() : queried[0]),
  });
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  return {
    ...deployed,
    verified,
    dkim,
    suppressed,
    account,
    plan,
    subscriptions,
    queried,
    doctor: (...args: readonly string[]) => run(['doctor', ...args]),
    /** What the doctor finds, as `check, severity: What it is. -> What to do`. */
    find: async () => {
      const { stdout } = await run(['doctor', '--json']);
      return v
        .parse(report, JSON.parse(stdout))
        .findings.map((found) => `${found['check']}, ${found['severity']}: ${found['what']} -> ${found['remedy']}`);
    },
  };
};

const paused = JSON.stringify({ version: '4.0.0', retainData: true, notificationsPaused: true });

type World = Awaited<ReturnType<typeof startWorld>>;

it('prints one line if nothing is wrong, which the README shows', async () => {
  const { doctor } = await startWorld();
  expect(await doctor()).toEqual({ code: 0, stdout: 'No problems found in 9 checks.\n', stderr: '' });
  expect(readFileSync('README.md', 'utf8')).toContain('`No problems found in 9 checks.`');
});

it('prints what is wrong before notes, each with its remedy, and exits with 1', async () => {
  const { doctor, outputs, subscriptions } = await startWorld();
  outputs['Settings'] = paused;
  const note = 'note: Notifications are paused.\n  See docs/notifications.md#paused.\n';
  expect(await doctor()).toEqual({ code: 0, stdout: `${note}No problems found in 9 checks.\n`, stderr: '' });
  subscriptions[1] = 'PendingConfirmation';
  expect(await doctor()).toEqual({
    code: 1,
    stdout: expect.stringMatching(`^wrong: .*\n {2}.*\n${note}$`),
    stderr: 'Found 1 problem.\n',
  });
});

/** The check and the severity of a finding, and what its words must contain: what helps the operator. */
type Found = readonly [head: string, ...parts: readonly string[]];

const setup = 'docs/email.md#email-addresses-and-the-ses-sandbox';
const unsigned: readonly Found[] = [['email addresses, note', 'DKIM', 'docs/email.md#the-domain-of-the-sender']];
const shows = 'npx --no-install crcs notifications test --env dev';
const list = `aws sns list-subscriptions-by-topic --topic-arn ${topic} --region eu-central-1`;
const upgrade = 'aws freetier upgrade-account-plan --account-plan-type PAID --region us-east-1';
const freePlan =
  (accountPlanExpirationDate: string) =>
  ({ plan }: Pick<World, 'plan'>) =>
    Object.assign(plan, { accountPlanType: 'FREE', accountPlanExpirationDate });
const revert = 'npx cdk deploy ContactService-dev --revert-drift';

const problems: readonly (readonly [problem: string, breakIt: (world: World) => unknown, found: readonly Found[]])[] = [
  [
    'an unconfirmed alarm address',
    ({ subscriptions }) => subscriptions.splice(0, 1, 'PendingConfirmation'),
    [['alarm addresses, wrong', 'unconfirmed: 1', list]],
  ],
  [
    'an alarm address that unsubscribed',
    ({ subscriptions }) => subscriptions.pop(),
    [['alarm addresses, wrong', 'unsubscribed: 1', revert, list]],
  ],
  [
    'stopped mails',
    ({ account }) => Object.assign(account, { SendingEnabled: false }),
    [['email addresses, wrong', 'https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html']],
  ],
  [
    'unverified addresses in the sandbox',
    ({ verified }) => verified.clear(),
    [
      ['email addresses, wrong', 'notifications.from', setup],
      ['email addresses, wrong', 'Email1a2b3c4d', 'sandbox', setup, shows],
    ],
  ],
  [
    'no unverified recipient outside of the sandbox',
    ({ verified, account }) => {
      verified.delete('office@example.com');
      account.ProductionAccessEnabled = true;
    },
    [],
  ],
  [
    'a sender of which only the address is verified',
    ({ verified }) => {
      verified.delete('example.com');
      verified.add('contact@mail.example.com');
    },
    unsigned,
  ],
  ['a domain without the records of DKIM', ({ dkim }) => Object.assign(dkim, { Status: 'PENDING' }), unsigned],
  ['a domain for which DKIM is off', ({ dkim }) => Object.assign(dkim, { SigningEnabled: false }), unsigned],
  [
    'no problem if the address and its domain are verified',
    ({ verified }) => verified.add('contact@mail.example.com'),
    [],
  ],
  [
    'a suppressed address',
    ({ suppressed }) => suppressed.add('office@example.com'),
    [['email addresses, wrong', 'Email1a2b3c4d', 'docs/runbook.md#mail-bounces', shows]],
  ],
  [
    'the Free plan, which ends with the account',
    freePlan('2099-01-31T12:00:00Z'),
    [['account plan, note', 'closes it on 2099-01-31', upgrade]],
  ],
  [
    'the Free plan that ends soon',
    (world) => freePlan(new Date(Date.now() + 10 * day).toISOString())(world),
    [['account plan, wrong', 'AWS closes it on ', upgrade]],
  ],
  [
    'the Free plan that has ended',
    ({ plan }) => Object.assign(plan, { accountPlanType: 'FREE', accountPlanStatus: 'EXPIRED' }),
    [['account plan, wrong', 'has ended', upgrade]],
  ],
  [
    'no problem in an account that is older than the plans',
    ({ responses }) => {
      responses['freetier:GetAccountPlanState'] = () => awsError(400, 'ResourceNotFoundException');
    },
    [],
  ],
  [
    'an API in whose place another service responds',
    ({ api }) => Object.assign(api, { status: 200 }),
    [['base URLs, wrong', '/dev does not respond: HTTP 200', revert]],
  ],
];

it.each(problems)('finds %s', async (_, breakIt, found) => {
  const world = await startWorld();
  breakIt(world);
  const all = await world.find();
  expect(all.map((each) => each.split(':')[0])).toEqual(found.map(([head]) => head));
  for (const [at, [, ...parts]] of found.entries()) for (const part of parts) expect(all[at]).toContain(part);
  // The log of a CI job may be public.
  expect(all.join()).not.toContain('@');
});

it('reaches the API through the proxy of the shell', async () => {
  await using proxy = await serveProxy();
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  const { outputs, find } = await startWorld();
  outputs['BaseUrl'] = 'https://api.example.com/prod';
  expect(await find()).toEqual([expect.stringContaining('/prod does not respond: ERR_PROXY_TUNNEL.')]);
  expect(proxy.asked).toEqual(['api.example.com:443']);
});

it('finds a domain that cannot be reached', async () => {
  const { outputs, find } = await startWorld();
  const stopped = await serve(() => {});
  await stopped[Symbol.asyncDispose]();
  const { host } = new URL(stopped.url);
  outputs['Settings'] = JSON.stringify({ version: '4.0.0', retainData: true, domains: [host] });
  expect(await find()).toEqual([
    `base URLs, wrong: https://${host} does not respond: ECONNREFUSED. -> See docs/deploy.md#move-to-a-domain-of-your-own.`,
  ]);
});

it('finds a token that expires soon or has expired, unless it has a successor or was issued for two weeks at most', async () => {
  const world = await startWorld();
  const issue = (name: string, age: number, expires = '90d') =>
    world.staff(['tokens', 'issue', '--name', name, '--allow', 'all', '--expires', expires], {
      now: new Date(Date.now() - age * day),
    });
  await issue('for a trial', 1, '14d');
  await issue("Ada's script", 80);
  await issue('expired', 91);
  await issue('later', 1);
  await issue('rotated', 80);
  await world.staff(['tokens', 'rotate', 'rotated'], { now: new Date() });
  const Item = { tokenHash: { S: 'x' }, name: { S: 'broken' }, listPartition: { S: 'tokens' } };
  await client.send(new PutItemCommand({ TableName: world.tables.tokens, Item }));
  const rotate = 'npx --no-install crcs tokens rotate';
  expect(await world.find()).toEqual([
    expect.stringMatching(
      /^token expiry, wrong: The token "Ada's script" expires at 20\S+Z\. -> npx --no-install crcs tokens rotate 'Ada'\\''s script' --env dev$/,
    ),
    'token expiry, wrong: The token "broken" is unreadable. -> See docs/runbook.md#unreadable-items.',
    expect.stringMatching(
      `^token expiry, note: The token "expired" expired at 20\\S+Z\\. -> ${rotate} 'expired' --env dev, or revoke the token$`,
    ),
  ]);
});

/** Lets the environment send confirmations, outside of the sandbox of SES. @returns what a test can change */
const withConfirmations = ({ outputs, responses, account }: World, perHour = 20) => {
  const set = { SendingOptions: { SendingEnabled: true } };
  const quota = { Max24HourSend: 1_000, MaxSendRate: 14, SentLast24Hours: 0 };
  Object.assign(outputs, {
    ConfirmFunction: 'confirm',
    ConfirmationSet: 'the-set',
    Settings: JSON.stringify({ version: '4.0.0', retainData: false, confirmationsPerHour: perHour }),
  });
  Object.assign(account, { ProductionAccessEnabled: true, SendQuota: quota });
  responses['ses:GetConfigurationSet'] = ({ name }) => (name === 'the-set' ? set : awsError(404, 'NotFoundException'));
  return { set, quota };
};

const resume = 'npx --no-install crcs confirmations resume --env dev';

it.each<[string, (world: World & ReturnType<typeof withConfirmations>) => unknown, readonly (readonly string[])[]]>([
  ['nothing is wrong', () => {}, []],
  [
    'they are stopped',
    ({ set }) => Object.assign(set.SendingOptions, { SendingEnabled: false }),
    [['confirmations, wrong', 'stopped', 'docs/runbook.md#confirmation-bounces', resume]],
  ],
  [
    'SES is in its sandbox',
    ({ account }) => Object.assign(account, { ProductionAccessEnabled: false }),
    [['confirmations, wrong', 'sandbox', setup]],
  ],
  [
    'a day of the cap is more than half of what SES sends in a day',
    ({ quota }) => Object.assign(quota, { Max24HourSend: 959 }),
    [['confirmations, note', '480', '959', 'confirmationsPerHour']],
  ],
  [
    'a day of the cap is half of what SES sends in a day',
    ({ quota }) => Object.assign(quota, { Max24HourSend: 960 }),
    [],
  ],
  ['SES sends any number in a day', ({ quota }) => Object.assign(quota, { Max24HourSend: -1 }), []],
  [
    'the domain of the sender has no DKIM, and no address is notified',
    ({ outputs, dkim }) => {
      delete outputs['NotifyEmail1a2b3c4d'];
      Object.assign(dkim, { Status: 'PENDING' });
    },
    [['confirmations, note', 'DKIM', 'docs/email.md#the-domain-of-the-sender']],
  ],
])('looks after confirmations: %s', async (_, change, expected) => {
  const world = await startWorld();
  change({ ...world, ...withConfirmations(world) });
  const found = await world.find();
  expect(found).toHaveLength(expected.length);
  for (const [at, [head = '', ...parts]] of expected.entries()) {
    expect(found[at]).toMatch(new RegExp(`^${head}: `));
    for (const part of parts) expect(found[at]).toContain(part);
  }
});

/** Lets the environment store files, and scan them. @returns what a test can change */
const withFiles = ({ outputs, responses }: World) => {
  outputs['FilesBucket'] = 'contactservice-dev-files';
  const blocked = {
    BlockPublicAcls: true,
    IgnorePublicAcls: true,
    BlockPublicPolicy: true,
    RestrictPublicBuckets: true,
  };
  const scan = { status: 'ACTIVE', statusReasons: [{ code: '' }] };
  const list = responses['cloudformation:ListStackResources'];
  responses['cloudformation:ListStackResources'] = (given) => {
    const { StackResourceSummaries: others } = v.parse(
      v.object({ StackResourceSummaries: v.array(v.unknown()) }),
      list?.(given),
    );
    return {
      StackResourceSummaries: [...others, resource('AWS::GuardDuty::MalwareProtectionPlan', 'FilesScan', 'plan-1')],
    };
  };
  responses['s3:GetBucketPublicAccessBlock'] = ({ name }) =>
    name === 'contactservice-dev-files'
      ? `<PublicAccessBlockConfiguration>${Object.entries(blocked)
          .map(([flag, value]) => `<${flag}>${value}</${flag}>`)
          .join('')}</PublicAccessBlockConfiguration>`
      : awsError(404, 'NoSuchBucket');
  responses['guardduty:GetMalwareProtectionPlan'] = ({ name }) =>
    name === 'plan-1' ? scan : awsError(404, 'ResourceNotFoundException');
  return { blocked, scan };
};

it.each<[string, (world: World & ReturnType<typeof withFiles>) => unknown, readonly (readonly string[])[]]>([
  ['nothing is wrong', () => {}, []],
  [
    'anyone could make the bucket public',
    ({ blocked }) => Object.assign(blocked, { BlockPublicPolicy: false }),
    [['files, wrong', 'public', revert]],
  ],
  [
    'the bucket blocks no public access at all',
    ({ responses }) => {
      responses['s3:GetBucketPublicAccessBlock'] = () => awsError(404, 'NoSuchPublicAccessBlockConfiguration');
    },
    [['files, wrong', 'public', revert]],
  ],
  [
    'the bucket is gone',
    ({ outputs }) => Object.assign(outputs, { FilesBucket: 'gone' }),
    [['files, wrong', 'missing', revert]],
  ],
  [
    'GuardDuty cannot scan',
    ({ scan }) => Object.assign(scan, { status: 'ERROR', statusReasons: [{ code: 'INSUFFICIENT_PERMISSIONS' }] }),
    [['files, wrong', 'ERROR (INSUFFICIENT_PERMISSIONS)', revert]],
  ],
  [
    'someone deleted the plan of GuardDuty',
    ({ responses }) => {
      responses['guardduty:GetMalwareProtectionPlan'] = () => awsError(404, 'ResourceNotFoundException');
    },
    [['files, wrong', 'missing', revert]],
  ],
])('looks after files: %s', async (_, change, expected) => {
  const world = await startWorld();
  change({ ...world, ...withFiles(world) });
  const found = await world.find();
  expect(found.map((each) => each.split(':')[0])).toEqual(expected.map(([head]) => head));
  for (const [at, [, ...parts]] of expected.entries()) for (const part of parts) expect(found[at]).toContain(part);
});

it('asks nothing about notifications and alarm addresses if the environment has none', async () => {
  const { doctor, outputs, responses, asked } = await startWorld();
  for (const name of Object.keys(outputs)) if (/^(Notify|DeadLetters)/.test(name)) delete outputs[name];
  responses['cloudformation:ListStackResources'] = () => ({ StackResourceSummaries: [] });
  expect(await doctor()).toMatchObject({ code: 0 });
  expect(asked.filter(([action]) => /^(logs|lambda|ses|sns):/.test(action))).toEqual([]);
});

/** The logs of a week: 27 were accepted. */
const week = [
  row({ amount: 20, status: 201 }),
  row({ amount: 7, status: 303 }),
  row({ amount: 5, status: 400 }),
  row({ amount: 1, status: 422 }),
  row({ amount: 3, status: 415 }),
  row({ amount: 2, errors: '"email invalid_email"' }),
  row({ amount: 3, errors: '"message required","email invalid_email"' }),
  row({ amount: 1, errors: '"other field idempotency_key_reused"' }),
];
const reasons = 'email invalid_email (5), HTTP 415 (3), message required (3), other field idempotency_key_reused (1)';
const forms = 'docs/troubleshooting.md#nothing-arrives';
const refused = 'Contact requests of the last 7 days that were refused: ';
const many = `That is a lot, so a form may not fit the service: see ${forms}.`;
const few = `A few are normal, because visitors correct them. If nothing arrives from a form, see ${forms}.`;

it.each([
  ['many', week, `${refused}9 of 36, 25 %. Reasons: ${reasons}.`, many],
  ['few', [row({ amount: 291, status: 201 }), ...week.slice(2)], `${refused}9 of 300, 3 %. Reasons: ${reasons}.`, few],
  [
    'hardly any',
    [row({ amount: 999, status: 201 }), row({ amount: 1, status: 403 })],
    `${refused}1 of 1000, less than 1 %. Reasons: HTTP 403 (1).`,
    few,
  ],
  [
    'an unknown share of',
    [row({ amount: 2, errors: '"email invalid_email"' })],
    `${refused}2, of an unknown number, because the access log is empty. Reasons: email invalid_email (2).`,
    many,
  ],
])('notes %s refused contact requests', async (_, results, what, remedy) => {
  const { find, queried } = await startWorld();
  queried.splice(0, 1, { status: 'Complete', results });
  expect(await find()).toEqual([`refused contact requests, note: ${what} -> ${remedy}`]);
});

it('prints findings as docs/operation.md shows them', async () => {
  const { doctor, queried, verified, account } = await startWorld();
  verified.clear();
  account.ProductionAccessEnabled = true;
  queried.splice(0, 1, { status: 'Complete', results: week.slice(0, -1) });
  const { stdout } = await doctor();
  expect(stdout).toMatch(/^wrong: .*\n.*\nnote: /);
  expect(readFileSync('docs/operation.md', 'utf8')).toContain(`\`\`\`\n${stdout}\`\`\`\n`);
});

it('counts what the function and the gateway logged of refused contact requests in the last seven days', async () => {
  const { doctor, asked } = await startWorld();
  await doctor();
  const [, query] = asked.find(([action]) => action === 'logs:StartQuery') ?? ['', {}];
  const { startTime, endTime, logGroupNames, queryString } = query;
  expect(logGroupNames).toEqual([
    expect.stringMatching(/^ContactService-dev-CreateContactLogs[0-9A-F]{8}$/),
    expect.stringMatching(/^ContactService-dev-ApiAccessLog[0-9A-F]{8}$/),
  ]);
  expect(Number(endTime) - Number(startTime)).toBe(7 * 24 * 60 * 60);
  expect(Math.abs(Number(endTime) - Date.now() / 1000)).toBeLessThan(60);
  const [, message = '', route = '', pattern = ''] =
    /^filter message = "([^"]+)" or \(route in \["([^"]+)"\] and ispresent\(latency\)\)\n\| parse @message \/(.+)\/\n\| stats count\(\*\) as amount by errors, status$/.exec(
      String(queryString),
    ) ?? [];

  await startForms().post({ email: 'ada', company: 'x'.repeat(201) });
  const refusal = logText()
    .split('\n')
    .find((line) => line.includes(`"message":"${message}"`));
  expect(new RegExp(pattern).exec(String(refusal))?.groups).toEqual({
    errors: '"email invalid_email","company too_long"',
  });

  const { Format } = propertiesOfOnly(template, 'AWS::ApiGateway::Stage')['AccessLogSetting'];
  expect(JSON.parse(Format)).toMatchObject({
    route: '$context.httpMethod $context.resourcePath',
    latency: '$context.responseLatency',
    status: '$context.status',
  });
  expect(route).toBe('POST /api/v1/contact');
});

it('waits for the query of the logs, but not for ever', async () => {
  const { find, queried, asked } = await startWorld();
  queried.splice(0, 1, { status: 'Scheduled', results: [] }, { status: 'Running', results: week.slice(0, 1) });
  queried.push({ status: 'Complete', results: week });
  expect(await find()).toHaveLength(1);
  queried.splice(0, 1, { status: 'Running', results: week });
  asked.length = 0;
  expect(await find()).toEqual([
    'refused contact requests, note: The query of the logs for refused contact requests takes too long. -> Run the doctor again.',
  ]);
  expect(asked.filter(([action]) => action === 'logs:GetQueryResults')).toHaveLength(30);
});

it('says that a check failed if CloudWatch ends the query of the logs', async () => {
  const { find, queried } = await startWorld();
  queried.splice(0, 1, { status: 'Failed', results: [] });
  expect(await find()).toEqual([
    'refused contact requests, wrong: The check of refused contact requests failed: Failed: CloudWatch ended the query of the logs with the status Failed. -> Run the doctor again.',
  ]);
});

it('stops at Ctrl-C while it waits for the query of the logs', async () => {
  const { run } = await startWorld();
  const stopped = new AbortController();
  const wait = async (_: number, signal: AbortSignal) => {
    stopped.abort();
    signal.throwIfAborted();
  };
  expect(await run(['doctor'], { signal: stopped.signal, wait })).toEqual({
    code: 130,
    stdout: '',
    stderr: 'Stopped before the end.\n',
  });
});

it('needs the permissions of docs/doctor-policy.json, and no others', async () => {
  const world = await startWorld();
  withConfirmations(world);
  withFiles(world);
  const needed = await actionsDuring(world, () => world.find());
  const allowed = statementsIn('docs/doctor-policy.json').flatMap(({ Action }) => Action);
  expect(allowed.toSorted()).toEqual(needed);
});

it('names a missing permission', async () => {
  const world = await startWorld();
  world.responses['ses:GetAccount'] = () => denied('ses:GetAccount');
  expect(await world.find()).toEqual([
    expect.stringMatching(
      /^email addresses, wrong: The check of email addresses failed: these AWS credentials lack ses:GetAccount\. -> For the permissions that the doctor needs, see docs\/operation\.md#look-after-it\.$/,
    ),
  ]);
});

it('says that a check failed if AWS does not respond', async () => {
  const world = await startWorld();
  world.responses['ses:GetAccount'] = () => 'hang up';
  expect(await world.find()).toEqual([
    expect.stringMatching(
      /^email addresses, wrong: The check of email addresses failed: .+ -> Run the doctor again\.$/,
    ),
  ]);
});

import { readFileSync } from 'node:fs';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { notifySettings } from '../../functions/notify/notify.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import { awsError } from '../support/fake-aws.ts';
import { startRelay } from '../support/relay.ts';
import { serve } from '../support/server.ts';
import { client } from '../support/tables.ts';
import { denied, startDeployed } from './deployed.ts';

const day = 24 * 60 * 60 * 1000;

const topic = 'arn:aws:sns:eu-central-1:123456789012:alarms';

const report = v.object({ findings: v.array(v.record(v.string(), v.string())) });

/** A resource, as CloudFormation lists it. */
const resource = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
  ResourceType,
  LogicalResourceId,
  PhysicalResourceId,
});

/** A deployed environment without a fault. */
const startWorld = async () => {
  const deployed = await startDeployed(['Email1a2b3c4d', 'Webhook5e6f7a8b']);
  const { answers, run } = deployed;
  /** The address of the sender is covered by its domain. */
  const verified = new Set(['office@example.com', 'example.com']);
  const suppressed = new Set<string>();
  const account = { SendingEnabled: true, EnforcementStatus: 'HEALTHY', ProductionAccessEnabled: false };
  const subscriptions = [`${topic}:one`, `${topic}:two`];
  const resources = [
    resource('AWS::SNS::Topic', 'AlarmsTopicA0A1A2A3', topic),
    resource('AWS::SNS::Subscription', 'AlarmsTopicOneA0A1A2A3', `${topic}:one`),
    resource('AWS::SNS::Subscription', 'AlarmsTopicTwoA0A1A2A3', `${topic}:two`),
  ];
  Object.assign(answers, {
    'cloudformation:ListStackResources': () => ({ StackResourceSummaries: resources }),
    'sns:ListSubscriptionsByTopic': () => ({
      Subscriptions: subscriptions.map((SubscriptionArn, at) => ({ SubscriptionArn, Endpoint: `${at}@example.com` })),
    }),
    'lambda:GetFunctionConfiguration': () => ({
      Environment: {
        Variables: toVariables(notifySettings, {
          environment: 'dev',
          mailFrom: 'contact@mail.example.com',
          targets: {
            Email1a2b3c4d: { kind: 'email', to: 'office@example.com' },
            Webhook5e6f7a8b: { kind: 'webhook', url: 'https://crm.example.com/hooks', secret: 'arn:one' },
          },
        }),
      },
    }),
    'ses:GetAccount': () => account,
    'ses:GetEmailIdentity': ({ name }: Readonly<Record<string, unknown>>) =>
      String(name).includes('@') || verified.has(String(name))
        ? { VerifiedForSendingStatus: verified.has(String(name)) }
        : awsError(404, 'NotFoundException'),
    'ses:GetSuppressedDestination': ({ name }: Readonly<Record<string, unknown>>) =>
      suppressed.has(String(name))
        ? { SuppressedDestination: { EmailAddress: name, Reason: 'BOUNCE', LastUpdateTime: 0 } }
        : awsError(404, 'NotFoundException'),
  });
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  return {
    ...deployed,
    verified,
    suppressed,
    account,
    subscriptions,
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

const paused = JSON.stringify({ version: '3.0.0', retainData: true, notificationsPaused: true });

type World = Awaited<ReturnType<typeof startWorld>>;

it('prints one line if nothing is wrong', async () => {
  const { doctor } = await startWorld();
  expect(await doctor()).toEqual({ code: 0, stdout: 'No faults found in 5 checks.\n', stderr: '' });
});

it('prints what is wrong before notes, each with its remedy, and exits with 1', async () => {
  const { doctor, outputs, subscriptions } = await startWorld();
  outputs['Settings'] = paused;
  const note = 'note: Notifications are paused.\n  See docs/notifications.md#paused.\n';
  expect(await doctor()).toEqual({ code: 0, stdout: `No faults found in 5 checks.\n${note}`, stderr: '' });
  subscriptions[1] = 'PendingConfirmation';
  expect(await doctor()).toEqual({
    code: 1,
    stdout: expect.stringMatching(`^wrong: .*\n {2}.*\n${note}$`),
    stderr: 'Found 1 fault.\n',
  });
});

const setup = 'docs/deploy.md#email-addresses-and-the-ses-sandbox';
const shows = 'To see the address: npx crcs notifications test --env dev';
const list = `aws sns list-subscriptions-by-topic --topic-arn ${topic} --region eu-central-1`;
const revert = 'npx cdk deploy ContactService-dev --revert-drift';

const faults: readonly (readonly [fault: string, breakIt: (world: World) => unknown, found: readonly string[]])[] = [
  [
    'an unconfirmed alarm address',
    ({ subscriptions }) => subscriptions.splice(0, 1, 'PendingConfirmation'),
    [
      `alarm addresses, wrong: Addresses in alarmEmails that get no alarms, because they are unconfirmed: 1. -> Click the link in the email "AWS Notification - Subscription Confirmation". To see the addresses: ${list}`,
    ],
  ],
  [
    'an alarm address that unsubscribed',
    ({ subscriptions }) => subscriptions.pop(),
    [
      `alarm addresses, wrong: Addresses in alarmEmails that get no alarms, because they unsubscribed: 1. -> ${revert}. To see the remaining addresses: ${list}`,
    ],
  ],
  [
    'stopped mails',
    ({ account }) => Object.assign(account, { SendingEnabled: false }),
    [
      'email addresses, wrong: Amazon has stopped the emails of this account. -> https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html',
    ],
  ],
  [
    'unverified addresses in the sandbox',
    ({ verified }) => verified.clear(),
    [
      `email addresses, wrong: The sender, notifications.from, is unverified: no email is sent. -> Click the link in the email from SES: see ${setup}.`,
      `email addresses, wrong: The address of Email1a2b3c4d is unverified, and SES is in its sandbox: the address gets no email. -> Click the link in the email from SES, or leave the sandbox: see ${setup}. ${shows}`,
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
    'a suppressed address',
    ({ suppressed }) => suppressed.add('office@example.com'),
    [
      `email addresses, wrong: The address of Email1a2b3c4d is on the suppression list of SES: the address gets no email. -> See docs/runbook.md#mail-bounces. ${shows}`,
    ],
  ],
  [
    'an API that another service answers',
    ({ api }) => Object.assign(api, { status: 200 }),
    [`base URLs, wrong: <url>/dev does not answer: HTTP 200, not this service. -> ${revert}`],
  ],
];

it.each(faults)('finds %s', async (_, breakIt, found) => {
  const world = await startWorld();
  breakIt(world);
  const all = await world.find();
  expect(all).toEqual(found.map((each) => each.replace('<url>', world.url)));
  // The log of a CI job may be public.
  expect(all.join()).not.toContain('@');
});

it('finds a domain that cannot be reached', async () => {
  const { outputs, find } = await startWorld();
  const stopped = await serve(() => {});
  await stopped[Symbol.asyncDispose]();
  const { host } = new URL(stopped.url);
  outputs['Settings'] = JSON.stringify({ version: '3.0.0', retainData: true, domains: [host] });
  expect(await find()).toEqual([
    `base URLs, wrong: https://${host} does not answer: ECONNREFUSED. -> See docs/operation.md#move-to-a-domain-of-your-own.`,
  ]);
});

it('finds a token that expires soon or has expired, unless it has a successor', async () => {
  const world = await startWorld();
  const issue = (name: string, age: number) =>
    world.staff(['tokens', 'issue', '--name', name, '--allow', 'all', '--expires', '90d'], {
      now: new Date(Date.now() - age * day),
    });
  await issue("Ada's script", 80);
  await issue('expired', 91);
  await issue('later', 1);
  await issue('rotated', 80);
  await world.staff(['tokens', 'rotate', 'rotated'], { now: new Date() });
  const Item = { tokenHash: { S: 'x' }, name: { S: 'broken' }, listPartition: { S: 'tokens' } };
  await client.send(new PutItemCommand({ TableName: world.tables.tokens, Item }));
  const rotate = 'npx crcs tokens rotate';
  expect(await world.find()).toEqual([
    expect.stringMatching(
      /^token expiry, wrong: The token "Ada's script" expires at 20\S+Z\. -> npx crcs tokens rotate 'Ada'\\''s script' --env dev$/,
    ),
    'token expiry, wrong: The token "broken" is unreadable. -> See docs/runbook.md#unreadable-items.',
    expect.stringMatching(
      `^token expiry, note: The token "expired" expired at 20\\S+Z\\. -> ${rotate} 'expired' --env dev, or revoke the token$`,
    ),
  ]);
});

it('asks nothing about notifications and alarm addresses if the environment has none', async () => {
  const { doctor, outputs, answers, asked } = await startWorld();
  for (const name of Object.keys(outputs)) if (/^(Notify|DeadLetters)/.test(name)) delete outputs[name];
  answers['cloudformation:ListStackResources'] = () => ({ StackResourceSummaries: [] });
  expect(await doctor()).toMatchObject({ code: 0 });
  expect(asked.filter(([action]) => !action.startsWith('cloudformation:'))).toEqual([]);
});

const policy = v.parse(
  v.strictObject({
    Version: v.literal('2012-10-17'),
    Statement: v.array(
      v.strictObject({
        Sid: v.string(),
        Effect: v.literal('Allow'),
        Action: v.array(v.string()),
        Resource: v.array(v.string()),
      }),
    ),
  }),
  JSON.parse(readFileSync('docs/doctor-policy.json', 'utf8')),
);

it('needs the permissions of docs/doctor-policy.json, and no others', async () => {
  const world = await startWorld();
  await using relay = await startRelay({
    before: async (operation) => void world.asked.push([`dynamodb:${operation}`, {}]),
  });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', relay.url);
  await world.find();
  const needed = [...new Set(world.asked.map(([action]) => action))].toSorted();
  expect(policy.Statement.flatMap(({ Action }) => Action).toSorted()).toEqual(needed);
});

it('names a missing permission', async () => {
  const world = await startWorld();
  world.answers['ses:GetAccount'] = () => denied('ses:GetAccount');
  expect(await world.find()).toEqual([
    expect.stringMatching(
      /^email addresses, wrong: The check of email addresses failed: these AWS credentials lack ses:GetAccount\. -> For the permissions that the doctor needs, see docs\/operation\.md#look-after-it\.$/,
    ),
  ]);
});

it('says that a check failed if AWS does not answer', async () => {
  const world = await startWorld();
  world.answers['ses:GetAccount'] = () => 'hang up';
  expect(await world.find()).toEqual([
    expect.stringMatching(
      /^email addresses, wrong: The check of email addresses failed: .+ -> Run the doctor again\.$/,
    ),
  ]);
});

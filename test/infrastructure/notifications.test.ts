import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { contactsTable } from '../../functions/contacts/table.ts';
import { fanOutVariables, notifyVariables } from '../../functions/notify/targets.ts';
import { createApp } from '../../lib/infrastructure/app.ts';
import { notificationHandlers } from '../../lib/infrastructure/endpoints.ts';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import {
  bare,
  fakeBundles,
  full,
  propertiesOfOnly,
  type Resources,
  resourcesOf,
  synthesize,
  temporaryFolder,
  textOf,
} from './synthesize.ts';

const notifying = (notifications: EnvironmentInput['notifications']) => ({ ...bare, notifications });

const from = 'contact@example.com';
const [mail, otherMail] = ['a@example.com', 'b@example.com'];
const hook = { url: 'https://hooks.example.com/contact' };
const slack = { format: 'slack', secret: 'slack-url' } as const;

const four = { from, emails: [mail, otherMail], webhooks: [hook, slack] };

const template = synthesize({
  bare,
  four: notifying(four),
  paused: notifying({ ...four, paused: true }),
  itself: notifying({ from, emails: [from] }),
  webhooks: notifying({ webhooks: [hook, slack] }),
  known: notifying({ from: 'contact@forms.example.com', emails: [mail], existingIdentities: true }),
  most: {
    ...full,
    notifications: {
      from,
      emails: Array.from({ length: 14 }, (_, at) => `a${at}@example.com`),
      webhooks: Array.from({ length: 6 }, (_, at) => ({ url: `https://hooks.example.com/${at}` })),
    },
  },
});

const all = (environment: string, type: string) => resourcesOf(template(environment), type);

const propertiesOf = (environment: string, type: string, id: string): Resources[string] =>
  all(environment, type)[id]?.['Properties'] ?? expect.fail(`There is no ${id}`);

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const mailName = `Email${digest(mail)}`;
const otherMailName = `Email${digest(otherMail)}`;
const hookName = `Webhook${digest(hook.url)}`;
const slackName = `Slack${digest(slack.secret)}`;
const names = [mailName, otherMailName, hookName, slackName];

const mapping = (environment: string, id: string) =>
  propertiesOf(environment, 'AWS::Lambda::EventSourceMapping', `Notifications${id}`);

const variablesOf = (environment: string, id: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(propertiesOf(environment, 'AWS::Lambda::Function', id)['Environment'].Variables).map(
      ([name, value]) => [name, textOf(value)],
    ),
  );

test('without targets, an environment has no resource of notifications', () => {
  for (const type of ['SQS::Queue', 'SecretsManager::Secret', 'SES::EmailIdentity', 'SES::ConfigurationSet']) {
    expect(all('bare', `AWS::${type}`)).toEqual({});
  }
  expect(all('bare', 'AWS::Lambda::EventSourceMapping')).toEqual({});
});

test('uploads the bundles of notifications only if there are targets', () => {
  const uploads = (environment: EnvironmentInput) => {
    const { directory } = createApp({ x: environment }, fakeBundles(), { outdir: temporaryFolder() }).synth();
    const code = readdirSync(directory)
      .filter((name) => name.startsWith('asset.'))
      .map((name) => readFileSync(join(directory, name, 'index.mjs'), 'utf8'));
    return code.filter((text) => notificationHandlers.some((name) => text.includes(`'${name}'`))).length;
  };
  expect(uploads(bare)).toBe(0);
  expect(uploads(notifying(four))).toBe(2);
});

test('fan-out reads the stream from its beginning, retries for a day, and then sends failures to a queue', () => {
  const { EventSourceArn, FunctionName, DestinationConfig, FilterCriteria, ...others } = mapping('four', 'Stream');
  expect(textOf(EventSourceArn)).toBe('TablesContacts.StreamArn');
  expect(textOf(FunctionName)).toBe('NotificationsFanOut');
  expect(textOf(DestinationConfig.OnFailure.Destination)).toBe('NotificationsFanOutFailures.Arn');
  expect(FilterCriteria.Filters).toHaveLength(1);
  expect(others).toEqual({
    Enabled: true,
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 10,
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumRecordAgeInSeconds: 24 * 60 * 60,
    MaximumRetryAttempts: -1,
  });
});

/** Whether an event matches a pattern of lists of values. */
const matches = (pattern: unknown, event: unknown): boolean => {
  if (Array.isArray(pattern)) return pattern.includes(event);
  return Object.entries(Object(pattern)).every(([key, part]) => matches(part, Object(event)[key]));
};

test.each([
  ['INSERT', false, true],
  // It replaced an expired one, or was released from spam.
  ['MODIFY', false, true],
  ['REMOVE', false, false],
  ['INSERT', true, false],
])('fan-out gets %s of spam %s: %s', (eventName, spam, passes) => {
  const [{ Pattern }] = mapping('four', 'Stream')['FilterCriteria'].Filters;
  const NewImage = { listPartition: { S: contactsTable.listPartitions[spam ? 'spam' : 'inbox'] } };
  const event = { eventName, dynamodb: { ...(eventName !== 'REMOVE' && { NewImage }) } };
  expect(matches(JSON.parse(Pattern), event)).toBe(passes);
});

test('functions with mappings wait for their policies', () => {
  const policies = Object.entries(template('four').findResources('AWS::Lambda::Function'))
    .filter(([id]) => id.startsWith('Notifications'))
    .map(([, { DependsOn }]) => DependsOn);
  expect(policies).toHaveLength(2);
  for (const dependencies of policies)
    expect(dependencies).toContainEqual(expect.stringMatching(/^Notifications\w+RoleDefaultPolicy/));
});

test('paused disables the mapping of the stream and removes its alarm', () => {
  // Other ids contain the name of the environment.
  const idsOf = (environment: string) =>
    Object.keys(template(environment).toJSON()['Resources']).filter((id) => /^(Notifications|Alarms)/.test(id));
  const missing = idsOf('four').filter((id) => !idsOf('paused').includes(id));
  expect(missing).toEqual([expect.stringMatching(/^Alarmsfanoutidle/)]);
  expect(mapping('paused', 'Stream')).toEqual({ ...mapping('four', 'Stream'), Enabled: false });
  const { Settings } = template('paused').findOutputs('Settings');
  expect(JSON.parse(Settings?.['Value'])).toMatchObject({ notificationsPaused: true });
});

test('each target has a queue, which retries every minute and a half for a day, then dead-letters', () => {
  const queues = Object.entries(all('four', 'AWS::SQS::Queue'));
  const last = { SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 24 * 60 * 60 };
  expect(Object.fromEntries(queues.map(([id, { Properties }]) => [id, Properties]))).toEqual({
    NotificationsDeadLetters: last,
    NotificationsFanOutFailures: last,
    ...Object.fromEntries(
      names.map((name) => [
        `Notifications${name}Queue`,
        {
          ...last,
          VisibilityTimeout: 90,
          RedrivePolicy: { deadLetterTargetArn: expect.anything(), maxReceiveCount: 960 },
        },
      ]),
    ),
  });
  for (const name of names) {
    const { RedrivePolicy } = propertiesOf('four', 'AWS::SQS::Queue', `Notifications${name}Queue`);
    expect(textOf(RedrivePolicy.deadLetterTargetArn)).toBe('NotificationsDeadLetters.Arn');
  }
});

test('notify receives one message per invocation, with two invocations per queue', () => {
  for (const name of names) {
    const { EventSourceArn, FunctionName, ...others } = mapping('four', `${name}Messages`);
    expect([EventSourceArn, FunctionName].map(textOf)).toEqual([
      `Notifications${name}Queue.Arn`,
      'NotificationsNotify',
    ]);
    expect(others).toEqual({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  }
});

test('the functions get the variables that they parse', () => {
  const { ENVIRONMENT, QUEUES } = v.parse(v.strictObject(fanOutVariables), variablesOf('four', 'NotificationsFanOut'));
  expect(ENVIRONMENT).toBe('four');
  expect(QUEUES).toEqual(Object.fromEntries(names.map((name) => [name, `Notifications${name}Queue`])));

  const { CONTACTS_TABLE, ...variables } = variablesOf('four', 'NotificationsNotify');
  expect(CONTACTS_TABLE).toBe('TablesContacts');
  expect(v.parse(v.strictObject(notifyVariables), variables)).toEqual({
    ENVIRONMENT: 'four',
    MAIL_FROM: from,
    CONFIGURATION_SET: 'NotificationsMailConfigurationSet',
    TARGETS: {
      [mailName]: { kind: 'email', to: mail },
      [otherMailName]: { kind: 'email', to: otherMail },
      [hookName]: { kind: 'webhook', url: hook.url, secret: `Notifications${hookName}Secret` },
      [slackName]: { kind: 'slack', secret: slack.secret },
    },
  });
});

test('a webhook has its own secret: 44 letters and digits, which are 33 bytes in base64', () => {
  const secrets = Object.entries(all('four', 'AWS::SecretsManager::Secret')).map(([id, { Properties }]) => [
    id,
    Properties.GenerateSecretString,
  ]);
  expect(secrets).toEqual([[`Notifications${hookName}Secret`, { PasswordLength: 44, ExcludePunctuation: true }]]);
});

const identitiesOf = (environment: string) =>
  Object.values(all(environment, 'AWS::SES::EmailIdentity')).map(({ Properties }) => Properties.EmailIdentity);

test.each([
  ['four', [from, mail, otherMail]],
  ['itself', [from]],
  ['known', []],
  ['webhooks', []],
])('%s: SES verifies the identities %j', (environment, identities) => {
  expect(identitiesOf(environment)).toEqual(identities);
});

test('a configuration set publishes bounces, complaints and rejects to CloudWatch, without addresses', () => {
  const { ConfigurationSetName, EventDestination } = propertiesOfOnly(
    template('four'),
    'AWS::SES::ConfigurationSetEventDestination',
  );
  expect(textOf(ConfigurationSetName)).toBe('NotificationsMailConfigurationSet');
  expect(EventDestination).toEqual({
    Enabled: true,
    MatchingEventTypes: ['bounce', 'complaint', 'reject'],
    CloudWatchDestination: {
      DimensionConfigurations: [
        { DimensionName: 'Environment', DimensionValueSource: 'messageTag', DefaultDimensionValue: 'four' },
      ],
    },
  });
  expect(all('webhooks', 'AWS::SES::ConfigurationSet')).toEqual({});
});

test('reordering targets changes nothing; removing one removes only its own resources', () => {
  const resourcesWith = (notifications: EnvironmentInput['notifications']): Resources =>
    synthesize({ x: notifying(notifications) })('x').toJSON()['Resources'];
  const whole = resourcesWith(four);
  const queuesOf = (resources: Resources) =>
    Object.entries(resources).filter(([, { Type }]) =>
      ['AWS::SQS::Queue', 'AWS::SecretsManager::Secret'].includes(Type),
    );
  const reordered = resourcesWith({ from, emails: [otherMail, mail], webhooks: [slack, hook] });
  expect(Object.fromEntries(queuesOf(reordered))).toEqual(Object.fromEntries(queuesOf(whole)));

  const fewer = resourcesWith({ from, emails: [otherMail], webhooks: [hook] });
  expect(whole).toMatchObject(Object.fromEntries(queuesOf(fewer)));
  const gone = Object.keys(whole).filter((id) => !(id in fewer));
  const ofTwo = new RegExp(`${mailName}|${slackName}|Identity${digest(mail)}`);
  expect(gone.filter((id) => !ofTwo.test(id))).toEqual([]);
});

test('outputs describe the targets to the staff command', () => {
  const outputs = template('four').findOutputs('*');
  const said = (id: string) => textOf(outputs[id]?.['Value']);
  const target = (name: string, kind: string, address: string) => ({
    ...{ name, kind, address },
    queue: `Notifications${name}Queue`,
  });
  expect(names.map((name) => JSON.parse(said(`Notify${name}`)))).toEqual([
    target(mailName, 'email', mail),
    target(otherMailName, 'email', otherMail),
    { ...target(hookName, 'webhook', hook.url), secret: `Notifications${hookName}Secret` },
    target(slackName, 'slack', 'secret slack-url'),
  ]);
  expect(['NotifyFunction', 'DeadLetters', 'FanOutFailures'].map(said)).toEqual([
    'NotificationsNotify',
    'NotificationsDeadLetters',
    'NotificationsFanOutFailures',
  ]);
});

test('outputs, which a deployment prints, show only words of a URL', () => {
  const shown = {
    'https://crm.example.com/': 'https://crm.example.com',
    'https://crm.example.com:8443/api/v1/contact-requests': 'https://crm.example.com:8443/api/v1/contact-requests',
    'https://crm.example.com/hooks/contact?key=4711': 'https://crm.example.com/hooks/contact/…',
    'https://hooks.zapier.com/hooks/catch/12345/abcde/': 'https://hooks.zapier.com/hooks/catch/…',
  };
  const webhooks = Object.keys(shown).map((url) => ({ url }));
  const outputs = synthesize({ x: notifying({ webhooks }) })('x').findOutputs('*');
  const addresses = Object.entries(outputs).flatMap(([id, { Value }]) =>
    id.startsWith('NotifyWebhook') ? [JSON.parse(textOf(Value)).address] : [],
  );
  expect(addresses.toSorted()).toEqual(Object.values(shown).toSorted());
});

test.each([
  [2, 0],
  [3, 1],
])('%i targets raise %i warnings about the concurrency of a new account', (targets, warnings) => {
  const webhooks = Array.from({ length: targets }, (_, at) => ({ url: `https://hooks.example.com/${at}` }));
  const app = createApp({ x: notifying({ webhooks }) }, fakeBundles(), { outdir: temporaryFolder() });
  const stack = v.parse(v.instance(Stack), app.node.findChild(stackName('x')));
  const asks = Match.stringLikeRegexp('request-service-quota-increase');
  expect(Annotations.fromStack(stack).findWarning('*', asks)).toHaveLength(warnings);
});

test('refuses webhooks whose URLs do not fit into the variables of a function', () => {
  const webhooks = [0, 1, 2].map((at) => ({ url: `https://hooks.example.com/${at}`.padEnd(2_000, 'x') }));
  expect(() => synthesize({ x: notifying({ webhooks }) })('x')).toThrow(
    /^ContactService-x: the variables of the function notify have [\d,]+ bytes, and Lambda accepts 4,096: /,
  );
});

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
test('twenty targets fit into a stack', () => {
  const { Resources: resources, Outputs: outputs } = template('most').toJSON();
  expect(Object.keys(resources).length).toBeLessThanOrEqual(500);
  expect(Object.keys(outputs).length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(template('most').toJSON()).length).toBeLessThan(1_000_000);
});

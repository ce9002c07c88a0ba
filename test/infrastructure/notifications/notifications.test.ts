import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { listPartition } from '../../../functions/contacts/place.ts';
import { notifyVariables } from '../../../functions/notify/notify-variables.ts';
import { createApp } from '../../../lib/infrastructure/app.ts';
import { notifyHandler } from '../../../lib/infrastructure/handlers.ts';
import type { EnvironmentInput } from '../../../lib/infrastructure/settings.ts';
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
} from '../synthesize.ts';

const telling = (notifications: EnvironmentInput['notifications']) => ({ ...bare, notifications });

const from = 'contact@example.com';
const mail = 'a@example.com';
const otherMail = 'b@example.com';
const hook = { url: 'https://hooks.example.com/contact' };
const slack = { url: 'https://chat.example.com/T0/B0', format: 'slack' } as const;

const longest = (at: number) => `https://hooks.example.com/${at}`.padEnd(2_000, 'x');

const template = synthesize({
  bare,
  full,
  four: telling({ from, emails: [mail, otherMail], webhooks: [hook, slack] }),
  itself: telling({ from, emails: [from] }),
  webhooks: telling({ webhooks: [hook, slack] }),
  known: telling({ from: 'contact@forms.example.com', emails: [mail], existingIdentities: true }),
  most: {
    ...full,
    notifications: {
      from,
      emails: Array.from({ length: 10 }, (_, at) => `a${at}@example.com`),
      webhooks: Array.from({ length: 10 }, (_, at) => ({ url: longest(at) })),
    },
  },
});

const all = (environment: string, type: string) => resourcesOf(template(environment), type);

const one = (environment: string, type: string) => propertiesOfOnly(template(environment), type);

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const mailName = `Email${digest(mail)}`;
const otherMailName = `Email${digest(otherMail)}`;
const hookName = `Webhook${digest(`standard ${hook.url}`)}`;
const slackName = `Webhook${digest(`slack ${slack.url}`)}`;

/** What is said of each target's resource of a type, by its name. */
const byTarget = <Said>(environment: string, type: string, say: (properties: Resources[string], id: string) => Said) =>
  Object.fromEntries(
    Object.entries(all(environment, type)).flatMap(([id, resource]) => {
      const [, name] = /^Notifications((?:Email|Webhook)[0-9a-f]{8})/.exec(id) ?? [];
      return name === undefined ? [] : [[name, say(resource['Properties'], id)]];
    }),
  );

/** The same for each target of `four`. */
const forEach = <Said>(say: (name: string) => Said) =>
  Object.fromEntries([mailName, otherMailName, hookName, slackName].map((name) => [name, say(name)]));

test('nobody is told unless the environment names a target: no part of it is there', () => {
  const types = ['Pipes::Pipe', 'SNS::Topic', 'SQS::Queue', 'SecretsManager::Secret', 'SES::EmailIdentity'];
  for (const type of [...types, 'Lambda::EventSourceMapping']) expect(all('bare', `AWS::${type}`)).toEqual({});
});

test('a stack that tells nobody uploads no bundle that tells, one that does uploads it once', () => {
  const uploads = (environment: EnvironmentInput) => {
    const { directory } = createApp({ x: environment }, fakeBundles(), { outdir: temporaryFolder() }).synth();
    const code = readdirSync(directory)
      .filter((name) => name.startsWith('asset.'))
      .map((name) => readFileSync(join(directory, name, 'index.mjs'), 'utf8'));
    return code.filter((text) => text.includes(notifyHandler)).length;
  };
  expect(uploads(bare)).toBe(0);
  expect(uploads(telling({ from, emails: [mail], webhooks: [hook, slack] }))).toBe(1);
});

test('a pipe leads from the stream to a topic, each record as it is', () => {
  const { RoleArn, Source, SourceParameters, Target, ...others } = one('four', 'AWS::Pipes::Pipe');
  expect([Source, Target, RoleArn].map(textOf)).toEqual([
    'TablesContacts.StreamArn',
    'NotificationsTopic',
    'NotificationsPipeRole.Arn',
  ]);
  // No input template and no enrichment.
  expect(others).toEqual({});
  const { DeadLetterConfig, ...parameters } = SourceParameters.DynamoDBStreamParameters;
  expect(parameters).toEqual({
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 1,
    ParallelizationFactor: 10,
    MaximumRecordAgeInSeconds: 24 * 60 * 60,
    MaximumRetryAttempts: -1,
  });
  expect(textOf(DeadLetterConfig.Arn)).toBe('NotificationsDeadLetters.Arn');
});

test('paused, only the pipe is not there, with its role and its alarm: nothing of anybody is destroyed', () => {
  const settings = { from, emails: [mail], webhooks: [hook, slack] };
  const gone = stackTelling(settings);
  for (const id of Object.keys(stackTelling({ ...settings, paused: true }))) delete gone[id];
  expect(Object.keys(gone).map((id) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual([
    'NotificationsPipeRole',
    'NotificationsPipe',
    'Alarmsnotificationpipe',
  ]);
  expect(stackTelling(settings)).toMatchObject(stackTelling({ ...settings, paused: true }));
});

test('a stack says that it is paused, for the staff command', () => {
  const said = synthesize({ x: telling({ webhooks: [hook], paused: true }) })('x').findOutputs('Settings');
  expect(JSON.parse(said['Settings']?.['Value'])).toMatchObject({ notificationsPaused: true });
});

test('no stack has an input template', () => {
  for (const environment of ['bare', 'full', 'four']) {
    expect(JSON.stringify(template(environment).toJSON())).not.toMatch(/input_?template|inputpath/i);
  }
});

/** Whether an event matches a pattern, as far as this one goes: lists of values and of prefixes. */
const matches = (pattern: unknown, event: unknown): boolean => {
  if (Array.isArray(pattern)) {
    return pattern.some((choice) =>
      typeof choice === 'object' ? typeof event === 'string' && event.startsWith(choice.prefix) : choice === event,
    );
  }
  return Object.entries(Object(pattern)).every(([key, part]) => matches(part, Object(event)[key]));
};

test.each([
  ['INSERT', false, true],
  // One that took the place of an expired one, or that was released.
  ['MODIFY', false, true],
  ['REMOVE', false, false],
  ['INSERT', true, false],
])('%s, spam %s: told %s', (eventName, spam, told) => {
  const [{ Pattern }] = one('four', 'AWS::Pipes::Pipe')['SourceParameters'].FilterCriteria.Filters;
  const NewImage = { listPartition: { S: listPartition(randomUUID(), spam, 3) } };
  expect(matches(JSON.parse(Pattern), { eventName, dynamodb: { ...(eventName !== 'REMOVE' && { NewImage }) } })).toBe(
    told,
  );
});

test('the topic takes each record to a queue of each target, as it is', () => {
  const subscribed = byTarget('four', 'AWS::SNS::Subscription', ({ Endpoint, TopicArn, ...others }) => [
    textOf(TopicArn),
    textOf(Endpoint),
    others,
  ]);
  expect(subscribed).toEqual(
    forEach((name) => [
      'NotificationsTopic',
      `Notifications${name}Queue.Arn`,
      { Protocol: 'sqs', RawMessageDelivery: true },
    ]),
  );
});

test('the pipe is made after every subscription: what is published before reaches nobody', () => {
  const [pipe] = Object.values(all('four', 'AWS::Pipes::Pipe'));
  const subscriptions = Object.keys(template('four').findResources('AWS::SNS::Subscription'));
  expect(subscriptions).toHaveLength(4);
  expect(pipe?.['DependsOn']).toEqual(expect.arrayContaining(subscriptions));
});

test('a queue keeps a record for two weeks, hides it for six times as long as its function runs', () => {
  const queues = byTarget('four', 'AWS::SQS::Queue', ({ RedrivePolicy, ...others }) => ({
    ...others,
    redrive: [textOf(RedrivePolicy.deadLetterTargetArn), RedrivePolicy.maxReceiveCount],
  }));
  expect(queues).toEqual(
    forEach(() => ({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 24 * 60 * 60,
      VisibilityTimeout: 6 * 30,
      redrive: ['NotificationsDeadLetters.Arn', 50],
    })),
  );
  expect(all('four', 'AWS::SQS::Queue')['NotificationsDeadLetters']?.['Properties']).toEqual({
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 14 * 24 * 60 * 60,
  });
});

test('contact requests are encrypted on their way; topic and queues take TLS only, a queue from this topic only', () => {
  expect(textOf(one('four', 'AWS::SNS::Topic')['KmsMasterKeyId'])).toMatch(/alias\/aws\/sns$/);
  const deniesPlainText = (actions: string) =>
    expect.objectContaining({
      Effect: 'Deny',
      Action: actions,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  expect(one('four', 'AWS::SNS::TopicPolicy')['PolicyDocument'].Statement).toEqual([deniesPlainText('sns:Publish')]);
  const { NotificationsDeadLettersPolicy, ...ofTargets } = all('four', 'AWS::SQS::QueuePolicy');
  expect(NotificationsDeadLettersPolicy?.['Properties'].PolicyDocument.Statement).toEqual([deniesPlainText('sqs:*')]);
  expect(Object.keys(ofTargets)).toHaveLength(4);
  for (const { Properties } of Object.values(ofTargets)) {
    const [queue] = Properties.Queues.map(textOf);
    const [deny, allow, ...others] = Properties.PolicyDocument.Statement;
    expect(deny).toEqual(deniesPlainText('sqs:*'));
    expect({ ...allow, Resource: textOf(allow.Resource) }).toEqual({
      Effect: 'Allow',
      Action: 'sqs:SendMessage',
      Resource: `${queue}.Arn`,
      Principal: { Service: 'sns.amazonaws.com' },
      Condition: { ArnEquals: { 'aws:SourceArn': { Ref: expect.stringMatching(/^NotificationsTopic/) } } },
    });
    expect(others).toEqual([]);
  }
});

test('Lambda takes one record at a time from each queue, two at once, to the function of its target', () => {
  const mappings = byTarget(
    'four',
    'AWS::Lambda::EventSourceMapping',
    ({ EventSourceArn, FunctionName, ...others }) => [textOf(EventSourceArn), textOf(FunctionName), others],
  );
  expect(mappings).toEqual(
    forEach((name) => [
      `Notifications${name}Queue.Arn`,
      `Notifications${name}Function`,
      {
        BatchSize: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      },
    ]),
  );
});

const functionsOf = (environment: string) =>
  byTarget(environment, 'AWS::Lambda::Function', ({ Timeout, Environment: { Variables } }) => {
    const variables: [string, string][] = Object.entries(Variables).map(([name, value]) => [name, textOf(value)]);
    const { CONTACTS_TABLE, ...others } = Object.fromEntries(variables);
    return { Timeout, CONTACTS_TABLE, ...v.parse(v.strictObject(notifyVariables), others) };
  });

test('a function has 30 seconds, and is told of its target and its queue, as it reads them', () => {
  const common = (name: string) => ({
    Timeout: 30,
    CONTACTS_TABLE: 'TablesContacts',
    ENVIRONMENT: 'four',
    TARGET_NAME: name,
    QUEUE_URL: `Notifications${name}Queue`,
    DEAD_LETTERS_URL: 'NotificationsDeadLetters',
  });
  expect(functionsOf('four')).toEqual({
    [mailName]: { ...common(mailName), TARGET: { kind: 'email', from, to: mail } },
    [otherMailName]: { ...common(otherMailName), TARGET: { kind: 'email', from, to: otherMail } },
    [hookName]: {
      ...common(hookName),
      TARGET: { kind: 'standard', url: hook.url, secretArn: `Notifications${hookName}Secret` },
    },
    [slackName]: { ...common(slackName), TARGET: { kind: 'slack', url: slack.url } },
  });
});

test('a standard webhook has a secret of its own: 44 letters and digits, which are 33 bytes in base64', () => {
  const secrets = byTarget('four', 'AWS::SecretsManager::Secret', ({ GenerateSecretString }) => GenerateSecretString);
  expect(secrets).toEqual({ [hookName]: { PasswordLength: 44, ExcludePunctuation: true } });
});

const identitiesOf = (environment: string) =>
  Object.values(all(environment, 'AWS::SES::EmailIdentity')).map(({ Properties }) => Properties);

test('each address that mails come from and go to is made known to SES, once', () => {
  expect(identitiesOf('four')).toEqual([from, mail, otherMail].map((EmailIdentity) => ({ EmailIdentity })));
  expect(identitiesOf('itself')).toEqual([{ EmailIdentity: from }]);
});

test.each(['known', 'webhooks'])('%s: no address is made known to SES', (environment) => {
  expect(identitiesOf(environment)).toEqual([]);
});

/** What a function may mail, and by which resources of SES. */
const mailingOf = (environment: string) =>
  byTarget(environment, 'AWS::IAM::Policy', ({ PolicyDocument: { Statement } }) =>
    Statement.filter(({ Action }: Resources[string]) => Action === 'ses:SendEmail').map(
      ({ Resource, Condition }: Resources[string]) => ({
        by: Resource.map((arn: unknown) =>
          textOf(arn).replace('arn:AWS::Partition:ses:AWS::Region:AWS::AccountId:', ''),
        ),
        from: Condition.StringEquals['ses:FromAddress'],
        to: Condition['ForAllValues:StringEquals']['ses:Recipients'],
      }),
    ),
  );

test('a function is allowed to mail from one address to one', () => {
  const mailing = (to: string) => [
    { by: [to, from, 'example.com'].map((identity) => `identity/${identity}`), from, to },
  ];
  expect(mailingOf('four')).toEqual({
    [mailName]: mailing(mail),
    [otherMailName]: mailing(otherMail),
    [hookName]: [],
    [slackName]: [],
  });
});

test('by identities that others made it mails also where they are domains above, and have a configuration set', () => {
  expect(mailingOf('known')).toEqual({
    [mailName]: [
      {
        by: [
          'configuration-set/*',
          'identity/a@example.com',
          'identity/contact@forms.example.com',
          'identity/example.com',
          'identity/forms.example.com',
        ],
        from: 'contact@forms.example.com',
        to: mail,
      },
    ],
  });
});

/** What a stack of that name has, by its logical id: all but the dashboard, which shows the targets in their order. */
const stackTelling = (notifications: EnvironmentInput['notifications']): Record<string, unknown> => {
  const all: Resources = synthesize({ x: telling(notifications) })('x').toJSON()['Resources'];
  return Object.fromEntries(Object.entries(all).filter(([, { Type }]) => Type !== 'AWS::CloudWatch::Dashboard'));
};

test('another order of the targets changes nothing; one less takes its own parts away, and changes no other', () => {
  const four = stackTelling({ from, emails: [mail, otherMail], webhooks: [hook, slack] });
  expect(stackTelling({ from, emails: [otherMail, mail], webhooks: [slack, hook] })).toEqual(four);

  const fewer = stackTelling({ from, emails: [otherMail], webhooks: [hook] });
  // Only in what order it is made.
  const { NotificationsPipe6FD2DCCE: pipe, ...others } = fewer;
  expect(pipe).toMatchObject({ Type: 'AWS::Pipes::Pipe' });
  expect(four).toMatchObject(others);
  const gone = Object.keys(four).filter((id) => !(id in fewer));
  const ofTwo = new RegExp(`${mailName}|${slackName}|^NotificationsIdentity${digest(mail)}`);
  expect(gone.filter((id) => !ofTwo.test(id))).toEqual([]);
  // For each a queue and its policy, a subscription, a function with its log, role and policy, a mapping, three alarms; and an identity.
  expect(gone).toHaveLength(2 * 11 + 1);
});

const output = v.pipe(v.string(), v.parseJson());

const outputsOf = (environment: string) =>
  Object.fromEntries(
    Object.entries(template(environment).findOutputs('*')).flatMap(([id, { Value }]) =>
      id.startsWith('Notify') ? [[id, textOf(Value)]] : [],
    ),
  );

test('an output for each target says what the staff command has to know', () => {
  const of = (name: string, kind: string, address: string) => ({
    name,
    kind,
    address,
    function: `Notifications${name}Function`,
    queue: `Notifications${name}Queue`,
  });
  const said = Object.entries(outputsOf('four')).map(([id, value]) => [id, v.parse(output, value)]);
  expect(Object.fromEntries(said)).toEqual({
    [`Notify${mailName}`]: of(mailName, 'email', mail),
    [`Notify${otherMailName}`]: of(otherMailName, 'email', otherMail),
    [`Notify${hookName}`]: { ...of(hookName, 'standard', hook.url), secret: `Notifications${hookName}Secret` },
    [`Notify${slackName}`]: of(slackName, 'slack', 'https://chat.example.com/…'),
  });
  expect(textOf(template('four').findOutputs('DeadLetters')['DeadLetters']?.['Value'])).toBe(
    'NotificationsDeadLetters',
  );
});

test('of a URL an output, which a deployment prints, has words alone', () => {
  const shown = {
    'https://crm.example.com/': 'https://crm.example.com',
    'https://crm.example.com:8443/api/v1/contact-requests': 'https://crm.example.com:8443/api/v1/contact-requests',
    'https://crm.example.com/hooks/contact?key=4711': 'https://crm.example.com/hooks/contact/…',
    'https://hooks.zapier.com/hooks/catch/12345/abcde/': 'https://hooks.zapier.com/hooks/catch/…',
    'https://hooks.slack.com/services/T024BE7LD/B0/xoxSecretxox': 'https://hooks.slack.com/services/…',
  };
  const webhooks = Object.keys(shown).map((url) => ({ url, format: 'slack' as const }));
  const outputs = synthesize({ x: telling({ webhooks }) })('x').findOutputs('*');
  const said = Object.entries(outputs).filter(([id]) => id.startsWith('Notify'));
  const addresses = said.map(
    ([, { Value }]) => v.parse(v.pipe(output, v.object({ address: v.string() })), textOf(Value)).address,
  );
  expect(addresses.toSorted()).toEqual(Object.values(shown).toSorted());
});

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
test('the most that an environment can have fits into a stack, and what a function is told into its variables', () => {
  const { Resources: resources, Outputs: outputs } = template('most').toJSON();
  expect(Object.keys(resources).length).toBeLessThanOrEqual(500);
  expect(Object.keys(outputs).length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(template('most').toJSON()).length).toBeLessThan(1_000_000);
  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html, and names that CloudFormation makes up.
  const sizes = byTarget('most', 'AWS::Lambda::Function', ({ Environment: { Variables } }) => {
    const told = Object.entries(Variables).map(([name, value]) => `${name}${textOf(value)}`);
    return told.join('').length + told.length * 100;
  });
  expect(Math.max(...Object.values(sizes))).toBeLessThan(4096);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import {
  bare,
  domainOfFull,
  full,
  propertiesOfOnly,
  type Resources,
  resourcesOf,
  synthesize,
  targetsOfFull,
  textOf,
} from './synthesize.ts';

const template = synthesize({ bare, full });

/** The properties of the alarms, by their name without the stack's. */
const alarmsOf = (environment: string): Resources =>
  Object.fromEntries(
    Object.values(resourcesOf(template(environment), 'AWS::CloudWatch::Alarm')).map(({ Properties }) => [
      Properties.AlarmName.replace(`ContactService-${environment}-`, ''),
      Properties,
    ]),
  );

const alarm = (name: string): Resources[string] => alarmsOf('full')[name] ?? expect.fail(`There is no alarm ${name}`);

/** `<namespace> <name> <statistic> of <dimensions>` */
const metricIn = ({ Namespace, MetricName, Dimensions, Stat }: Resources[string], Statistic: string): string => {
  const dimensions = Dimensions.map(({ Name, Value }: Resources[string]) => `${Name}=${textOf(Value)}`);
  return `${Namespace} ${MetricName} ${Stat ?? Statistic} of ${dimensions.join(', ')}`;
};

/** An alarm's condition, with the metrics in an expression put in place of their ids. */
const conditionOf = (name: string): string => {
  const { ComparisonOperator, Metrics, Threshold, ...simple } = alarm(name);
  const operator = ComparisonOperator === 'LessThanThreshold' ? '<' : '>=';
  if (!Metrics)
    return `${metricIn(simple, simple['Statistic'] ?? simple['ExtendedStatistic'])} ${operator} ${Threshold}`;
  const [{ Expression }, ...metrics] = Metrics;
  const written = metrics.reduce(
    (text: string, { Id, MetricStat: { Metric, Stat } }: Resources[string]) =>
      text.replaceAll(Id, `[${metricIn(Metric, Stat)}]`),
    Expression,
  );
  return `${written} ${operator} ${Threshold}`;
};

const [mail] = targetsOfFull;
const target = mail.replace('Notifications', '');
const received = '[ContactService ContactsReceived Sum of Environment=full]';
const waitingIn = (queue: string) =>
  `[AWS/SQS ApproximateNumberOfMessagesVisible Maximum of QueueName=${queue}.QueueName]`;

// An alarm with a wrong metric or dimension is silent for ever.
test.each([
  ['api-5xx', 'AWS/ApiGateway 5XXError Sum of ApiName=contact-service-full, Stage=ApiRestApiDeploymentStagefull >= 1'],
  ['requests-refused', 'ContactService RequestsRefused Sum of Environment=full >= 10'],
  [
    'contacts-flood',
    'AWS/DynamoDB SuccessfulRequestLatency SampleCount of Operation=PutItem, TableName=TablesContacts >= 2000',
  ],
  ['contacts-all-spam', 'ContactService ContactsReceived Sum of Environment=full < 1'],
  ['captcha-skipped', 'ContactService CaptchaSkipped Sum of Environment=full >= 3'],
  ['contacts-silence', `FILL(${received}, 0) < 1`],
  [
    'web-acl-blocks',
    'AWS/WAFV2 BlockedRequests Sum of Region=eu-central-1, Rule=ALL, WebACL=ContactService-full >= 100',
  ],
  [
    'certificate-expiry-ContactExampleCom',
    `AWS/CertificateManager DaysToExpiry Minimum of CertificateArn=${domainOfFull.certificateArn} < 30`,
  ],
  ['function-errors-FanOut', 'AWS/Lambda Errors Sum of FunctionName=NotificationsFanOut >= 1'],
  ['fan-out-behind', 'AWS/Lambda IteratorAge Maximum of FunctionName=NotificationsFanOut >= 900000'],
  [
    'fan-out-idle',
    `IF(FILL([AWS/Lambda Invocations Sum of FunctionName=NotificationsFanOut], 0) == 0, FILL(${received}, 0), 0) >= 1`,
  ],
  ['fan-out-failures', `DIFF(FILL(${waitingIn('NotificationsFanOutFailures')}, 0)) >= 1`],
  ['notification-dead-letters', `DIFF(FILL(${waitingIn('NotificationsDeadLetters')}, 0)) >= 1`],
  [
    `notification-backlog-${target}`,
    `AWS/SQS ApproximateNumberOfMessagesVisible Minimum of QueueName=${mail}Queue.QueueName >= 1`,
  ],
  [
    `notification-retries-${target}`,
    `ContactService NotificationsFailed Sum of Environment=full, Target=${target} >= 1`,
  ],
  ['mail-bounces', 'AWS/SES Bounce Sum of Environment=full >= 1'],
])('%s fires if %s', (name, condition) => {
  expect(conditionOf(name)).toBe(condition);
});

// An arrival is seen in one period alone: two would never be.
test.each([
  ['api-5xx', 1, 1],
  ['fan-out-failures', 1, 3],
  ['notification-dead-letters', 1, 3],
  [`notification-backlog-${target}`, 3, 3],
  [`notification-retries-${target}`, 2, 3],
])('%s fires after %i of %i periods', (name, periods, of) => {
  expect(alarm(name)).toMatchObject({ DatapointsToAlarm: periods, EvaluationPeriods: of });
});

test.each([
  ['contacts-flood', /\bhour\b/, 1],
  ['web-acl-blocks', /\bhour\b/, 1],
  ['contacts-all-spam', /\b24 hours\b/, 24],
  ['captcha-skipped', /\b24 hours\b/, 24],
])('%s counts as many hours as its description says', (name, words, hours) => {
  const { AlarmDescription, Period } = alarm(name);
  expect([AlarmDescription, Period]).toEqual([expect.stringMatching(words), hours * 3_600]);
});

test.each<[defence: string, spam: EnvironmentInput['spam'], alarms: string[]]>([
  ['requireTrap', { requireTrap: true }, ['contacts-all-spam']],
  ['proofOfWork', { proofOfWork: 'mark' }, ['contacts-all-spam']],
  ['captcha', { captcha: full.spam.captcha }, ['contacts-all-spam', 'captcha-skipped']],
  ['traps alone', { traps: ['fax'] }, []],
])('an environment with %s has the alarms of its defences, and counts for them', (_, spam, alarms) => {
  const text = JSON.stringify(synthesize({ x: { ...bare, spam } })('x').toJSON());
  const present = ['contacts-all-spam', 'captcha-skipped'].filter((name) => text.includes(`ContactService-x-${name}`));
  expect(present).toEqual(alarms);
  expect(text.includes('"COUNTS_RECEIVED":"true"')).toBe(alarms.length > 0);
});

test('a day without any contact request is no alarm of spam', () => {
  expect(alarm('contacts-all-spam')).toMatchObject({ TreatMissingData: 'notBreaching', EvaluationPeriods: 1 });
});

test('the web ACL publishes metrics under the name that its alarm reads', () => {
  const { VisibilityConfig } = propertiesOfOnly(template('full'), 'AWS::WAFv2::WebACL');
  expect(VisibilityConfig.MetricName).toBe('ContactService-full');
});

test('the access log counts refused and throttled requests', () => {
  const filters = Object.values(resourcesOf(template('full'), 'AWS::Logs::MetricFilter')).map(({ Properties }) => {
    expect(textOf(Properties.LogGroupName)).toBe('ApiAccessLog');
    const [{ MetricNamespace, MetricName, MetricValue, Dimensions }] = Properties.MetricTransformations;
    expect([MetricNamespace, MetricValue]).toEqual(['ContactService', '1']);
    expect(Dimensions).toEqual([{ Key: 'Environment', Value: '$.environment' }]);
    return [MetricName, Properties.FilterPattern];
  });
  expect(Object.fromEntries(filters)).toEqual({
    RequestsRefused: '{ ($.status = "403") && ($.error != "WAF_FILTERED") }',
    RequestsThrottled: '{ $.error = "THROTTLED" }',
  });
});

test('no contact request for as many hours as are set is an alarm, also if none was ever counted', () => {
  expect(alarm('contacts-silence')).toMatchObject({
    TreatMissingData: 'breaching',
    EvaluationPeriods: full.silenceAlarm,
    DatapointsToAlarm: full.silenceAlarm,
  });
  expect(alarm('contacts-silence')['Metrics'][1].MetricStat.Period).toBe(3_600);
});

// A week, or a day with periods below an hour: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
test('CloudWatch looks back as far as each alarm needs, also for a week of silence', () => {
  for (const [name, { EvaluationPeriods, Period = 3_600 }] of Object.entries(alarmsOf('full'))) {
    expect(EvaluationPeriods * Period, name).toBeLessThanOrEqual(Period < 3_600 ? 86_400 : 604_800);
  }
});

test('fan-out-idle compares whole hours of the clock, so that no window parts a contact request from its invocation', () => {
  const { EvaluationWindow, Metrics } = alarm('fan-out-idle');
  expect(EvaluationWindow).toEqual({ WallClockWindow: {} });
  const periods = Metrics.flatMap(({ MetricStat }: Resources[string]) => MetricStat?.Period ?? []);
  expect(periods).toEqual([3_600, 3_600]);
});

test('an alarm of a target names it', () => {
  const descriptions = Object.entries(alarmsOf('full')).flatMap(([name, { AlarmDescription }]) =>
    name.startsWith('notification-retries') ? [AlarmDescription] : [],
  );
  expect(descriptions).toEqual(
    ['email to sales@example.com', 'webhook at hooks.example.com', 'Slack by the secret slack-url'].map((label) =>
      expect.stringContaining(`: ${label}. `),
    ),
  );
});

test('the runbook has a section for each alarm and no other, and lists them in this order', () => {
  const runbook = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
  const [, index = '', chapter = ''] =
    /\n## When an alarm email arrives\n(.*?)\n## .*\n## Alarms\n(.*)/s.exec(runbook) ?? [];
  const sections = [...chapter.matchAll(/^### (.*)$/gm)].map(([, name]) => name);
  expect([...index.matchAll(/\]\(#(\S+)\)/g)].map(([, name]) => name)).toEqual(sections);
  const named = Object.values(alarmsOf('full')).map(
    ({ AlarmDescription }) => / What to do: https:\/\/wiki\.example\.com\/runbook#(\S+)$/.exec(AlarmDescription)?.[1],
  );
  expect(sections.toSorted()).toEqual([...new Set(named)].toSorted());
});

test('without runbookUrl, alarms name the heading in docs/runbook.md', () => {
  const { AlarmDescription } = alarmsOf('bare')['api-5xx'] ?? expect.fail('There is no such alarm');
  expect(AlarmDescription).toMatch(/ What to do: see "api-5xx" in docs\/runbook\.md\.$/);
});

test('every alarm mails the addresses when it begins', () => {
  for (const { AlarmActions, OKActions } of Object.values(alarmsOf('full'))) {
    expect(AlarmActions.map(textOf)).toEqual(['AlarmsTopic']);
    expect(OKActions).toBeUndefined();
  }
  const { TopicArn, Protocol, Endpoint } = propertiesOfOnly(template('full'), 'AWS::SNS::Subscription');
  expect([textOf(TopicArn), Protocol, Endpoint]).toEqual(['AlarmsTopic', 'email', 'operations@example.com']);
});

test('CloudWatch can publish to the topic of the alarms, over TLS', () => {
  expect(propertiesOfOnly(template('full'), 'AWS::SNS::TopicPolicy')['PolicyDocument'].Statement).toEqual([
    expect.objectContaining({
      Effect: 'Deny',
      Action: 'sns:Publish',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
    expect.objectContaining({
      Effect: 'Allow',
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  ]);
  // CloudWatch cannot use SNS's own key.
  expect(propertiesOfOnly(template('full'), 'AWS::SNS::Topic')).not.toHaveProperty('KmsMasterKeyId');
});

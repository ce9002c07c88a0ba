import { expect, test } from 'vitest';
import { attemptTimeout } from '../../functions/shared/dynamodb.ts';
import { alarmNames } from '../../lib/infrastructure/alarms.ts';
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

test('api-latency-p99 begins where two attempts at the store time out', () => {
  expect(alarm('api-latency-p99')['Threshold']).toBe(2 * attemptTimeout);
});

// An alarm with a wrong metric or dimension is silent for ever. Those that the CDK writes are not here.
test.each([
  [
    'contacts-flood',
    'AWS/DynamoDB SuccessfulRequestLatency SampleCount of Operation=PutItem, TableName=TablesContacts >= 2000',
  ],
  ['contacts-write-units', 'AWS/DynamoDB ConsumedWriteCapacityUnits Sum of TableName=TablesContacts >= 40000'],
  ['contacts-all-spam', 'ContactService ContactsReceived Sum of Environment=full < 1'],
  ['contacts-silence', `FILL(${received}, 0) < 1`],
  [
    'web-acl-blocks',
    'AWS/WAFV2 BlockedRequests Sum of Region=eu-central-1, Rule=ALL, WebACL=ContactService-full >= 100',
  ],
  [
    'certificate-expiry-ContactExampleCom',
    `AWS/CertificateManager DaysToExpiry Minimum of CertificateArn=${domainOfFull.certificateArn} < 30`,
  ],
  ['fan-out-behind', 'AWS/Lambda IteratorAge Maximum of FunctionName=NotificationsFanOut >= 900000'],
  [
    'fan-out-idle',
    `IF(FILL([AWS/Lambda Invocations Sum of FunctionName=NotificationsFanOut], 0) == 0, FILL(${received}, 0), 0) >= 1`,
  ],
  [
    'fan-out-failures',
    'DIFF(FILL([AWS/SQS ApproximateNumberOfMessagesVisible Maximum of QueueName=NotificationsFanOutFailures.QueueName], 0)) >= 1',
  ],
  [
    `notification-retries-${target}`,
    `ContactService NotificationsFailed Sum of Environment=full, Target=${target} >= 1`,
  ],
  ['mail-bounces', 'AWS/SES Bounce Sum of Environment=full >= 1'],
  ...(['bounces', 'complaints'] as const).map((name): [string, string] => {
    const [event, share] = name === 'bounces' ? ['Bounce', 0.02] : ['Complaint', 0.0005];
    const sum = (metric: string) => `FILL([AWS/SES ${metric} Sum of Confirmations=full], 0)`;
    return [`confirmation-${name}`, `IF(${sum(event)} >= 5 AND ${sum(event)} >= ${share} * ${sum('Send')}, 1, 0) >= 1`];
  }),
  ['confirmation-cap', 'ContactService ConfirmationsSkipped Sum of Environment=full, Reason=cap >= 1'],
])('%s fires if %s', (name, condition) => {
  expect(conditionOf(name)).toBe(condition);
});

test('one arrival in a queue that nothing empties is an alarm, although only one period sees it', () => {
  const ofArrivals = Object.values(alarmsOf('full')).filter(({ Metrics = [] }) =>
    Metrics[0]?.Expression.includes('DIFF('),
  );
  expect(ofArrivals.map(({ DatapointsToAlarm }) => DatapointsToAlarm)).toEqual([1, 1]);
});

test('an alarm counts as many hours as its description says', () => {
  const hours = Object.entries(alarmsOf('full')).flatMap(([name, { AlarmDescription, Period, Metrics = [] }]) => {
    const [, words] = /\bin (?:the last )?(an|\d+) hours?\b/i.exec(AlarmDescription) ?? [];
    return words === undefined
      ? []
      : [[name, words === 'an' ? 1 : Number(words), (Period ?? Metrics.at(-1)?.MetricStat.Period) / 3_600]];
  });
  expect(hours.length).toBeGreaterThan(3);
  for (const [name, described, counted] of hours) expect(counted, String(name)).toBe(described);
});

const { captcha } = full.spam;
const webhooks = [{ url: 'https://hooks.example.com/contact' }];

test.each<[settings: string, input: Partial<EnvironmentInput>, alarms: string[]]>([
  ['requireTrap', { spam: { requireTrap: true } }, ['contacts-all-spam']],
  ['proofOfWork', { spam: { proofOfWork: 'mark' } }, ['contacts-all-spam']],
  ['captcha', { spam: { captcha } }, ['contacts-all-spam', 'captcha-skipped']],
  ['senders', { spam: { senders: ['@example.net'] } }, ['contacts-all-spam']],
  ['links', { spam: { links: 3 } }, ['contacts-all-spam']],
  ['words', { spam: { words: ['casino'] } }, ['contacts-all-spam']],
  ['traps alone', { spam: { traps: ['fax'] } }, []],
  ['silenceAlarm', { silenceAlarm: 2 }, ['contacts-silence']],
  ['notifications', { notifications: { webhooks } }, ['fan-out-idle']],
])('an environment with %s has the alarms that it needs, and counts contact requests for them', (_, input, alarms) => {
  const text = JSON.stringify(synthesize({ x: { ...bare, ...input } })('x').toJSON());
  const possible = ['contacts-silence', 'contacts-all-spam', 'fan-out-idle', 'captcha-skipped'];
  expect(possible.filter((name) => text.includes(`ContactService-x-${name}`))).toEqual(alarms);
  expect(text.includes('"COUNTS_RECEIVED":"true"')).toBe(alarms.length > 0);
});

test('a day without any contact request is no alarm of spam', () => {
  expect(alarm('contacts-all-spam')).toMatchObject({ TreatMissingData: 'notBreaching', EvaluationPeriods: 1 });
});

test('the web ACL publishes metrics under the name that its alarm reads', () => {
  const { VisibilityConfig } = propertiesOfOnly(template('full'), 'AWS::WAFv2::WebACL');
  expect(VisibilityConfig.MetricName).toBe('ContactService-full');
});

test('what the access log counts for alarms, it counts from fields that it has', () => {
  const { Format } = propertiesOfOnly(template('full'), 'AWS::ApiGateway::Stage')['AccessLogSetting'];
  const logged = Object.keys(JSON.parse(Format));
  const counted = Object.values(resourcesOf(template('full'), 'AWS::Logs::MetricFilter')).map(({ Properties }) => {
    expect(textOf(Properties.LogGroupName)).toBe('ApiAccessLog');
    const [{ MetricNamespace, MetricName, Dimensions }] = Properties.MetricTransformations;
    expect(Dimensions).toEqual([{ Key: 'Environment', Value: '$.environment' }]);
    const used = [...Properties.FilterPattern.matchAll(/\$\.(\w+)/g)].map(([, field]) => field);
    expect(logged).toEqual(expect.arrayContaining(['environment', ...used]));
    return `${MetricNamespace} ${MetricName} Sum of Environment=full`;
  });
  const watched = Object.keys(alarmsOf('full')).map(conditionOf);
  for (const metric of counted) expect(watched).toContainEqual(expect.stringContaining(metric));
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
    [
      'email to sales@example.com',
      'webhook at hooks.example.com',
      'Slack by the secret slack-url',
      'confirmations to visitors',
    ].map((label) => expect.stringContaining(`: ${label}. `)),
  );
});

test('an environment with every setting has every alarm', () => {
  const present = Object.keys(alarmsOf('full'));
  expect(alarmNames.filter((name) => !present.some((alarmId) => alarmId.startsWith(name)))).toEqual([]);
});

test.each([
  ['full', 'What to do: https://wiki.example.com/runbook#<name>'],
  ['bare', 'What to do: see "<name>" in docs/runbook.md.'],
])('each alarm of %s ends by naming its section of the runbook: %s', (environment, ending) => {
  for (const [alarmId, { AlarmDescription }] of Object.entries(alarmsOf(environment))) {
    const name = alarmNames.find((each) => alarmId === each || alarmId.startsWith(`${each}-`)) ?? 'none';
    expect(AlarmDescription.replace(/.*(?=What to do)/, '')).toBe(ending.replace('<name>', name));
  }
});

test('every alarm mails the addresses when it begins', () => {
  for (const { AlarmActions, OKActions } of Object.values(alarmsOf('full'))) {
    expect(AlarmActions.map(textOf)).toContain('AlarmsTopic');
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

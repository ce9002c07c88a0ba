import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  bare,
  full,
  propertiesOfOnly,
  type Resources,
  resourcesOf,
  synthesize,
  targetsOfFull,
  textOf,
} from '../synthesize.ts';

const template = synthesize({ bare, mailed: { ...bare, alarmEmails: full.alarmEmails }, full });

const dimensionsIn = (dimensions: readonly Record<string, unknown>[]) =>
  dimensions.map(({ Name, Value }) => `${Name}=${textOf(Value)}`).join(' ');

/** An alarm as one line of a table: metric, its dimensions, its statistic, when it goes off. */
const describe = (alarm: Resources[string]) => {
  const { Namespace, MetricName, Dimensions, Statistic, ExtendedStatistic, Threshold, Metrics } = alarm['Properties'];
  const { DatapointsToAlarm, EvaluationPeriods, Period, ComparisonOperator, TreatMissingData } = alarm['Properties'];
  expect(ComparisonOperator).toBe('GreaterThanOrEqualToThreshold');
  expect(TreatMissingData).toBe('notBreaching');
  if (Metrics) {
    const terms = Metrics.map(({ Id, Expression, MetricStat }: Resources[string]) => {
      if (Expression) return Expression;
      const { Metric, Stat, Period } = MetricStat;
      return `${Id}: ${Metric.Namespace} ${Metric.MetricName} ${dimensionsIn(Metric.Dimensions)}, ${Stat} of ${Period} s`;
    });
    return [...terms, `>= ${Threshold}`, `${DatapointsToAlarm} of ${EvaluationPeriods}`];
  }
  return [
    `${Namespace} ${MetricName}`,
    dimensionsIn(Dimensions),
    `${Statistic ?? ExtendedStatistic} >= ${Threshold}`,
    `${DatapointsToAlarm} of ${EvaluationPeriods} x ${Period} s`,
  ];
};

/** The alarms, by their name without the stack's. */
const alarmsOf = (environment: string): Resources =>
  Object.fromEntries(
    Object.values(resourcesOf(template(environment), 'AWS::CloudWatch::Alarm')).map((alarm) => [
      alarm['Properties'].AlarmName.replace(`ContactService-${environment}-`, ''),
      alarm,
    ]),
  );

const once = '1 of 1 x 300 s';
const again = '2 of 3 x 300 s';

const alarms = (environment: string, contactsAnHour = 500) => {
  const stage = `ApiName=contact-service-${environment} Stage=ApiRestApiDeploymentStage${environment}`;
  const ofService = `Environment=${environment}`;
  return {
    'api-5xx': ['AWS/ApiGateway 5XXError', stage, 'Sum >= 1', once],
    'api-latency-p99': ['AWS/ApiGateway Latency', stage, 'p99 >= 3000', again],
    'requests-throttled': ['ContactService RequestsThrottled', ofService, 'Sum >= 10', once],
    'requests-refused': ['ContactService RequestsRefused', ofService, 'Sum >= 10', '1 of 1 x 3600 s'],
    'contacts-flood': [
      'AWS/DynamoDB SuccessfulRequestLatency',
      'Operation=PutItem TableName=TablesContacts',
      `SampleCount >= ${contactsAnHour}`,
      '1 of 1 x 3600 s',
    ],
    'unreadable-items': ['ContactService UnreadableItems', ofService, 'Sum >= 1', once],
  };
};

const ofWebAcl = {
  'web-acl-blocks': [
    'AWS/WAFV2 BlockedRequests',
    'Region=eu-central-1 Rule=ALL WebACL=ContactService-full',
    'Sum >= 100',
    '1 of 1 x 3600 s',
  ],
};

const lambdaMetric = (name: string, id: string) => [`AWS/Lambda ${name}`, `FunctionName=Notifications${id}`];

const arrivals = (queue: string) => [
  'DIFF(FILL(messages, 0))',
  `messages: AWS/SQS ApproximateNumberOfMessagesVisible QueueName=Notifications${queue}.QueueName, Maximum of 300 s`,
  '>= 1',
  '1 of 3',
];

const mails = (event: string) => [`AWS/SES ${event}`, 'Environment=full', 'Sum >= 1', once];

const ofNotifications = {
  ...Object.fromEntries(
    targetsOfFull.flatMap((id) => {
      const name = id.replace('Notifications', '');
      return [
        [
          `notification-retries-${name}`,
          ['ContactService NotificationsFailed', `Environment=full Target=${name}`, 'Sum >= 1', again],
        ],
        [
          `notification-backlog-${name}`,
          [
            'AWS/SQS ApproximateNumberOfMessagesVisible',
            `QueueName=${id}Queue.QueueName`,
            'Minimum >= 1',
            '3 of 3 x 300 s',
          ],
        ],
      ];
    }),
  ),
  'function-errors-FanOut': [...lambdaMetric('Errors', 'FanOut'), 'Sum >= 1', once],
  'function-errors-Notify': [...lambdaMetric('Errors', 'Notify'), 'Sum >= 1', once],
  'fan-out-behind': [...lambdaMetric('IteratorAge', 'FanOut'), 'Maximum >= 900000', once],
  'fan-out-idle': [
    'IF(FILL(invocations, 0) == 0, FILL(received, 0), 0)',
    'received: ContactService ContactsReceived Environment=full, Sum of 1800 s',
    'invocations: AWS/Lambda Invocations FunctionName=NotificationsFanOut, Sum of 1800 s',
    '>= 1',
    '1 of 1',
  ],
  'fan-out-failures': arrivals('FanOutFailures'),
  'notification-dead-letters': arrivals('DeadLetters'),
  'mail-bounces': mails('Bounce'),
  'mail-complaints': mails('Complaint'),
  'mail-rejects': mails('Reject'),
};

test('an environment has these alarms, and no others', () => {
  const described = Object.entries(alarmsOf('bare')).map(([name, alarm]) => [name, describe(alarm)]);
  expect(Object.fromEntries(described)).toEqual(alarms('bare'));
});

test('notifications and a web ACL have alarms of their own', () => {
  const { 'contacts-silence': silence, ...others } = alarmsOf('full');
  const described = Object.entries(others).map(([name, alarm]) => [name, describe(alarm)]);
  expect(Object.fromEntries(described)).toEqual({
    ...alarms('full', full.contactsAlarm),
    ...ofWebAcl,
    ...ofNotifications,
  });
});

test('what the alarm on the web ACL looks at is what the web ACL is called', () => {
  const { VisibilityConfig } = propertiesOfOnly(template('full'), 'AWS::WAFv2::WebACL');
  expect(dimensionsIn(alarmsOf('full')['web-acl-blocks']?.['Properties'].Dimensions)).toContain(
    `WebACL=${VisibilityConfig.MetricName}`,
  );
});

test('no contact request but spam for as many hours as are set is an alarm, also where nothing was counted at all', () => {
  const { 'contacts-silence': alarm } = alarmsOf('full');
  expect(alarm?.['Properties']).toMatchObject({
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    TreatMissingData: 'breaching',
    EvaluationPeriods: full.silenceAlarm,
    DatapointsToAlarm: full.silenceAlarm,
    AlarmDescription: expect.stringContaining('No contact request but spam came for 24 hours.'),
  });
  const terms = alarm?.['Properties'].Metrics.map(({ Id, Expression, MetricStat, ReturnData }: Resources[string]) => [
    Expression ?? `${Id}: ${MetricStat.Metric.MetricName} ${dimensionsIn(MetricStat.Metric.Dimensions)}`,
    MetricStat && `${MetricStat.Stat} of ${MetricStat.Period} s`,
    ReturnData ?? true,
  ]);
  expect(terms).toEqual([
    ['FILL(received, 0)', undefined, true],
    ['received: ContactsReceived Environment=full', 'Sum of 3600 s', false],
  ]);
});

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html: a week, or with periods below
// an hour a day.
test('CloudWatch looks back as far as each alarm wants, also for a week of silence', () => {
  const longest = synthesize({ longest: { ...full, silenceAlarm: 168 } })('longest');
  for (const [id, { Properties }] of Object.entries(resourcesOf(longest, 'AWS::CloudWatch::Alarm'))) {
    const period = Properties.Period ?? 3600;
    expect(Properties.EvaluationPeriods * period, id).toBeLessThanOrEqual(period < 3600 ? 86_400 : 604_800);
  }
});

test.each(['notification-retries', 'notification-backlog'])('%s names its target in words', (alarm) => {
  const said = Object.entries(alarmsOf('full')).flatMap(([name, { Properties }]) =>
    name.startsWith(alarm) ? [Properties.AlarmDescription] : [],
  );
  expect(said).toEqual(
    ['e-mail to sales@example.com', 'webhook at hooks.example.com', 'Slack by the secret slack-url'].map((target) =>
      expect.stringContaining(`: ${target}. `),
    ),
  );
});

test('the runbook has a section for each alarm, and no other', () => {
  const runbook = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'runbook.md'), 'utf8');
  const [, chapter = ''] = /\n## Alarms\n(.*)/s.exec(runbook) ?? [];
  const sections = [...chapter.matchAll(/^### (.*)$/gm)].map(([, name]) => name);

  const names = Object.entries(alarmsOf('full')).map(([name, { Properties }]) => {
    const [, section = ''] = /docs\/runbook\.md#(\S+)$/.exec(Properties.AlarmDescription) ?? [];
    // The alarms of several resources share a section.
    expect([section, name.replace(/-[A-Z]\w*$/, '')]).toEqual([section, section]);
    return section;
  });
  expect(new Set(sections)).toEqual(new Set(names));
  expect(sections).toHaveLength(new Set(sections).size);
});

test('without an address the alarms are there all the same, and mail nobody', () => {
  for (const { Properties } of Object.values(alarmsOf('bare'))) expect(Properties.AlarmActions).toBeUndefined();
  expect(resourcesOf(template('bare'), 'AWS::SNS::Topic')).toEqual({});
});

test('every alarm is mailed to the addresses, when it begins', () => {
  for (const { Properties } of Object.values(alarmsOf('full'))) {
    expect(Properties.AlarmActions.map(textOf)).toEqual(['AlarmsTopic']);
    expect(Properties.OKActions).toBeUndefined();
  }
  const subscriptions = Object.values(resourcesOf(template('full'), 'AWS::SNS::Subscription'))
    .filter(({ Properties }) => textOf(Properties.TopicArn) === 'AlarmsTopic')
    .map(({ Properties }) => [Properties.Protocol, Properties.Endpoint]);
  expect(subscriptions).toEqual([['email', 'operations@example.com']]);
});

test('CloudWatch may publish to the topic of the alarms, over TLS', () => {
  expect(propertiesOfOnly(template('mailed'), 'AWS::SNS::TopicPolicy')['PolicyDocument'].Statement).toEqual([
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
  // With the key that SNS has of its own, CloudWatch could not.
  expect(propertiesOfOnly(template('mailed'), 'AWS::SNS::Topic')).not.toHaveProperty('KmsMasterKeyId');
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

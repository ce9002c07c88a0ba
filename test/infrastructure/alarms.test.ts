import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

const template = synthesize({ bare, mailed: { ...bare, alarmEmails: full.alarmEmails }, full });

/** The properties of the alarms, by their name without the stack's. */
const alarmsOf = (environment: string): Resources =>
  Object.fromEntries(
    Object.values(resourcesOf(template(environment), 'AWS::CloudWatch::Alarm')).map(({ Properties }) => [
      Properties.AlarmName.replace(`ContactService-${environment}-`, ''),
      Properties,
    ]),
  );

const alarm = (name: string): Resources[string] => alarmsOf('full')[name] ?? expect.fail(`There is no alarm ${name}`);

const dimensionsIn = (dimensions: readonly Record<string, unknown>[]) =>
  Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, textOf(Value)]));

test('an environment has the alarms of its settings, and of each target', () => {
  const always = [
    ...['api-5xx', 'api-latency-p99', 'contacts-flood', 'requests-refused', 'requests-throttled', 'unreadable-items'],
  ];
  expect(Object.keys(alarmsOf('bare')).toSorted()).toEqual(always);
  const targets = targetsOfFull.map((id) => id.replace('Notifications', ''));
  expect(Object.keys(alarmsOf('full')).toSorted()).toEqual(
    [
      ...always,
      ...['certificate-expiry-ContactExampleCom', 'contacts-silence', 'web-acl-blocks'],
      ...['function-errors-FanOut', 'function-errors-Notify', 'fan-out-behind', 'fan-out-idle', 'fan-out-failures'],
      ...['notification-dead-letters', 'mail-bounces', 'mail-complaints', 'mail-rejects'],
      ...targets.flatMap((target) => [`notification-retries-${target}`, `notification-backlog-${target}`]),
    ].toSorted(),
  );
});

test('an alarm looks at the metrics of its own environment and resources', () => {
  const [mail] = targetsOfFull;
  const name = mail.replace('Notifications', '');
  expect(alarm('api-5xx')).toMatchObject({ Namespace: 'AWS/ApiGateway', MetricName: '5XXError' });
  expect(dimensionsIn(alarm('api-5xx')['Dimensions'])).toEqual({
    ApiName: 'contact-service-full',
    Stage: 'ApiRestApiDeploymentStagefull',
  });
  expect(alarm(`notification-retries-${name}`)).toMatchObject({
    Namespace: 'ContactService',
    MetricName: 'NotificationsFailed',
  });
  expect(dimensionsIn(alarm(`notification-retries-${name}`)['Dimensions'])).toEqual({
    Environment: 'full',
    Target: name,
  });
  expect(dimensionsIn(alarm(`notification-backlog-${name}`)['Dimensions'])).toEqual({
    QueueName: `${mail}Queue.QueueName`,
  });
  expect(dimensionsIn(alarm('contacts-flood')['Dimensions'])).toEqual({
    Operation: 'PutItem',
    TableName: 'TablesContacts',
  });
  expect(alarm('contacts-flood')['Threshold']).toBe(full.contactsAlarm);
  const { VisibilityConfig } = propertiesOfOnly(template('full'), 'AWS::WAFv2::WebACL');
  expect(dimensionsIn(alarm('web-acl-blocks')['Dimensions'])).toMatchObject({ WebACL: VisibilityConfig.MetricName });
});

test('a certificate that expires in less than 30 days raises an alarm', () => {
  const { Dimensions, ...properties } = alarm('certificate-expiry-ContactExampleCom');
  expect(properties).toMatchObject({
    Namespace: 'AWS/CertificateManager',
    MetricName: 'DaysToExpiry',
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 30,
    TreatMissingData: 'notBreaching',
  });
  expect(dimensionsIn(Dimensions)).toEqual({ CertificateArn: domainOfFull.certificateArn });
});

test.each(['fan-out-failures', 'notification-dead-letters'])(
  '%s fires for each new message, not for old ones',
  (name) => {
    const [expression, messages] = alarm(name)['Metrics'];
    expect(expression.Expression).toBe('DIFF(FILL(messages, 0))');
    expect(messages.MetricStat.Metric.MetricName).toBe('ApproximateNumberOfMessagesVisible');
  },
);

test('fan-out-idle fires if contact requests came and fan-out was not invoked', () => {
  const [{ Expression }, ...metrics] = alarm('fan-out-idle')['Metrics'];
  expect(Expression).toBe('IF(FILL(invocations, 0) == 0, FILL(received, 0), 0)');
  const names = metrics.map(({ Id, MetricStat }: Resources[string]) => [Id, MetricStat.Metric.MetricName]);
  expect(Object.fromEntries(names)).toEqual({ received: 'ContactsReceived', invocations: 'Invocations' });
});

test('silence for as many hours as are set is an alarm, also if nothing was ever counted', () => {
  expect(alarm('contacts-silence')).toMatchObject({
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    TreatMissingData: 'breaching',
    EvaluationPeriods: full.silenceAlarm,
    DatapointsToAlarm: full.silenceAlarm,
    AlarmDescription: expect.stringContaining('No non-spam contact request came for 24 hours.'),
  });
  const [{ Expression }, { MetricStat }] = alarm('contacts-silence')['Metrics'];
  expect([Expression, MetricStat.Metric.MetricName, MetricStat.Stat, MetricStat.Period]).toEqual([
    'FILL(received, 0)',
    'ContactsReceived',
    'Sum',
    3600,
  ]);
});

// A week, or a day with periods below an hour: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
test('CloudWatch looks back as far as each alarm needs, also for a week of silence', () => {
  const longest = synthesize({ longest: { ...full, silenceAlarm: 168 } })('longest');
  for (const [id, { Properties }] of Object.entries(resourcesOf(longest, 'AWS::CloudWatch::Alarm'))) {
    const period = Properties.Period ?? 3600;
    expect(Properties.EvaluationPeriods * period, id).toBeLessThanOrEqual(period < 3600 ? 86_400 : 604_800);
  }
});

test.each(['notification-retries', 'notification-backlog'])('%s names its target', (name) => {
  const descriptions = Object.entries(alarmsOf('full')).flatMap(([id, { AlarmDescription }]) =>
    id.startsWith(name) ? [AlarmDescription] : [],
  );
  expect(descriptions).toEqual(
    ['e-mail to sales@example.com', 'webhook at hooks.example.com', 'Slack by the secret slack-url'].map((target) =>
      expect.stringContaining(`: ${target}. `),
    ),
  );
});

test('the runbook has a section for each alarm, and no other', () => {
  const runbook = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
  const [, chapter = ''] = /\n## Alarms\n(.*)/s.exec(runbook) ?? [];
  const sections = [...chapter.matchAll(/^### (.*)$/gm)].map(([, name]) => name);

  const names = Object.entries(alarmsOf('full')).map(([name, { AlarmDescription }]) => {
    const [, section = ''] = /docs\/runbook\.md#(\S+)$/.exec(AlarmDescription) ?? [];
    // The alarms of several resources share a section.
    expect([section, name.replace(/-[A-Z]\w*$/, '')]).toEqual([section, section]);
    return section;
  });
  expect(new Set(sections)).toEqual(new Set(names));
  expect(sections).toHaveLength(new Set(sections).size);
});

test('without an address the alarms mail nobody', () => {
  for (const { AlarmActions } of Object.values(alarmsOf('bare'))) expect(AlarmActions).toBeUndefined();
  expect(resourcesOf(template('bare'), 'AWS::SNS::Topic')).toEqual({});
});

test('every alarm mails the addresses when it begins', () => {
  for (const { AlarmActions, OKActions } of Object.values(alarmsOf('full'))) {
    expect(AlarmActions.map(textOf)).toEqual(['AlarmsTopic']);
    expect(OKActions).toBeUndefined();
  }
  const subscriptions = Object.values(resourcesOf(template('full'), 'AWS::SNS::Subscription')).map(({ Properties }) => [
    textOf(Properties.TopicArn),
    Properties.Protocol,
    Properties.Endpoint,
  ]);
  expect(subscriptions).toEqual([['AlarmsTopic', 'email', 'operations@example.com']]);
});

test('CloudWatch can publish to the topic of the alarms, over TLS', () => {
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
  // CloudWatch cannot use SNS's own key.
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

import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Alarm, ComparisonOperator, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { WebAcl } from '../api/web-acl.ts';
import type { Notifications, NotificationTarget } from '../notifications/notifications.ts';
import type { Environment } from '../settings.ts';
import type { Tables } from '../tables.ts';
import { blockedMetric, contactsButSpam, contactsStored, counted, period } from './metrics.ts';

/** An alarm goes off when its metric is at or above the threshold in so many of the last periods, or below it. */
interface AlarmDefinition {
  /** A metric, or one for each of several resources, by their construct ids: each gets an alarm of its own. */
  readonly metric: Metric | MathExpression | Readonly<Record<string, Metric>>;
  readonly threshold: number;
  /** It goes off below the threshold, and where there is no data at all. */
  readonly below?: true;
  /** @defaultValue one of one */
  readonly breaches?: { readonly periods: number; readonly of: number };
  /** For the mail, by the resource where there are several; docs/runbook.md says what to do. */
  readonly meaning: string | ((resource: string) => string);
}

const hour = Duration.hours(1);

const sustained = { periods: 2, of: 3 } as const;

/** Ends by itself, so that each later arrival raises the alarm again. */
const arrived = { periods: 1, of: 3 } as const;

export interface AlarmsProps {
  readonly environment: Environment;
  /** By which its metrics are told apart. */
  readonly environmentName: string;
  readonly stage: Stage;
  readonly tables: Tables;
  readonly notifications: Notifications | undefined;
  readonly webAcl: WebAcl | undefined;
}

/** New messages in a queue that nothing empties: SQS does not count those that it moves there itself. */
const arrivalsIn = (queue: Queue): MathExpression =>
  new MathExpression({
    expression: 'DIFF(FILL(messages, 0))',
    usingMetrics: { messages: queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }) },
    label: 'arrivals',
    period,
  });

const halfAnHour = Duration.minutes(30);

const ofNotifications = (notifications: Notifications, environmentName: string): Record<string, AlarmDefinition> => {
  const { targets, fanOut, notify, deadLetters, fanOutFailures, mail, paused } = notifications;
  const byTarget = (metric: (target: NotificationTarget) => Metric): Record<string, Metric> =>
    Object.fromEntries(targets.map((target) => [target.name, metric(target)]));
  const wordsOf = (name: string) => targets.find((target) => target.name === name)?.words;
  const mails = (metricName: 'Bounce' | 'Complaint' | 'Reject', meaning: string): AlarmDefinition => ({
    metric: new Metric({
      namespace: 'AWS/SES',
      metricName,
      dimensionsMap: { Environment: environmentName },
      statistic: Stats.SUM,
      period,
    }),
    threshold: 1,
    meaning,
  });
  return {
    // api-5xx covers those behind the API. Both functions report failures as partial: what counts here is a crash or a timeout.
    'function-errors': {
      metric: { FanOut: fanOut.metricErrors({ period }), Notify: notify.metricErrors({ period }) },
      threshold: 1,
      meaning: (name) => `The function ${name} of notifications crashed or timed out. AWS retries for a day.`,
    },
    // A stopped, disabled or throttled mapping raises no error, and no IteratorAge without a batch.
    ...(!paused && {
      'fan-out-idle': {
        metric: new MathExpression({
          expression: 'IF(FILL(invocations, 0) == 0, FILL(received, 0), 0)',
          usingMetrics: {
            received: counted(environmentName, 'ContactsReceived'),
            invocations: fanOut.metricInvocations({ statistic: Stats.SUM }),
          },
          label: 'contact requests while fan-out was not invoked',
          period: halfAnHour,
        }),
        threshold: 1,
        meaning:
          'Contact requests came, and the function fan-out was not invoked: nobody is notified. They are stored.',
      },
    }),
    'fan-out-behind': {
      metric: fanOut.metric('IteratorAge', { statistic: Stats.MAXIMUM, period }),
      threshold: Duration.minutes(15).toMilliseconds(),
      meaning:
        'Notifications are late by 15 minutes or more: the function fan-out fails or is too slow. AWS retries for a day.',
    },
    'fan-out-failures': {
      metric: arrivalsIn(fanOutFailures),
      threshold: 1,
      breaches: arrived,
      meaning: 'Nobody was notified of some contact requests, and AWS no longer retries. They are stored.',
    },
    // What waits for its next try is invisible; all else is taken at once, so that each queue is empty again and again.
    'notification-backlog': {
      metric: byTarget(({ queue }) =>
        queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MINIMUM, period }),
      ),
      threshold: 1,
      breaches: { periods: 3, of: 3 },
      meaning: (target) =>
        `Notifications wait in their queue, and nothing takes them: ${wordsOf(target)}. They wait for two weeks.`,
    },
    // A single failure is tried again within two minutes.
    'notification-retries': {
      metric: byTarget(({ name }) => counted(environmentName, 'NotificationsFailed', { Target: name })),
      threshold: 1,
      breaches: sustained,
      meaning: (target) => `Notifications do not arrive: ${wordsOf(target)}. SQS retries for a day.`,
    },
    'notification-dead-letters': {
      metric: arrivalsIn(deadLetters),
      threshold: 1,
      breaches: arrived,
      meaning:
        'A notification was tried for a day in vain. The contact request is stored, and "npx crcs notifications redrive" sends the notification again.',
    },
    ...(mail && {
      'mail-bounces': mails(
        'Bounce',
        'A notification mail bounced: its address does not exist, or is on the suppression list of SES.',
      ),
      'mail-complaints': mails(
        'Complaint',
        'A recipient marked a notification mail as spam. SES sends no more mails to that address.',
      ),
      'mail-rejects': mails('Reject', 'SES found a virus in a notification mail, and did not deliver it.'),
    }),
  };
};

const define = ({
  environment: { contactsAlarm, silenceAlarm },
  environmentName,
  stage,
  tables,
  notifications,
  webAcl,
}: AlarmsProps): Record<string, AlarmDefinition> => ({
  // What somebody felt, whatever the cause: a function that crashed, timed out or was not run, a token that could not be
  // checked, a store that did not answer or throttled. Which one it was the access log says.
  'api-5xx': {
    metric: stage.metricServerError({ statistic: Stats.SUM, period }),
    threshold: 1,
    meaning: 'A request failed with a 5xx answer.',
  },
  // Two attempts at the store that were given up (functions/shared/dynamodb.ts): it keeps the functions waiting.
  'api-latency-p99': {
    metric: stage.metricLatency({ statistic: Stats.percentile(99), period }),
    threshold: 3_000,
    breaches: sustained,
    meaning: 'The slowest hundredth of the requests took 3 seconds or more.',
  },
  // A single impatient client stays below; more is a flood, or a site that outgrew its rate.
  'requests-throttled': {
    metric: counted(environmentName, 'RequestsThrottled'),
    threshold: 10,
    meaning: 'The gateway refused requests with 429, since more came than the environment allows.',
  },
  // A script with a token that has ended asks on: each five minutes is a dozen an hour. A site that is not listed turns away
  // each of its visitors. Whoever looks for holes knows no path, and gets 404.
  'requests-refused': {
    metric: counted(environmentName, 'RequestsRefused').with({ period: hour }),
    threshold: 10,
    meaning:
      'At least ten requests of an hour were refused with 401 or 403: for the token that they brought, or the page that posted.',
  },
  ...(webAcl && {
    // The list of addresses with a bad name catches some each day. More is one address that the rate holds, or a rule that
    // turns visitors away.
    'web-acl-blocks': {
      metric: blockedMetric(webAcl).with({ period: hour }),
      threshold: 100,
      meaning: 'The web ACL blocked at least a hundred requests in an hour.',
    },
  }),
  // The throttle lets a slow flood pass, and a fast one is held to a rate that still costs: docs/costs.md.
  'contacts-flood': {
    metric: contactsStored(tables.contacts).with({ period: hour }),
    threshold: contactsAlarm,
    meaning: `At least ${contactsAlarm.toLocaleString('en')} contact requests were stored in an hour.`,
  },
  ...(silenceAlarm && {
    // Spam is no sign of a form that people can use.
    'contacts-silence': {
      metric: contactsButSpam(environmentName, hour),
      threshold: 1,
      below: true,
      breaches: { periods: silenceAlarm, of: silenceAlarm },
      meaning: `No contact request but spam came for ${silenceAlarm === 1 ? 'an hour' : `${silenceAlarm} hours`}.`,
    },
  }),
  // Each time that a list leaves one out: nobody sees it who does not look for it.
  'unreadable-items': {
    metric: counted(environmentName, 'UnreadableItems'),
    threshold: 1,
    meaning: 'An item of a table could not be read, and was left out of a list.',
  },
  ...(notifications && ofNotifications(notifications, environmentName)),
});

/** The environment's alarms; docs/runbook.md has a section for each definition. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const all = Object.entries(define(props)).flatMap(([name, definition]) => {
      const { metric: observed } = definition;
      const metrics = observed instanceof Metric || observed instanceof MathExpression ? { '': observed } : observed;
      const { periods, of } = definition.breaches ?? { periods: 1, of: 1 };
      return Object.entries(metrics).map(([resource, metric]) => {
        const alarmId = resource ? `${name}-${resource}` : name;
        const meaning = typeof definition.meaning === 'string' ? definition.meaning : definition.meaning(resource);
        return new Alarm(this, alarmId, {
          alarmName: `${stackName}-${alarmId}`,
          alarmDescription: `${meaning} What to do: docs/runbook.md#${name}`,
          metric,
          threshold: definition.threshold,
          comparisonOperator: definition.below
            ? ComparisonOperator.LESS_THAN_THRESHOLD
            : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
          evaluationPeriods: of,
          datapointsToAlarm: periods,
          // No requests, no faults.
          treatMissingData: definition.below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
        });
      });
    });

    const { alarmEmails } = props.environment;
    if (alarmEmails.length === 0) return;
    // Without a key of its own, since CloudWatch cannot use the one that SNS has; an alarm says nothing of a visitor.
    const topic = new Topic(this, 'Topic', { displayName: `Alarms of ${stackName}`, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    for (const email of alarmEmails) topic.addSubscription(new EmailSubscription(email));
    // No mail when an alarm ends: some end by themselves while their cause goes on.
    for (const alarm of all) alarm.addAlarmAction(new SnsAction(topic));
  }
}

import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Metric as FunctionMetric, metricNamespace } from '../../functions/shared/metrics.ts';
import type { AccessLogMetric } from './access-log.ts';
import { domainId } from './api.ts';
import type { Notifications, NotificationTarget } from './notifications.ts';
import { whatToDo } from './runbook.ts';
import { type Domain, type Environment, receivedAlarms } from './settings.ts';
import type { TableAction, Tables } from './tables.ts';
import type { WebAcl } from './web-acl.ts';

/** The period of most alarms. */
const period = Duration.minutes(5);
const hour = Duration.hours(1);

/** The sum of one of the service's own metrics. Some have a dimension `Target`. */
const serviceMetric = (
  environment: string,
  metricName: AccessLogMetric | FunctionMetric,
  dimensions: { readonly Target?: string } = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { Environment: environment, ...dimensions },
    statistic: Stats.SUM,
    period,
  });

/**
 * Stored contact requests, including spam: DynamoDB counts its writes for free.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
const storedContacts = ({ tableName }: TableV2): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'SuccessfulRequestLatency',
    dimensionsMap: { TableName: tableName, Operation: 'PutItem' satisfies TableAction },
    statistic: Stats.SAMPLE_COUNT,
    period,
  });

/** Requests that a web ACL blocked: https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html */
const blockedRequests = (webAcl: WebAcl): Metric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: webAcl.metricName, Region: Stack.of(webAcl).region, Rule: 'ALL' },
    statistic: Stats.SUM,
    period,
  });

/** New messages in a queue that nothing empties. `NumberOfMessagesSent` leaves out messages that SQS itself moves there. */
const arrivalsIn = (queue: Queue): MathExpression =>
  new MathExpression({
    expression: 'DIFF(FILL(messages, 0))',
    usingMetrics: { messages: queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }) },
    label: 'arrivals',
    period,
  });

/** Fires if the metric is at or above the threshold. */
interface AlarmDefinition {
  /** The second part of the alarm's id, if several resources have the same alarm. */
  readonly resource?: string;
  readonly metric: Metric | MathExpression;
  readonly threshold: number;
  /** Fires below the threshold instead. */
  readonly below?: true;
  /** Fires also without data. */
  readonly firesWithoutData?: true;
  /** In how many of the last periods. @defaultValue one of one */
  readonly breaches?: { readonly periods: number; readonly of: number };
  /**
   * Looks at whole hours or days of the clock. A sliding window can hold a contact request without the invocation that followed it.
   * The clock's periods are 1 or 5 minutes, an hour, a day or a week:
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
   */
  readonly byTheClock?: true;
  /** The first sentence of the alarm's email. */
  readonly meaning: string;
}

const day = Duration.days(1);

const sustained = { periods: 2, of: 3 } as const;

/** The alarm ends by itself, so that it fires again for the next arrival. */
const arrived = { periods: 1, of: 3 } as const;

interface AlarmsProps {
  readonly environment: Environment;
  readonly stage: Stage;
  readonly tables: Tables;
  readonly notifications: Notifications | undefined;
  readonly webAcl: WebAcl | undefined;
}

/** The environment's alarms. docs/runbook.md has a section for each. */
export class Alarms extends Construct {
  readonly #environment: Environment;
  readonly #alarms: Alarm[] = [];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { environment, stage, tables, notifications, webAcl } = props;
    this.#environment = environment;
    this.#addOfApi(stage, webAcl);
    this.#addOfContacts(environment, tables);
    this.#addOfReceived(environment, notifications);
    for (const domain of environment.domains) this.#addOfCertificate(domain);
    if (notifications) this.#addOfNotifications(notifications);
    if (environment.alarmEmails.length > 0) this.#mailTo(environment.alarmEmails);
  }

  /** @param name names the alarm and its section in docs/runbook.md */
  #add(name: string, { resource, metric, threshold, meaning, ...definition }: AlarmDefinition): void {
    const { below, firesWithoutData, byTheClock, breaches = { periods: 1, of: 1 } } = definition;
    const alarmId = resource ? `${name}-${resource}` : name;
    const alarm = new Alarm(this, alarmId, {
      alarmName: `${Stack.of(this).stackName}-${alarmId}`,
      alarmDescription: `${meaning} ${whatToDo(name, this.#environment)}`,
      metric,
      threshold,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: breaches.of,
      datapointsToAlarm: breaches.periods,
      treatMissingData: firesWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    // `Alarm` itself has no such property yet.
    const { defaultChild } = alarm.node;
    if (byTheClock && CfnAlarm.isCfnAlarm(defaultChild)) defaultChild.evaluationWindow = { wallClockWindow: {} };
    this.#alarms.push(alarm);
  }

  #addOfApi(stage: Stage, webAcl: WebAcl | undefined): void {
    // Whatever the cause: a crash, a timeout, a throttled function or table, a failing authorizer. The access log shows which.
    this.#add('api-5xx', {
      metric: stage.metricServerError({ statistic: Stats.SUM, period }),
      threshold: 1,
      meaning: 'A request failed with a 5xx response.',
    });
    // Two attempts at the store time out after three seconds (functions/shared/dynamodb.ts).
    this.#add('api-latency-p99', {
      metric: stage.metricLatency({ statistic: Stats.percentile(99), period }),
      threshold: 3_000,
      breaches: sustained,
      meaning: 'The slowest hundredth of the requests took 3 seconds or more.',
    });
    // One impatient client stays below. Above, it is a flood, or a site that needs a higher rate.
    this.#add('requests-throttled', {
      metric: serviceMetric(this.#environment.name, 'RequestsThrottled'),
      threshold: 10,
      meaning: 'The gateway refused requests with 429: more came than the environment allows.',
    });
    // A script with an expired token that runs every five minutes is refused a dozen times an hour; a site that is not listed,
    // for each visitor. Scanners get 404, since they do not know the paths.
    this.#add('requests-refused', {
      metric: serviceMetric(this.#environment.name, 'RequestsRefused').with({ period: hour }),
      threshold: 10,
      meaning:
        'At least ten requests in an hour were refused with 401 or 403: a wrong token, or a site that is not listed.',
    });
    if (!webAcl) return;
    // AWS's list of bad addresses blocks a few requests a day. Above, one address is at its limit, or a rule blocks visitors.
    this.#add('web-acl-blocks', {
      metric: blockedRequests(webAcl).with({ period: hour }),
      threshold: 100,
      meaning: 'The web ACL blocked at least a hundred requests in an hour.',
    });
  }

  #addOfContacts({ contactsAlarm, spam }: Environment, tables: Tables): void {
    // The throttle does not stop a slow flood, and a fast one still costs: docs/costs.md.
    this.#add('contacts-flood', {
      metric: storedContacts(tables.contacts).with({ period: hour }),
      threshold: contactsAlarm,
      meaning: `At least ${contactsAlarm.toLocaleString('en')} contact requests were stored in an hour.`,
    });
    this.#add('unreadable-items', {
      metric: serviceMetric(this.#environment.name, 'UnreadableItems'),
      threshold: 1,
      meaning: 'An item of a table could not be read, and was left out of a list.',
    });
    if (!spam.captcha) return;
    // A single one is a slow response. A site with few visitors takes a day for three.
    this.#add('captcha-skipped', {
      metric: serviceMetric(this.#environment.name, 'CaptchaSkipped').with({ period: day }),
      threshold: 3,
      meaning:
        "In 24 hours, at least three contact requests were accepted without a check: the captcha's provider gave no verdict.",
    });
  }

  /** The alarms on received contact requests. The metric counts spam as zero, so that a day of nothing but spam has data. */
  #addOfReceived(environment: Environment, notifications: Notifications | undefined): void {
    const { silence, allSpam, idleFanOut } = receivedAlarms(environment);
    const received = serviceMetric(this.#environment.name, 'ContactsReceived');
    if (silence !== undefined) {
      // Spam does not prove that the form works for people.
      this.#add('contacts-silence', {
        // An hour without any must be zero, not missing: CloudWatch replaces missing periods with older data.
        // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
        metric: new MathExpression({
          expression: 'FILL(received, 0)',
          usingMetrics: { received },
          label: 'non-spam contact requests',
          period: hour,
        }),
        threshold: 1,
        below: true,
        firesWithoutData: true,
        breaches: { periods: silence, of: silence },
        meaning: `No non-spam contact request came for ${silence === 1 ? 'an hour' : `${silence} hours`}.`,
      });
    }
    if (allSpam) {
      // The window of 24 hours slides. A quiet day has no data.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
      this.#add('contacts-all-spam', {
        metric: received.with({ period: day }),
        threshold: 1,
        below: true,
        meaning: 'In the last 24 hours, every contact request was marked as spam.',
      });
    }
    // A stopped, disabled or throttled mapping raises no error, and without a batch there is no IteratorAge.
    if (idleFanOut && notifications && !notifications.paused) {
      this.#add('fan-out-idle', {
        metric: new MathExpression({
          expression: 'IF(FILL(invocations, 0) == 0, FILL(received, 0), 0)',
          usingMetrics: { received, invocations: notifications.fanOut.metricInvocations({ statistic: Stats.SUM }) },
          label: 'contact requests while fan-out was not invoked',
          period: hour,
        }),
        byTheClock: true,
        threshold: 1,
        meaning:
          'Contact requests came, and the function fan-out was not invoked: nobody is notified. They are stored.',
      });
    }
  }

  #addOfCertificate(domain: Domain): void {
    // ACM publishes the metric until the certificate expires:
    // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
    this.#add('certificate-expiry', {
      resource: domainId(domain),
      metric: new Metric({
        namespace: 'AWS/CertificateManager',
        metricName: 'DaysToExpiry',
        dimensionsMap: { CertificateArn: domain.certificateArn },
        statistic: Stats.MINIMUM,
        period: day,
      }),
      threshold: 30,
      below: true,
      meaning: `The certificate of ${domain.name} expires in less than 30 days, and was not renewed.`,
    });
  }

  #addOfNotifications({ targets, fanOut, notify, deadLetters, fanOutFailures, mail }: Notifications): void {
    // Failed items are no errors: these are crashes and timeouts. api-5xx covers the other functions.
    const functions = [
      { resource: 'FanOut', crashing: fanOut, retries: '20 hours' },
      { resource: 'Notify', crashing: notify, retries: 'a day' },
    ];
    for (const { resource, crashing, retries } of functions) {
      this.#add('function-errors', {
        resource,
        metric: crashing.metricErrors({ period }),
        threshold: 1,
        meaning: `The function ${resource} of notifications crashed or timed out. AWS retries for ${retries}.`,
      });
    }
    this.#add('fan-out-behind', {
      metric: fanOut.metric('IteratorAge', { statistic: Stats.MAXIMUM, period }),
      threshold: Duration.minutes(15).toMilliseconds(),
      meaning:
        'Notifications are late by 15 minutes or more: the function fan-out fails or is too slow. AWS retries for 20 hours.',
    });
    this.#add('fan-out-failures', {
      metric: arrivalsIn(fanOutFailures),
      threshold: 1,
      breaches: arrived,
      meaning: 'Some targets were not notified of some contact requests, and AWS no longer retries. They are stored.',
    });
    for (const target of targets) this.#addOfTarget(target);
    this.#add('notification-dead-letters', {
      metric: arrivalsIn(deadLetters),
      threshold: 1,
      breaches: arrived,
      meaning:
        'A notification failed for a day. The contact request is stored. Once the target works again, send the notification again (notifications redrive).',
    });
    if (mail) this.#addOfMail();
  }

  #addOfTarget({ name, label, queue }: NotificationTarget): void {
    // A healthy queue is empty now and then: messages between two tries are invisible, and new ones are received at once.
    this.#add('notification-backlog', {
      resource: name,
      metric: queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MINIMUM, period }),
      threshold: 1,
      breaches: { periods: 3, of: 3 },
      meaning: `Notifications wait in their queue, and nothing receives them: ${label}. After a day they need a redrive; after two weeks SQS deletes them.`,
    });
    // SQS retries within two minutes, so a single failure is no reason.
    this.#add('notification-retries', {
      resource: name,
      metric: serviceMetric(this.#environment.name, 'NotificationsFailed', { Target: name }),
      threshold: 1,
      breaches: sustained,
      meaning: `Notifications do not arrive: ${label}. SQS retries for a day.`,
    });
  }

  #addOfMail(): void {
    const alarms = {
      'mail-bounces': {
        metricName: 'Bounce',
        meaning: 'A notification email bounced: its address does not exist, or is on the suppression list of SES.',
      },
      'mail-complaints': {
        metricName: 'Complaint',
        meaning: 'A recipient marked a notification email as spam. SES sends no more emails to that address.',
      },
    };
    const dimensionsMap = { Environment: this.#environment.name };
    for (const [name, { metricName, meaning }] of Object.entries(alarms)) {
      const metric = new Metric({ namespace: 'AWS/SES', metricName, dimensionsMap, statistic: Stats.SUM, period });
      this.#add(name, { metric, threshold: 1, meaning });
    }
  }

  #mailTo(addresses: readonly string[]): void {
    // Not encrypted: CloudWatch cannot use the key of SNS, and alarms hold no personal data.
    const topic = new Topic(this, 'Topic', {
      displayName: `Alarms of ${Stack.of(this).stackName}`,
      enforceSSL: true,
    });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    for (const address of addresses) topic.addSubscription(new EmailSubscription(address));
    // No email when an alarm ends: some end while the cause remains.
    for (const alarm of this.#alarms) alarm.addAlarmAction(new SnsAction(topic));
  }
}

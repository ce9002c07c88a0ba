import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  type MathExpression,
  type Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { confirmationQueue } from '../../functions/notify/target.ts';
import {
  arrivalsIn,
  blockedRequests,
  confirmationShare,
  daysToExpiry,
  infectedFiles,
  mailEvents,
  receivedContacts,
  receivedContactsOrZero,
  receivedWhileIdle,
  serviceMetric,
  storedContacts,
  writeUnits,
} from './alarm-metrics.ts';
import { domainId } from './api.ts';
import { type Confirmation, retriesOfConfirmations } from './confirmation.ts';
import type { Files } from './file-storage.ts';
import { maxRecordAge, type Notifications } from './notifications.ts';
import { canMarkEverything, type Environment } from './settings.ts';
import type { Tables } from './tables.ts';
import type { WebAcl } from './web-acl.ts';

const hour = Duration.hours(1);
const day = Duration.days(1);

/** Fires if the metric is at or above the threshold. */
interface AlarmDefinition {
  /** The second part of the alarm's id, if several resources have the same alarm. */
  readonly resource?: string;
  /** In periods of five minutes, unless the row names another. */
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
  /** It stops confirmations, too. */
  readonly stops?: Confirmation | undefined;
}

/** The write units of a contact request of 20 KB: hardly any form gets longer ones. */
const unitsOfLarge = 20;

/** How long AWS retries `fan-out`. */
const streamRetries = `${maxRecordAge.toHours()} hours`;

/** A single slow or failed period can pass by itself. */
const sustained = { periods: 2, of: 3 } as const;

/** The alarm ends by itself, so that it fires again for the next arrival. */
const arrived = { periods: 1, of: 3 } as const;

/** What the alarms of an environment watch. */
interface Watched {
  readonly environment: Environment;
  readonly stage: Stage;
  readonly tables: Tables;
  readonly notifications: Notifications | undefined;
  readonly files: Files | undefined;
  readonly webAcl: WebAcl | undefined;
}

/** An environment has one alarm of a name, one for each of several resources, or none. */
type AlarmsOfOneName = (watched: Watched) => AlarmDefinition | readonly AlarmDefinition[] | undefined;

/** How long SQS retries a confirmation. */
const confirmationRetries = `${retriesOfConfirmations.toMinutes()} minutes`;

/** The queues of notifications, and that of confirmations. */
const watchedQueues = ({ targets, confirmation }: Notifications) => [
  ...targets.map(({ name, label, queue }) => ({ name, label, queue, retries: 'a day' })),
  ...(confirmation
    ? [
        {
          name: confirmationQueue,
          label: 'confirmations to visitors',
          queue: confirmation.queue,
          retries: confirmationRetries,
        },
      ]
    : []),
];

/** SES reviews an account at 5 % bounces and 0.1 % complaints: https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html */
const limitsOfConfirmations = { Bounce: { share: 0.02, least: 5 }, Complaint: { share: 0.0005, least: 5 } } as const;

/** The alarms by their names, which are headings of docs/runbook.md, in its order. */
const alarms: Readonly<Record<string, AlarmsOfOneName>> = {
  // Whatever the cause: a crash, a timeout, a throttled function or table, a failing authorizer. The access log shows which.
  'api-5xx': ({ stage }) => ({
    metric: stage.metricServerError({ statistic: Stats.SUM }),
    threshold: 1,
    meaning: 'A request failed with a 5xx response.',
  }),
  // As long as two attempts at the store that time out (functions/shared/dynamodb.ts). After three, the request fails: api-5xx.
  'api-latency-p99': ({ stage }) => ({
    metric: stage.metricLatency({ statistic: Stats.percentile(99) }),
    threshold: 2_400,
    breaches: sustained,
    meaning: 'The slowest hundredth of the requests took 2.4 seconds or more.',
  }),
  // One impatient client stays below. Above, it is a flood, or a site that needs a higher rate.
  'requests-throttled': ({ environment }) => ({
    metric: serviceMetric(environment, 'RequestsThrottled'),
    threshold: 10,
    meaning: 'The gateway refused requests with 429: more came than the environment allows.',
  }),
  // AWS's list of bad addresses blocks a few requests a day. Above, one address is at its limit, or a rule blocks visitors.
  'web-acl-blocks': ({ webAcl }) =>
    webAcl && {
      metric: blockedRequests(webAcl).with({ period: hour }),
      threshold: 100,
      meaning: 'The web ACL blocked at least a hundred requests in an hour.',
    },
  // Spam does not count, because it does not prove that the form works for people.
  'contacts-silence': ({ environment }) => {
    const { silenceAlarm: hours } = environment;
    if (hours === undefined) return undefined;
    return {
      metric: receivedContactsOrZero(environment).with({ period: hour }),
      threshold: 1,
      below: true,
      firesWithoutData: true,
      breaches: { periods: hours, of: hours },
      meaning: `No non-spam contact request came for ${hours === 1 ? 'an hour' : `${hours} hours`}.`,
    };
  },
  // The throttle does not stop a slow flood, and a fast one still costs: docs/costs.md.
  'contacts-flood': ({ environment: { contactsAlarm }, tables }) => ({
    metric: storedContacts(tables.contacts).with({ period: hour }),
    threshold: contactsAlarm,
    meaning: `At least ${contactsAlarm.toLocaleString('en')} contact requests were stored in an hour.`,
  }),
  // DynamoDB also charges for a put that it refuses, by the size of the item that is there: a repeat, or another content under the
  // same key. Such puts store nothing, so contacts-flood does not see them. A contact request has 1 or 2 KB.
  'contacts-write-units': ({ environment: { contactsAlarm }, tables }) => ({
    metric: writeUnits(tables.contacts).with({ period: hour }),
    threshold: contactsAlarm * unitsOfLarge,
    meaning: `In an hour, DynamoDB counted at least ${(contactsAlarm * unitsOfLarge).toLocaleString('en')} write units for contact requests, new and repeated ones together: each unit costs money.`,
  }),
  // A day without any contact request has no data, and is no alarm. The window of 24 hours slides:
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
  'contacts-all-spam': ({ environment }) =>
    canMarkEverything(environment)
      ? {
          metric: receivedContacts(environment).with({ period: day }),
          threshold: 1,
          below: true,
          meaning: 'In the last 24 hours, every contact request was marked as spam.',
        }
      : undefined,
  // SQS retries within two minutes, so a single failure is no reason.
  'notification-retries': ({ environment, notifications }) =>
    notifications &&
    watchedQueues(notifications).map(({ name, label, retries }) => ({
      resource: name,
      metric: serviceMetric(environment, 'NotificationsFailed', { Target: name }),
      threshold: 1,
      breaches: sustained,
      meaning: `Notifications do not arrive: ${label}. SQS retries for ${retries}.`,
    })),
  'notification-dead-letters': ({ notifications }) =>
    notifications && {
      metric: arrivalsIn(notifications.deadLetters),
      threshold: 1,
      breaches: arrived,
      meaning:
        'A notification failed for a day. The contact request is stored. Once the target works again, send the notification again (notifications redrive).',
    },
  // A healthy queue is empty now and then: messages between two tries are invisible, and new ones are received at once.
  'notification-backlog': ({ notifications }) =>
    notifications &&
    watchedQueues(notifications).map(({ name, label, queue }) => ({
      resource: name,
      metric: queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MINIMUM }),
      threshold: 1,
      breaches: { periods: 3, of: 3 },
      meaning: `Notifications wait in their queue, and nothing receives them: ${label}. After a day they need a redrive; after two weeks SQS deletes them.`,
    })),
  'mail-bounces': ({ environment, notifications }) =>
    notifications?.mail && {
      metric: mailEvents(environment, 'Bounce'),
      threshold: 1,
      meaning: 'A notification email bounced: its address does not exist, or is on the suppression list of SES.',
    },
  'mail-complaints': ({ environment, notifications }) =>
    notifications?.mail && {
      metric: mailEvents(environment, 'Complaint'),
      threshold: 1,
      meaning: 'A recipient marked a notification email as spam. SES sends no more emails to that address.',
    },
  'confirmation-bounces': ({ environment, notifications }) =>
    notifications?.confirmation && {
      metric: confirmationShare(environment, 'Bounce', limitsOfConfirmations.Bounce),
      threshold: 1,
      meaning:
        'In 24 hours, at least 5 confirmations and 2 % of all bounced. Confirmations are stopped, so that SES does not stop your account. Notifications go on.',
      stops: notifications.confirmation,
    },
  'confirmation-complaints': ({ environment, notifications }) =>
    notifications?.confirmation && {
      metric: confirmationShare(environment, 'Complaint', limitsOfConfirmations.Complaint),
      threshold: 1,
      meaning:
        'In 24 hours, at least 5 visitors and 0.05 % of all marked a confirmation as spam. Confirmations are stopped, so that SES does not stop your account. Notifications go on.',
      stops: notifications.confirmation,
    },
  'confirmation-cap': ({ environment, notifications }) =>
    notifications?.confirmation && {
      metric: serviceMetric(environment, 'ConfirmationsSkipped', { Reason: 'cap' }).with({ period: hour }),
      threshold: 1,
      meaning: `Visitors got no confirmation, because there were ${environment.confirmationsPerHour} in an hour already (confirmationsPerHour). Their contact requests are stored.`,
    },
  // Crashes and timeouts: what a function returns as failed is no error of Lambda. api-5xx covers the other functions.
  'function-errors': ({ notifications, files }) =>
    [
      ...(notifications
        ? [
            { resource: 'FanOut', crashing: notifications.fanOut, retries: streamRetries },
            { resource: 'Notify', crashing: notifications.notify, retries: 'a day' },
          ]
        : []),
      ...(notifications?.confirmation
        ? [
            { resource: 'Confirm', crashing: notifications.confirmation.confirm, retries: confirmationRetries },
            { resource: 'StopConfirmations', crashing: notifications.confirmation.stop, retries: 'a few minutes' },
          ]
        : []),
      ...(files ? [{ resource: 'DeleteFiles', crashing: files.deleteFiles, retries: 'a day' }] : []),
    ].map(({ resource, crashing, retries }) => ({
      resource,
      metric: crashing.metricErrors(),
      threshold: 1,
      meaning: `The function ${resource} failed, crashed or timed out. AWS retries for ${retries}.`,
    })),
  // A stopped, disabled or throttled mapping raises no error, and without a batch there is no IteratorAge.
  'fan-out-idle': ({ environment, notifications }) =>
    notifications && !notifications.paused
      ? {
          metric: receivedWhileIdle(environment, notifications.fanOut).with({ period: hour }),
          byTheClock: true,
          threshold: 1,
          meaning:
            'Contact requests came, and the function fan-out was not invoked: nobody is notified. They are stored.',
        }
      : undefined,
  'fan-out-behind': ({ notifications }) =>
    notifications && {
      metric: notifications.fanOut.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      threshold: Duration.minutes(15).toMilliseconds(),
      meaning: `Notifications are late by 15 minutes or more: the function fan-out fails or is too slow. AWS retries for ${streamRetries}.`,
    },
  'fan-out-failures': ({ notifications }) =>
    notifications && {
      metric: arrivalsIn(notifications.fanOutFailures),
      threshold: 1,
      breaches: arrived,
      meaning: 'Some targets were not notified of some contact requests, and AWS no longer retries. They are stored.',
    },
  // Without a batch there is no IteratorAge: a mapping that is stopped shows only when it runs again.
  'files-deletion-late': ({ files }) =>
    files && {
      metric: files.deleteFiles.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      threshold: hour.toMilliseconds(),
      meaning:
        'Files of deleted contact requests still exist after an hour: the function delete-files fails or is too slow.',
    },
  'files-daily-limit': ({ environment }) =>
    environment.files && {
      metric: serviceMetric(environment, 'FilesRefused').with({ period: hour }),
      threshold: 1,
      meaning: `Visitors were asked to send without files, because ${environment.files.dailyMegabytes.toLocaleString('en')} MB of files came today (files.dailyMegabytes).`,
    },
  'files-infected': ({ files }) => {
    const metric = files && infectedFiles(files);
    return (
      metric && {
        metric,
        threshold: 1,
        meaning: 'GuardDuty found malware in a file that came with a contact request. Nobody can download it.',
      }
    );
  },
  // A script with an expired token that runs every five minutes is refused a dozen times an hour; a site that is not listed,
  // for each visitor. Scanners get 404, since they do not know the paths.
  'requests-refused': ({ environment }) => ({
    metric: serviceMetric(environment, 'RequestsRefused').with({ period: hour }),
    threshold: 10,
    meaning:
      'At least ten requests in an hour were refused with 401 or 403: a wrong token, or a site that is not listed.',
  }),
  // A single one is a slow response. A site with few visitors takes a day for three.
  'captcha-skipped': ({ environment }) =>
    environment.spam.captcha && {
      metric: serviceMetric(environment, 'CaptchaSkipped').with({ period: day }),
      threshold: 3,
      meaning:
        "In 24 hours, at least three contact requests were accepted without a check: the captcha's provider gave no verdict.",
    },
  'unreadable-items': ({ environment }) => ({
    metric: serviceMetric(environment, 'UnreadableItems'),
    threshold: 1,
    meaning: 'An item of a table could not be read, and was left out of a list.',
  }),
  'certificate-expiry': ({ environment }) =>
    environment.domains.map((domain) => ({
      resource: domainId(domain),
      metric: daysToExpiry(domain).with({ period: day }),
      threshold: 30,
      below: true,
      meaning: `The certificate of ${domain.name} expires in less than 30 days, and was not renewed.`,
    })),
};

/** The names of the alarms: a heading of docs/runbook.md for each. */
export const alarmNames: readonly string[] = Object.keys(alarms);

/** Where people who got an alarm read on: the end of its email. */
const whatToDo = (name: string, { runbookUrl }: Environment): string =>
  runbookUrl === undefined ? `What to do: see "${name}" in docs/runbook.md.` : `What to do: ${runbookUrl}#${name}`;

/** The environment's alarms, and the topic that mails them. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { environment } = watched;
    const made = Object.entries(alarms).flatMap(([name, alarmsOf]) =>
      [alarmsOf(watched) ?? []].flat().map((definition) => this.#alarm(name, definition, environment)),
    );
    if (environment.alarmEmails.length > 0) this.#mail(made, environment.alarmEmails);
  }

  #alarm(name: string, definition: AlarmDefinition, environment: Environment): Alarm {
    const { resource, metric, threshold, meaning, breaches = { periods: 1, of: 1 } } = definition;
    const alarmId = resource ? `${name}-${resource}` : name;
    const alarm = new Alarm(this, alarmId, {
      alarmName: `${Stack.of(this).stackName}-${alarmId}`,
      alarmDescription: `${meaning} ${whatToDo(name, environment)}`,
      metric,
      threshold,
      comparisonOperator: definition.below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: breaches.of,
      datapointsToAlarm: breaches.periods,
      treatMissingData: definition.firesWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    definition.stops?.stopAt(alarm);
    // `Alarm` itself has no such property yet.
    const { defaultChild } = alarm.node;
    if (definition.byTheClock && CfnAlarm.isCfnAlarm(defaultChild)) {
      defaultChild.evaluationWindow = { wallClockWindow: {} };
    }
    return alarm;
  }

  #mail(made: readonly Alarm[], addresses: readonly string[]): void {
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
    for (const alarm of made) alarm.addAlarmAction(new SnsAction(topic));
  }
}

import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { SkipReason } from '../../functions/notify/confirm.ts';
import { type Metric as FunctionMetric, metricNamespace } from '../../functions/shared/metrics.ts';
import type { AccessLogMetric } from './access-log.ts';
import { confirmationDimension } from './confirmation.ts';
import type { Files } from './file-storage.ts';
import type { Domain, Environment } from './settings.ts';
import type { TableAction } from './tables.ts';
import type { WebAcl } from './web-acl.ts';

// The metrics that alarms.ts watches, in periods of five minutes: the CDK's default.

/** One of the service's own metrics. Some have a dimension `Target` or `Reason`. */
export const serviceMetric = (
  { name }: Environment,
  metricName: AccessLogMetric | FunctionMetric,
  dimensions: { readonly Target?: string; readonly Reason?: SkipReason } = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { Environment: name, ...dimensions },
    statistic: Stats.SUM,
  });

/** Non-spam contact requests. Spam counts as zero, so that a day of nothing but spam has data. */
export const receivedContacts = (environment: Environment): Metric => serviceMetric(environment, 'ContactsReceived');

/**
 * Non-spam contact requests, zero if none came. CloudWatch would replace missing periods with older data.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export const receivedContactsOrZero = (environment: Environment): MathExpression =>
  new MathExpression({
    expression: 'FILL(received, 0)',
    usingMetrics: { received: receivedContacts(environment) },
    label: 'non-spam contact requests',
  });

/** Contact requests that came in periods without an invocation of `fan-out`. */
export const receivedWhileIdle = (environment: Environment, fanOut: IFunction): MathExpression =>
  new MathExpression({
    expression: 'IF(FILL(invocations, 0) == 0, FILL(received, 0), 0)',
    usingMetrics: {
      received: receivedContacts(environment),
      invocations: fanOut.metricInvocations({ statistic: Stats.SUM }),
    },
    label: 'contact requests while fan-out was not invoked',
  });

/**
 * Stored contact requests, including spam: DynamoDB counts its writes for free.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
export const storedContacts = ({ tableName }: TableV2): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'SuccessfulRequestLatency',
    dimensionsMap: { TableName: tableName, Operation: 'PutItem' satisfies TableAction },
    statistic: Stats.SAMPLE_COUNT,
  });

/**
 * The write units of a table without its index, which DynamoDB counts for free: one for each KB of an item that is written, deleted
 * or, if the condition of a write fails, found there.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export const writeUnits = ({ tableName }: TableV2): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'ConsumedWriteCapacityUnits',
    dimensionsMap: { TableName: tableName },
    statistic: Stats.SUM,
  });

/** Requests that a web ACL blocked: https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html */
export const blockedRequests = (webAcl: WebAcl): Metric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: webAcl.metricName, Region: Stack.of(webAcl).region, Rule: 'ALL' },
    statistic: Stats.SUM,
  });

/**
 * Files in which GuardDuty found malware.
 * https://docs.aws.amazon.com/guardduty/latest/ug/monitor-cloudwatch-metrics-s3-malware-protection.html
 */
export const infectedFiles = ({ bucket, scan }: Files): Metric | undefined =>
  scan &&
  new Metric({
    namespace: 'AWS/GuardDuty/MalwareProtection',
    metricName: 'InfectedScanCount',
    dimensionsMap: {
      'Malware Protection Plan Id': scan.attrMalwareProtectionPlanId,
      'Resource Name': bucket.bucketName,
    },
    statistic: Stats.SUM,
  });

/** New messages in a queue that nothing empties. `NumberOfMessagesSent` leaves out messages that SQS itself moves there. */
export const arrivalsIn = (queue: Queue): MathExpression =>
  new MathExpression({
    expression: 'DIFF(FILL(messages, 0))',
    usingMetrics: { messages: queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }) },
    label: 'arrivals',
  });

/** What SES publishes of the environment's confirmations: confirmation.ts sets the dimension. */
const confirmationEvents = ({ name }: Environment, metricName: 'Send' | 'Bounce' | 'Complaint'): Metric =>
  new Metric({
    namespace: 'AWS/SES',
    metricName,
    dimensionsMap: { [confirmationDimension]: name },
    statistic: Stats.SUM,
  });

/** One, if at least `least` confirmations of a day had this event, and `share` of all that were sent. */
export const confirmationShare = (
  environment: Environment,
  event: 'Bounce' | 'Complaint',
  { share, least }: { readonly share: number; readonly least: number },
): MathExpression =>
  new MathExpression({
    expression: `IF(FILL(events, 0) >= ${least} AND FILL(events, 0) >= ${share} * FILL(sent, 0), 1, 0)`,
    usingMetrics: { events: confirmationEvents(environment, event), sent: confirmationEvents(environment, 'Send') },
    period: Duration.days(1),
    label: `too many of ${event.toLowerCase()}`,
  });

/** What SES publishes of the environment's mails: mail.ts sets the dimension. */
export const mailEvents = ({ name }: Environment, metricName: 'Bounce' | 'Complaint'): Metric =>
  new Metric({
    namespace: 'AWS/SES',
    metricName,
    dimensionsMap: { Environment: name },
    statistic: Stats.SUM,
  });

/**
 * The days until a domain's certificate expires. ACM publishes the metric until then:
 * https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
 */
export const daysToExpiry = ({ certificateArn }: Domain): Metric =>
  new Metric({
    namespace: 'AWS/CertificateManager',
    metricName: 'DaysToExpiry',
    dimensionsMap: { CertificateArn: certificateArn },
    statistic: Stats.MINIMUM,
  });

import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Metric as CountedByFunctions } from '../../../functions/shared/metrics.ts';
import type { WebAcl } from '../api/web-acl.ts';
import type { TableAction } from '../tables.ts';

/** The namespace of the service's own metrics; every one has the dimension `Environment`. */
export const namespace = 'ContactService';

/** What the access log counts; the functions count the rest, and the authorizer some of the refused requests. */
export type CountedByAccessLog = 'RequestsRefused' | 'RequestsThrottled';

/** The period of most alarms. */
export const period = Duration.minutes(5);

/** How often something was counted, of which target where it is of one. */
export const counted = (
  environment: string,
  metricName: CountedByAccessLog | CountedByFunctions,
  part: { readonly Target?: string } = {},
): Metric =>
  new Metric({
    namespace,
    metricName,
    dimensionsMap: { Environment: environment, ...part },
    statistic: Stats.SUM,
    period,
  });

/**
 * Contact requests that are no spam. Where nothing came it is zero, not missing: CloudWatch takes the last data that it
 * finds in an evaluation range of its own, longer than the periods of the alarm, for those of a period without any.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export const contactsButSpam = (environment: string, each: Duration): MathExpression =>
  new MathExpression({
    expression: 'FILL(received, 0)',
    usingMetrics: { received: counted(environment, 'ContactsReceived') },
    label: 'contact requests but spam',
    period: each,
  });

/**
 * Contact requests that were stored, spam too: DynamoDB counts its writes, which costs nothing.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
export const contactsStored = ({ tableName }: TableV2): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'SuccessfulRequestLatency',
    dimensionsMap: { TableName: tableName, Operation: 'PutItem' satisfies TableAction },
    statistic: Stats.SAMPLE_COUNT,
    period,
  });

/** Requests that a web ACL blocked: https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html */
export const blockedMetric = (webAcl: WebAcl): Metric =>
  new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: webAcl.metricName, Region: Stack.of(webAcl).region, Rule: 'ALL' },
    statistic: Stats.SUM,
    period,
  });

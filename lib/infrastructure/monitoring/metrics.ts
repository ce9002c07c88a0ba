import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { Metric as CountedByFunctions } from '../../../functions/metrics.ts';
import type { TableAction } from '../tables.ts';

/** The namespace of the service's own metrics; every one has the dimension `Environment`. */
export const namespace = 'ContactService';

/** What the access log counts; the functions count the rest. */
export type CountedByAccessLog = 'AuthorizerFaults' | 'RequestsThrottled';

/** The period of alarms and graphs. */
export const period = Duration.minutes(5);

/** How often something was counted; `ContactsRefused` is divided by reason besides, the status of the answer. */
export const counted = (
  environment: string,
  metricName: CountedByAccessLog | CountedByFunctions,
  reason?: string,
): Metric =>
  new Metric({
    namespace,
    metricName,
    dimensionsMap: { Environment: environment, ...(reason !== undefined && { Reason: reason }) },
    statistic: Stats.SUM,
    period,
  });

/** How often a target was told of a contact request, or was not: each try counts. */
export const notified = (
  environment: string,
  metricName: 'NotificationsFailed' | 'NotificationsTold',
  target: string,
): Metric =>
  new Metric({
    namespace,
    metricName,
    dimensionsMap: { Environment: environment, Target: target },
    statistic: Stats.SUM,
    period,
  });

/** A metric of one operation on a table: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html */
export const operationMetric = (
  { tableName }: TableV2,
  operation: TableAction,
  metricName: 'SuccessfulRequestLatency' | 'ThrottledRequests',
  statistic: string,
): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName, Operation: operation },
    statistic,
    period,
  });

/** A metric of a pipe: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-monitoring.html */
export const pipeMetric = (pipe: CfnPipe, metricName: 'ExecutionFailed'): Metric =>
  new Metric({
    namespace: 'AWS/EventBridge/Pipes',
    metricName,
    dimensionsMap: { PipeName: pipe.ref },
    statistic: Stats.SUM,
    period,
  });

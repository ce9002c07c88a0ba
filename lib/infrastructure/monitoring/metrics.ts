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

/** How often something was counted, and by which of its parts: why something was refused, or which target was told. */
export const counted = (
  environment: string,
  metricName: CountedByAccessLog | CountedByFunctions,
  part: { readonly Reason?: string; readonly Target?: string } = {},
): Metric =>
  new Metric({
    namespace,
    metricName,
    dimensionsMap: { Environment: environment, ...part },
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

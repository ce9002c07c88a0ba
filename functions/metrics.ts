import * as v from 'valibot';
import { HttpError } from './http/errors.ts';
import type { HttpMiddleware } from './http/handler.ts';

/** What is counted; the alarms and the dashboard are built on these names (lib/infrastructure/monitoring/alarms.ts, lib/infrastructure/monitoring/dashboard.ts). */
export type Metric =
  | 'ContactsCreated'
  | 'ContactsMarkedSpam'
  | 'ContactsRefused'
  | 'ContactsReplayed'
  | 'NotificationsFailed'
  | 'NotificationsTold'
  | 'StoreFaults'
  | 'UnreadableItems';

/** What a function that counts is told. */
export const metricsVariables = {
  /** The environment's name, by which its metrics are told apart. */
  ENVIRONMENT: v.string(),
};

export type MetricsVariables = v.InferOutput<v.ObjectSchema<typeof metricsVariables, undefined>>;

/**
 * Counts one; `part`, where there is one, divides the count.
 * @param besides what is counted with it: a zero says that it was looked for, where nothing at all would say nothing
 */
export type CountMetric = (metric: Metric, part?: string, besides?: Readonly<Partial<Record<Metric, number>>>) => void;

/**
 * Counts in CloudWatch's embedded metric format: a log line that becomes a metric, with no call and no permission.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 * @param dimension what divides a count: why something was refused, or which target was told
 */
export const embeddedMetrics =
  (environment: string, now: () => Date, dimension: 'Reason' | 'Target' = 'Reason'): CountMetric =>
  (metric, part, besides) => {
    const counts = { [metric]: 1, ...besides };
    const line = {
      _aws: {
        Timestamp: now().getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'ContactService',
            Dimensions: [['Environment', ...(part === undefined ? [] : [dimension])]],
            Metrics: Object.keys(counts).map((Name) => ({ Name, Unit: 'Count' })),
          },
        ],
      },
      Environment: environment,
      [dimension]: part,
      ...counts,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };

/** Counts what was refused, by status, and what the store could not take. */
export const countFailures = (count: CountMetric): HttpMiddleware => ({
  onError: ({ error }) => {
    // Stryker disable next-line ConditionalExpression: every error has become one by then, which its type does not know
    if (!(error instanceof HttpError)) return;
    if (error.status === 503) count('StoreFaults');
    else if (error.status < 500) count('ContactsRefused', String(error.status));
  },
});

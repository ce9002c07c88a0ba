import * as v from 'valibot';
import { writeLine } from './log.ts';

/** Metrics that an alarm needs (lib/infrastructure/monitoring/alarms.ts). Everything else is a line of the log. */
export type Metric = 'ContactsReceived' | 'NotificationsFailed' | 'RequestsRefused' | 'UnreadableItems';

/** Environment variables of functions that count. */
export const metricsVariables = {
  /** The environment's name, the dimension of its metrics. */
  ENVIRONMENT: v.string(),
};

export type MetricsVariables = v.InferOutput<v.ObjectSchema<typeof metricsVariables, undefined>>;

/** Counts one; a target divides the count. */
export type CountMetric = (metric: Metric, target?: string) => void;

/**
 * Counts in CloudWatch's embedded metric format: a log line that becomes a metric, with no call and no permission.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const embeddedMetrics =
  (environment: string, now: () => Date): CountMetric =>
  (metric, target) => {
    const line = {
      _aws: {
        Timestamp: now().getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'ContactService',
            Dimensions: [['Environment', ...(target === undefined ? [] : ['Target'])]],
            Metrics: [{ Name: metric, Unit: 'Count' }],
          },
        ],
      },
      Environment: environment,
      Target: target,
      [metric]: 1,
    };
    writeLine(line);
  };

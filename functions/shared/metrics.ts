import * as v from 'valibot';
import { writeLine } from './log.ts';

/** The metrics that alarms use (lib/infrastructure/alarms.ts). */
export type Metric = 'ContactsReceived' | 'NotificationsFailed' | 'RequestsRefused' | 'UnreadableItems';

/** Environment variables of functions with metrics. */
export const metricsVariables = {
  /** The environment's name, a dimension of its metrics. */
  ENVIRONMENT: v.string(),
};

export type MetricsVariables = v.InferOutput<v.ObjectSchema<typeof metricsVariables, undefined>>;

/** Adds one to a metric; `target` is a second dimension. */
export type CountMetric = (metric: Metric, target?: string) => void;

/**
 * Counts by CloudWatch's embedded metric format: log lines that become metrics, without a call or a permission.
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

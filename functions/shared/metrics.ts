import * as v from 'valibot';
import { writeLine } from './log.ts';

/** The metrics that alarms use (lib/infrastructure/alarms.ts). */
export type Metric =
  | 'CaptchaSkipped'
  | 'ConfirmationsSkipped'
  | 'ContactsReceived'
  | 'FilesRefused'
  | 'NotificationsFailed'
  | 'RequestsRefused'
  | 'UnreadableItems';

/** The namespace of all metrics. Each has the dimension `Environment`. */
export const metricNamespace = 'ContactService';

/** What functions with metrics read from variables. */
export const metricsSettings = v.object({
  /** The environment's name, a dimension of its metrics. */
  environment: v.string(),
});

/** Adds to a metric: one, unless there is a `value`. `target` or `reason` is a second dimension. */
export type CountMetric = (
  metric: Metric,
  options?: { readonly target?: string; readonly reason?: string; readonly value?: number },
) => void;

/**
 * Counts by CloudWatch's embedded metric format: log lines that become metrics, without a call or a permission.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const embeddedMetrics =
  (environment: string, now: () => Date): CountMetric =>
  (metric, { target, reason, value = 1 } = {}) => {
    writeLine({
      _aws: {
        Timestamp: now().getTime(),
        CloudWatchMetrics: [
          {
            Namespace: metricNamespace,
            Dimensions: [['Environment', ...(target ? ['Target'] : []), ...(reason ? ['Reason'] : [])]],
            Metrics: [{ Name: metric, Unit: 'Count' }],
          },
        ],
      },
      Environment: environment,
      Target: target,
      Reason: reason,
      [metric]: value,
    });
  };

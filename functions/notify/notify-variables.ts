import * as v from 'valibot';
import { metricsVariables } from '../metrics.ts';
import { json } from '../variables.ts';

/** How webhooks are told, besides e-mail. */
export const webhookFormats = ['standard', 'slack'] as const;

/** Who is told: lib/infrastructure/notifications/ makes one of each address and each webhook of the settings. */
const target = v.variant('kind', [
  v.object({ kind: v.literal('email'), from: v.string(), to: v.string() }),
  /** Standard Webhooks, signed with the secret of that ARN: https://www.standardwebhooks.com */
  v.object({ kind: v.literal('standard'), url: v.string(), secretArn: v.string() }),
  v.object({ kind: v.literal('slack'), url: v.string() }),
]);

export type Target = Readonly<v.InferOutput<typeof target>>;

/** What the function that tells one target is told itself. */
export const notifyVariables = {
  ...metricsVariables,
  TARGET: json(target),
  /** What the target is called in logs, metrics and dead letters: it tells no address. */
  TARGET_NAME: v.string(),
  /** The queue that the function's event source reads. */
  QUEUE_URL: v.string(),
  /** Where a notification goes that was given up. */
  DEAD_LETTERS_URL: v.string(),
};

export type NotifyVariables = v.InferOutput<v.ObjectSchema<typeof notifyVariables, undefined>>;

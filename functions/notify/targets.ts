import * as v from 'valibot';
import { metricsVariables } from '../shared/metrics.ts';
import { jsonVariable } from '../shared/variables.ts';

/** A target of notifications: lib/infrastructure/notifications/ makes one of each address and each webhook of the settings. */
const target = v.variant('kind', [
  v.object({ kind: v.literal('email'), to: v.string() }),
  /** Standard Webhooks, signed with the secret of that ARN: https://www.standardwebhooks.com */
  v.object({ kind: v.literal('webhook'), url: v.string(), secret: v.string() }),
  /** An incoming webhook of Slack. Its URL is the secret of that name. */
  v.object({ kind: v.literal('slack'), secret: v.string() }),
]);

export type Target = Readonly<v.InferOutput<typeof target>>;

/** A message in a target's queue. It holds no personal data: `notify` reads the contact request itself. */
export const targetMessage = v.object({
  /** The target's name. */
  target: v.string(),
  /** The contact request's. */
  id: v.string(),
  /** Its place in the list at that time: RFC 3339, UTC, milliseconds. */
  place: v.string(),
});

export type TargetMessage = v.InferOutput<typeof targetMessage>;

/** Environment variables of the function `fan-out`. */
export const fanOutVariables = {
  ...metricsVariables,
  /** The URL of each target's queue, by the target's name. */
  QUEUES: jsonVariable(v.record(v.string(), v.string())),
};

export type FanOutVariables = v.InferOutput<v.ObjectSchema<typeof fanOutVariables, undefined>>;

/** Environment variables of the function `notify`. */
export const notifyVariables = {
  ...metricsVariables,
  /** Each target by its name, which stands in logs and metrics: it shows no address. */
  TARGETS: jsonVariable(v.record(v.string(), target)),
  /** The address that mails come from, and the SES configuration set that they are sent with; absent without mails. */
  MAIL_FROM: v.optional(v.string()),
  CONFIGURATION_SET: v.optional(v.string()),
};

export type NotifyVariables = v.InferOutput<v.ObjectSchema<typeof notifyVariables, undefined>>;

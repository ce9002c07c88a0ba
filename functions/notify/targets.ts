import * as v from 'valibot';
import { metricsVariables } from '../shared/metrics.ts';
import { jsonVariable } from '../shared/variables.ts';

/** A target of notifications: an address or a webhook of the settings. */
const target = v.variant('kind', [
  v.object({ kind: v.literal('email'), to: v.string() }),
  /** https://www.standardwebhooks.com; `secret` is the signing secret's ARN. */
  v.object({ kind: v.literal('webhook'), url: v.string(), secret: v.string() }),
  /** An incoming webhook of Slack; `secret` is the name of the secret that holds its URL. */
  v.object({ kind: v.literal('slack'), secret: v.string() }),
]);

export type Target = Readonly<v.InferOutput<typeof target>>;

/** A message in a target's queue. It holds no personal data: `notify` reads the contact request itself. */
export const targetMessage = v.object({
  /** The target's name. */
  target: v.string(),
  /** The contact request's id. */
  id: v.string(),
  /** The time at which it entered the list: RFC 3339, UTC, milliseconds. */
  listedAt: v.string(),
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
  /** The targets by name. Names appear in logs and metrics, so they show no address. */
  TARGETS: jsonVariable(v.record(v.string(), target)),
  /** The sender of mails, and their SES configuration set; absent without e-mail targets. */
  MAIL_FROM: v.optional(v.string()),
  CONFIGURATION_SET: v.optional(v.string()),
};

export type NotifyVariables = v.InferOutput<v.ObjectSchema<typeof notifyVariables, undefined>>;

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

/** A target gets the contact requests of these forms and sites; absent: of all. */
const conditions = {
  forms: v.optional(v.array(v.string())),
  /** Origins. */
  sites: v.optional(v.array(v.string())),
};

export type Conditions = Readonly<v.InferOutput<v.ObjectSchema<typeof conditions, undefined>>>;

/** Environment variables of the function `fan-out`. */
export const fanOutVariables = {
  ...metricsVariables,
  /** Each target's queue, as its URL, and conditions, by the target's name. */
  QUEUES: jsonVariable(v.record(v.string(), v.object({ url: v.string(), ...conditions }))),
};

export type FanOutVariables = v.InferOutput<v.ObjectSchema<typeof fanOutVariables, undefined>>;

/** Environment variables of the function `notify`. */
export const notifyVariables = {
  ...metricsVariables,
  /** The targets by name. Names appear in logs and metrics, so they show no address. */
  TARGETS: jsonVariable(v.record(v.string(), target)),
  /** The sender of mails, and their SES configuration set; absent without email targets. */
  MAIL_FROM: v.optional(v.string()),
  CONFIGURATION_SET: v.optional(v.string()),
  /** Names of forms, each with the subject of emails and Slack messages; absent: no form has its own subject. */
  SUBJECTS: v.optional(jsonVariable(v.array(v.tuple([v.string(), v.string()])))),
};

export type NotifyVariables = v.InferOutput<v.ObjectSchema<typeof notifyVariables, undefined>>;

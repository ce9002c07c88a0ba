import * as v from 'valibot';
import { metricsSettings } from '../shared/metrics.ts';
import { conditions } from './conditions.ts';
import { targetSchema } from './target.ts';

/** What the function fan-out reads from variables. */
export const fanOutSettings = v.object({
  ...metricsSettings.entries,
  /** Each target's queue, as its URL, and conditions, by the target's name. */
  queues: v.record(v.string(), v.object({ url: v.string(), ...conditions.entries })),
  /** The URL of the queue for confirmations; absent without any. */
  confirmationQueue: v.optional(v.string()),
});

/** What the function notify reads from variables. */
export const notifySettings = v.object({
  ...metricsSettings.entries,
  /** The targets by name. Names appear in logs and metrics, so they show no address. */
  targets: v.record(v.string(), targetSchema),
  /** The names of those that get spam, and nothing else. */
  spamTargets: v.optional(v.array(v.string()), []),
  /** The sender of mails as SES accepts it, and their SES configuration set; absent without email targets. */
  mailFrom: v.optional(v.string()),
  configurationSet: v.optional(v.string()),
  /** Names of forms, each with the subject of its notifications. */
  subjects: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  /** Origins of sites whose language is not English, or `noSite`, each with the language's tag. */
  siteLanguages: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  /** The origin of the inbox to which notifications link; absent without one. */
  inboxOrigin: v.optional(v.string()),
});

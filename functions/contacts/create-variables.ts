import * as v from 'valibot';
import { metricsVariables } from '../metrics.ts';
import { json } from '../variables.ts';
import { site } from './site.ts';

/** What an environment may do with the fields that a contact request does not have. */
export const extraFields = ['keep', 'ignore'] as const;

/** What the function that creates contact requests is told: lib/infrastructure/endpoints.ts takes it from the settings. */
export const createContactVariables = {
  ...metricsVariables,
  SITES: json(v.array(site)),
  HONEYPOT_FIELDS: json(v.array(v.string())),
  /** After how many days a contact request is no longer shown, and deleted; absent: never. */
  RETENTION_DAYS: v.optional(json(v.number())),
  /** What becomes of the fields that a contact request does not have. */
  EXTRA_FIELDS: v.picklist(extraFields),
  /** Count non-spam contact requests, for the alarms on silence and on an idle fan-out. */
  COUNTS_RECEIVED: v.optional(json(v.boolean())),
};

export type CreateContactVariables = v.InferOutput<v.ObjectSchema<typeof createContactVariables, undefined>>;

import * as v from 'valibot';
import { metricsVariables } from '../metrics.ts';
import { json } from '../variables.ts';

/** What the function that creates contact requests is told: lib/infrastructure/endpoints.ts takes it from the settings. */
export const createContactVariables = {
  ...metricsVariables,
  SITE_ORIGINS: json(v.array(v.string())),
  HONEYPOT_FIELD: v.string(),
  /** After how many days a contact request is no longer shown, and deleted; absent: never. */
  RETENTION_DAYS: v.optional(json(v.number())),
  /** Where a plain form's visitor is sent after a success; absent: to a built-in page. */
  THANK_YOU_URL: v.optional(v.string()),
};

export type CreateContactVariables = v.InferOutput<v.ObjectSchema<typeof createContactVariables, undefined>>;

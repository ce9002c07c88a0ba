import * as v from 'valibot';
import { extraFieldsChoices } from '../contacts/extra.ts';
import { site } from '../pages/sites.ts';
import { metricsSettings } from '../shared/metrics.ts';
import { spamDefences } from '../spam/defences.ts';
import { forms, sentNames } from './form.ts';

/** What the function reads from variables. lib/infrastructure/endpoint-variables.ts sets them from the settings of the same names. */
export const createContactSettings = v.object({
  ...metricsSettings.entries,
  sites: v.array(site),
  /** The forms that have settings. */
  forms: v.optional(forms, []),
  spam: spamDefences,
  /** Days after which a contact request expires; absent: never. */
  retentionDays: v.optional(v.number()),
  extraFields: v.picklist(extraFieldsChoices),
  /** Fields on which forms without settings of their own insist. */
  required: v.optional(v.array(v.string()), []),
  /** The names under which forms send the fields, if the rules cannot tell. */
  fields: v.optional(sentNames, {}),
  /** The owner's addresses, which the notifications go to, in lower case: by its value alone, none of them is a visitor's. */
  ownAddresses: v.optional(v.array(v.string()), []),
  /** Count contact requests, for the alarms on silence, on an idle fan-out and on nothing but spam. */
  countsReceived: v.optional(v.boolean(), false),
});

export type CreateContactSettings = v.InferOutput<typeof createContactSettings>;

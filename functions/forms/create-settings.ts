import * as v from 'valibot';
import { fieldNames } from '../contacts/contact.ts';
import { extraFieldsChoices } from '../contacts/extra.ts';
import { fileTypeNames } from '../files/type-names.ts';
import { site } from '../pages/sites.ts';
import { metricsSettings } from '../shared/metrics.ts';
import { spamDefences } from '../spam/defences.ts';

/** The setting `fields`: names of fields, each with the name under which a form sends it. */
const sentNames = v.object(v.entriesFromList(fieldNames, v.exactOptional(v.string())));

/** The settings of a form. */
const formSettings = v.object({
  /** Names of required fields; `email|phone` requires one of the two. Absent: the environment's. */
  required: v.optional(v.array(v.string())),
  /** The names under which the form sends the fields; they come before the environment's. */
  fields: v.optional(sentNames),
  /** The success page; absent: that of the site. */
  thankYouUrl: v.optional(v.string()),
  /** Days after which its contact requests expire. Absent: the environment's. */
  retentionDays: v.optional(v.number()),
  /** Its visitors get a confirmation by email. Absent: as the environment says. */
  confirmation: v.optional(v.boolean()),
  /** It accepts this many files of these types (../files/type-names.ts). Absent: none. */
  files: v.optional(v.object({ max: v.number(), types: v.array(v.picklist(fileTypeNames)) })),
});

/** The setting `forms`: names of forms, each with its settings. */
const forms = v.array(v.tuple([v.string(), formSettings]));

type FormSettings = v.InferOutput<typeof formSettings>;

/** The settings of forms, by name. */
export type Forms = ReadonlyMap<string | undefined, FormSettings>;

/** What the function reads from variables. lib/infrastructure/endpoint-variables.ts sets them from the settings of the same names. */
export const createContactSettings = v.object({
  ...metricsSettings.entries,
  sites: v.array(site),
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
  /** Visitors get a confirmation by email. */
  confirmation: v.optional(v.boolean(), false),
  /** Bytes of files that are stored in a day, and of what a defence caught. Absent: no form accepts files. */
  files: v.optional(v.object({ dailyBytes: v.number(), caughtDailyBytes: v.number() })),
  /** Count contact requests, for the alarms on silence, on an idle fan-out and on nothing but spam. */
  countsReceived: v.optional(v.boolean(), false),
});

export type CreateContactSettings = v.InferOutput<typeof createContactSettings>;

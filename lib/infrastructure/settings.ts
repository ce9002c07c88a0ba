import * as v from 'valibot';
import { extraFieldsChoices } from '../../functions/contacts/extra.ts';
import { SettingsError } from '../settings-error.ts';
import { customDomains, domainFault } from './domain-settings.ts';
import { honeypotFields } from './honeypot-settings.ts';
import { notifications } from './notification-settings.ts';
import { placeSettings } from './place-settings.ts';
import { email, flag, list, oneOf, settings, text, wholeNumber } from './setting-kinds.ts';
import { sites } from './site-settings.ts';
import { tags } from './tag-settings.ts';

/** A rate in requests a second, and how many requests may come at once on top of it. */
const throttle = settings({ rate: wholeNumber(10_000), burst: wholeNumber(5_000) });

/** What CloudWatch Logs takes as a retention, in days. */
const logRetentions = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html */
const tableName = v.pipe(
  text,
  v.regex(
    /^[\w.-]{3,255}$/,
    ({ input }) => `"${input}" is no name of a table: write it as "aws dynamodb list-tables" does`,
  ),
);

const existingTables = v.pipe(
  settings({ contacts: tableName, campaigns: tableName, tokens: tableName }),
  v.check((names) => new Set(Object.values(names)).size === 3, 'names a table twice'),
);

const environmentSchema = v.pipe(
  settings({
    /** Its key below: part of the stack's name, and the first segment of the base URL's path. */
    name: v.pipe(
      text,
      v.regex(/^[a-z][a-z0-9-]{0,29}$/, 'must be a lower-case letter, then up to 29 letters, digits or "-"'),
    ),
    ...placeSettings,
    /** Of the stack, besides the service's own, and so of all that is in it. */
    tags: v.optional(tags, {}),
    /** The sites whose forms post here: others get 403. */
    sites,
    /** The form fields that people leave empty and bots fill: after a change the former name, too. */
    honeypotField: v.optional(honeypotFields, 'website'),
    /** What becomes of the fields that a contact request does not have: `keep` stores them with it. */
    extraFields: v.optional(oneOf(extraFieldsChoices), 'keep'),
    /** Throttling of the public endpoint and of each of the others: targets, which API Gateway may overrun (docs/costs.md). */
    throttles: settings({ public: throttle, staff: throttle }),
    /** Whether a web ACL (AWS WAF) stands before the API; it has a monthly price. */
    webAcl: v.optional(flag, false),
    /** Whether the data outlive the stack and resist deletion. */
    retainData: flag,
    /** The tables of a stack that was destroyed, in place of new ones. @defaultValue the stack makes its own */
    existingTables: v.optional(existingTables),
    /** After how many days a contact request is deleted. @defaultValue never */
    retentionDays: v.optional(wholeNumber(3_650)),
    logRetentionDays: v.picklist(logRetentions, `must be one of ${logRetentions.join(', ')}`),
    /** Get the alarms by e-mail; each address confirms the subscription by a link that it is sent. */
    alarmEmails: v.optional(list(email), []),
    /** How many contact requests of one hour raise an alarm: far more than the sites get, so a flood or a burst of spam. */
    contactsAlarm: v.optional(wholeNumber(1_000_000), 500),
    /** After how many hours without a contact request but spam an alarm goes off: CloudWatch looks back a week. @defaultValue never */
    silenceAlarm: v.optional(wholeNumber(168)),
    /** Whether X-Ray traces requests: by its default rule, the first of each second and 5 % of the rest. */
    tracing: v.optional(flag, false),
    /** Whether Lambda logs a line for each call with its duration, start time and memory. */
    reportLines: v.optional(flag, false),
    /** Who is told when a contact request arrives that is not spam. @defaultValue nobody */
    notifications: v.optional(notifications),
    /** Custom domains of the API: one, or two during a move from one to the other (docs/operation.md). */
    customDomains: v.optional(customDomains, []),
    /** Whether API Gateway's own URL answers beside them: forms on live pages may still post to it. */
    defaultEndpoint: v.optional(flag, true),
    /** Whether a request is refused whose TLS server name is not its host (docs/decisions.md). */
    strictEndpointAccess: v.optional(flag, false),
  }),
  v.forward(
    v.partialCheck(
      [['retainData'], ['existingTables']],
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
      ({ retainData, existingTables }) => retainData || !existingTables,
      'needs retainData: true, since a stack takes in only tables that outlive it',
    ),
    ['existingTables'],
  ),
  v.partialCheck(
    [['region'], ['customDomains'], ['defaultEndpoint']],
    (environment) => domainFault(environment) === undefined,
    ({ input }) => domainFault(input) ?? '',
  ),
);

/** The settings of one environment, as they are written down. */
export type EnvironmentInput = Omit<v.InferInput<typeof environmentSchema>, 'name'>;

/** The settings of one environment, checked, with its name. */
export type Environment = v.InferOutput<typeof environmentSchema>;

/** The names of all settings of an environment. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.entries).filter((name) => name !== 'name');

/** Says which settings are wrong: a line for each. */
export class EnvironmentError extends SettingsError {
  override readonly name = 'EnvironmentError';
}

/**
 * Checks an environment's settings.
 * @throws {EnvironmentError} with every mistake at once
 */
export const parseEnvironment = (name: string, input: object): Environment => {
  const result = v.safeParse(environmentSchema, { ...input, name });
  if (result.success) return result.output;
  const faults = result.issues.map((issue) => {
    const path = v.getDotPath(issue);
    return `Environment "${name}": ${path === null ? '' : `${path}: `}${issue.message}`;
  });
  throw new EnvironmentError(faults.join('\n'));
};

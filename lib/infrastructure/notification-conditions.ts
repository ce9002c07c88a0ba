import * as v from 'valibot';
import { type FieldName, fieldNames } from '../../functions/contacts/contact.ts';
import { type extraFieldsChoices, extraName, maxNameLength } from '../../functions/contacts/extra.ts';
import { forService } from '../../functions/forms/submission.ts';
import { candidateOf, isMeant } from '../../functions/names/candidate.ts';
import { readerOf } from '../../functions/names/dictionary.ts';
import { isCampaign } from '../../functions/names/find-campaign.ts';
import { formFields } from '../../functions/names/service-fields.ts';
import {
  type ConditionName,
  type Conditions,
  conditionNames,
  isOwnField,
  unmetConditions,
} from '../../functions/notify/conditions.ts';
import { noSite } from '../../functions/notify/target.ts';
import { withoutCase } from '../../functions/shared/text.ts';
import { checked, distinct, errorOfName, flag, nameOfForm, names, textSetting } from './schemas.ts';

const text = v.pipe(
  textSetting,
  v.check((value) => withoutCase(value) !== '', 'is blank: write what visitors choose, as in "Sales"'),
);

const texts = v.lazy((input) =>
  typeof input === 'string'
    ? v.pipe(
        text,
        v.transform((value) => [value]),
      )
    : v.pipe(
        distinct(text, withoutCase, { example: ' of texts, or one text, as in "Sales"' }),
        v.nonEmpty('is empty: add a text, or remove this field'),
      ),
);

/** A record schema would drop these. */
const unusableNames = ['__proto__', 'constructor', 'prototype'];

const where = v.pipe(
  v.custom<Readonly<Record<string, string | readonly string[]>>>(
    (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
    'must be an object, as in { topic: ["Sales"] }',
  ),
  v.check(
    (given) => !unusableNames.some((name) => Object.hasOwn(given, name)),
    `cannot have a field named ${unusableNames.join(', ')}: give the field of the form another name`,
  ),
  v.record(checked(errorOfName('field', extraName, maxNameLength)), texts),
  v.check((given) => Object.keys(given).length > 0, 'is empty: add a field, or remove this setting'),
);

/** The settings of conditions. Each target can have them; `spam` is for addresses only. */
export const conditionSettings = {
  forms: v.optional(names(nameOfForm, 'sales')),
  /** Origins of the environment's sites. */
  sites: v.optional(names(textSetting, 'https://shop.example.com')),
  /** Texts by the names of fields, as they are stored. */
  where: v.optional(where),
  /** It gets what no target with another condition gets. */
  otherwise: v.optional(flag),
} satisfies Record<Exclude<ConditionName, 'spam'>, v.GenericSchema>;

type Fields = Readonly<Partial<Record<FieldName, string | undefined>>>;

/** The settings of an environment on which conditions depend. */
interface Environment {
  readonly sites: readonly { readonly origin: string }[];
  readonly forms: Readonly<Record<string, { readonly fields?: Fields | undefined }>>;
  readonly fields: Fields;
  readonly extraFields: (typeof extraFieldsChoices)[number];
  readonly spam: { readonly traps: readonly string[] };
  readonly notifications?:
    | { readonly emails: readonly Conditions[]; readonly webhooks: readonly Conditions[] }
    | undefined;
}

/** The field that the setting `fields` makes of a form's field. */
const configuredField = (name: string, fields: Fields) => fieldNames.find((field) => fields[field] === name);

/** The field under whose name the service stores a form's field, if the form has no better one for it. */
const foundField = (name: string, value: string, { extraFields }: Environment): string | undefined => {
  const meaning = readerOf([name]).meaningOf(name);
  const field = fieldNames.find((each) => each === meaning?.of);
  if (meaning && field && isMeant(candidateOf([name, value], meaning), { extraFields }, () => true)) return field;
  return isCampaign(name) ? 'campaign' : undefined;
};

/** Each target, with the place of its settings. */
const placedTargets = ({ notifications }: Environment) =>
  Object.entries({ emails: notifications?.emails ?? [], webhooks: notifications?.webhooks ?? [] }).flatMap(
    ([list, targets]) => targets.map((given, at) => ({ place: `${list}.${at}`, given })),
  );

/** A field in a condition that is not stored under our own name. */
interface ExtraField {
  readonly place: string;
  readonly name: string;
  /** Our names under which the setting `fields` stores it, for each form that the target can get. */
  readonly configured: readonly (FieldName | undefined)[];
  /** Our names under which the service may store it, for each text that the condition wants. */
  readonly found: readonly (string | undefined)[];
}

const extraFieldsIn = (environment: Environment): readonly ExtraField[] =>
  placedTargets(environment).flatMap(({ place, given }) => {
    const forms = given.forms ?? ['', ...Object.keys(environment.forms)];
    const settings = forms.map((form) => ({ ...environment.fields, ...environment.forms[form]?.fields }));
    return Object.entries(given.where ?? {})
      .filter(([name]) => !isOwnField(name))
      .map(([name, wanted]) => ({
        place,
        name,
        configured: settings.map((fields) => configuredField(name, fields)),
        found: wanted.map((text) => foundField(name, text, environment)),
      }));
  });

/** Why no contact request holds a field under this name. */
const errorOfField = (
  { extraFields, spam }: Environment,
  { name, configured, found }: ExtraField,
): string | undefined => {
  if (formFields.form.some((each) => each === name)) return `names the form: write forms: ["sales"] instead`;
  if (forService.has(name) || spam.traps.includes(name)) return 'is not kept: write another field';
  const [first] = configured;
  if (configured.every((field) => field !== undefined))
    return `is stored as "${first}", as fields says: write "${first}"`;
  if (extraFields === 'keep') return undefined;
  const other = found.find((field) => field !== undefined);
  return other === undefined
    ? 'is dropped, as extraFields says: write another field'
    : `is stored as "${other}" or dropped, as extraFields says: write "${other}"`;
};

/** A line for each target whose conditions exclude each other, and for each field in `where` that no contact request has. */
export const impossibleConditions = (environment: Environment): string[] => [
  ...placedTargets(environment).flatMap(({ place, given }) =>
    conditionNames
      .filter((name) => given.otherwise && given[name] && !['otherwise', 'forms', 'sites'].includes(name))
      .map((name) => `${place} has otherwise and ${name}: remove one of them`),
  ),
  ...extraFieldsIn(environment).flatMap((field) => {
    const error = errorOfField(environment, field);
    return error === undefined ? [] : [`${field.place}.where has "${field.name}", which ${error}`];
  }),
];

/**
 * The origins with that of a contact request without a site. If the environment has only one, it is likely to come from there: its
 * pages may hide their origin.
 */
export const withNone = (origins: readonly string[], { sites }: Pick<Environment, 'sites'>): string[] =>
  sites.length === 1 ? [...origins, noSite] : [...origins];

/** The conditions of a target, as `fan-out` reads them. */
export const deployedConditions = ({ sites, ...others }: Conditions, environment: Pick<Environment, 'sites'>) => ({
  ...others,
  ...(sites && { sites: withNone(sites, environment) }),
});

/** A line for each field in `where` that some forms store under another name. */
const warningsOfFields = (environment: Environment): string[] =>
  extraFieldsIn(environment).flatMap(({ place, name, configured, found }) =>
    [...new Set([...configured, ...found].filter((other) => other !== undefined))].map(
      (other) =>
        `${place}.where has "${name}", which is stored as "${other}" unless the form has a better field for that: write "${other}", or give the field of the form another name, such as "topic".`,
    ),
  );

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** A line if no target gets some contact requests. The least that one can be has no form, and no text that a condition names. */
const warningOfUnreached = (environment: Environment): string[] => {
  const targets = new Map(
    placedTargets(environment).map(({ place, given }) => [place, deployedConditions(given, environment)]),
  );
  const sites = [...environment.sites.map(({ origin }) => origin), undefined].filter((site) => {
    const unmet = unmetConditions(targets, site === undefined ? {} : { site }, false);
    return [...unmet.values()].every((condition) => condition !== undefined);
  });
  if (sites.length === 0) return [];
  const places = anyOf.format(sites.map((site) => site ?? 'none (as of a script)'));
  return [
    `Nobody is notified of a contact request whose site is ${places}, if it meets no other condition: add a target with otherwise: true, or one without conditions.`,
  ];
};

/** What to tell an operator whose conditions are possible, but may not do what they seem to. */
export const warningsOfConditions = (environment: Environment): string[] => [
  ...warningsOfFields(environment),
  ...warningOfUnreached(environment),
];

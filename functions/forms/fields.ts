import { type ContactFields, type FieldName, fieldNames } from '../contacts/contact.ts';
import { isGiven, parseExtra } from '../contacts/extra.ts';
import type { FieldError, MissingValue } from '../http/errors.ts';
import type { SentField } from '../names/candidate.ts';
import { type FindOptions, findFields } from '../names/find.ts';
import { findCampaign, isCampaign } from '../names/find-campaign.ts';
import { formFields } from '../names/service-fields.ts';
import { spell } from '../names/spelling.ts';

/** A requirement that either of two fields meets. */
export const emailOrPhone = 'email|phone';

/** Names of owners: they make no contact request by themselves. */
const ofOwners: readonly string[] = ['fromname', 'replyto'];

/** Whether an extra field that is filled in can make a contact request by itself. */
const hasContent = (name: string): boolean =>
  !name.startsWith('utm_') &&
  !formFields.thankYouUrl.some((each) => each === name) &&
  !isCampaign(name) &&
  !ofOwners.includes(spell(name));

/** What a form calls the fields that it sends. */
type SentNames = ReadonlyMap<string, string>;

/**
 * The error of a field that is not filled in.
 * @param required its name, or `emailOrPhone`
 */
const missing = (required: string, names: SentNames): FieldError & MissingValue => {
  if (required === emailOrPhone) {
    const hasEmail = names.has('email');
    if (hasEmail !== names.has('phone')) return missing(hasEmail ? 'email' : 'phone', names);
    return { ...missing('email', names), requirement: 'emailOrPhone' };
  }
  const field = names.get(required) ?? required;
  const contactField = fieldNames.find((name) => name === required);
  return { field, code: 'required', requirement: field === 'message' ? 'message' : 'other', contactField };
};

/**
 * What to fill in of a form in which nothing is filled in.
 * @param isOneEnough whether the settings insist on nothing more
 */
const missingInEmpty = (names: SentNames, isOneEnough: boolean): FieldError[] => {
  const isAbsent = names.size === 0;
  const fields = isAbsent ? (['email', 'message'] as const) : fieldNames.filter((field) => names.has(field));
  const required = new Set(fields.map((field) => (field === 'email' || field === 'phone' ? emailOrPhone : field)));
  const errors = [...required].map((each) => ({ ...missing(each, names), isAbsent }));
  return isOneEnough && errors.length > 1 ? errors.map((each) => ({ ...each, requirement: 'oneOfSeveral' })) : errors;
};

/** At most one error for each field, those of the fields first. */
const ordered = (errors: readonly FieldError[]): FieldError[] => {
  const first = errors.filter(({ field }, at) => errors.findIndex((other) => other.field === field) === at);
  const ofFields = fieldNames.flatMap((name) => first.filter(({ contactField }) => contactField === name));
  return [...ofFields, ...first.filter(({ contactField }) => contactField === undefined)];
};

export interface ParseOptions extends FindOptions {
  /** Names of fields, and `emailOrPhone`, on which the settings insist. */
  readonly required: readonly string[];
  /** The names of the file inputs with which files came. @defaultValue none */
  readonly fileInputs?: readonly string[];
}

export interface ParsedFields {
  readonly fields: ContactFields;
  readonly errors: readonly FieldError[];
  /** How many fields were dropped. */
  readonly ignored: number;
  /** No name means the address: it was found by its value, so it can be that of somebody else. */
  readonly isEmailByValue: boolean;
}

/**
 * Validates what a visitor filled in.
 * @param sent all fields but those for the service itself
 */
export const parseFields = async (sent: readonly SentField[], options: ParseOptions): Promise<ParsedFields> => {
  const { required, extraFields, fileInputs = [] } = options;
  const found = await findFields(sent, options);
  const { taken, names, noNumber } = found;
  const { campaign, others } = findCampaign(found.others);
  const kept = extraFields === 'keep' ? others : [];
  const fields: Partial<Record<FieldName, string>> = {};
  const errors: FieldError[] = [];
  for (const [contactField, { name, parsed }] of taken) {
    if ('value' in parsed) fields[contactField] = parsed.value;
    else errors.push({ field: name, ...parsed.error, contactField });
  }

  const given = sent.filter(([, value]) => isGiven(value)).map(([name]) => name);
  const filledIn = new Set([...taken.keys(), ...given, ...fileInputs]);
  if (noNumber === 'phone') filledIn.delete(noNumber);
  const unmet = required.filter((each) => !each.split('|').some((name) => filledIn.has(name)));
  for (const each of unmet) {
    if (each === 'phone' && noNumber !== undefined)
      errors.push({ field: noNumber, code: 'invalid_phone', contactField: each });
    else errors.push(missing(each, names));
  }
  // Of a form that has some of the fields or a name, the others say nothing: they can be hidden or chosen beforehand.
  const hasName = extraFields === 'keep' && found.name === 'filled in';
  const isFilledIn = taken.size > 0 || noNumber !== undefined || hasName || fileInputs.length > 0;
  const asksForAny = names.size > 0 || found.name === 'blank';
  const { extra, errors: errorsOfExtra } = parseExtra(kept);
  const hasOther =
    errorsOfExtra.length > 0 || Object.keys(extra ?? {}).some((name) => hasContent(name) && !found.isSubject(name));
  const isEmpty = !isFilledIn && (asksForAny || !hasOther);
  if (isEmpty) errors.push(...missingInEmpty(names, unmet.length === 0));

  return {
    fields: { ...fields, ...(campaign !== undefined && { campaign }), ...(extra && { extra }) },
    errors: [...ordered(errors), ...errorsOfExtra],
    ignored: others.length - kept.length,
    isEmailByValue: found.isEmailByValue,
  };
};

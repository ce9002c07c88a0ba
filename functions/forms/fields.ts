import { type ContactFields, type FieldName, fieldNames } from '../contacts/contact.ts';
import { isGiven, parseExtra } from '../contacts/extra.ts';
import type { FieldError, MissingValue } from '../http/errors.ts';
import { type ExtraFields, findCampaign, findFields, type SentField } from '../names/find.ts';
import { nameWithoutContent, spell } from '../names/spelling.ts';
import { formFields } from '../names/words.ts';

/** A requirement that either of two fields meets. */
export const emailOrPhone = 'email|phone';

const hasContent = ([name, value]: SentField): boolean =>
  isGiven(value) &&
  !name.startsWith('utm_') &&
  !formFields.thankYouUrl.some((each) => each === name) &&
  !nameWithoutContent.test(spell(name));

/** What a form calls the six that it sends. */
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

/** At most one error for each field, those of the six first. */
const ordered = (errors: readonly FieldError[]): FieldError[] => {
  const first = errors.filter(({ field }, at) => errors.findIndex((other) => other.field === field) === at);
  const ofSix = fieldNames.flatMap((name) => first.filter(({ contactField }) => contactField === name));
  return [...ofSix, ...first.filter(({ contactField }) => contactField === undefined)];
};

export interface ParseOptions {
  readonly extraFields: ExtraFields;
  /** Names of fields, and `emailOrPhone`, on which the settings insist. */
  readonly required: readonly string[];
}

export interface ParsedFields {
  readonly fields: ContactFields;
  readonly errors: readonly FieldError[];
  /** How many fields were dropped. */
  readonly ignored: number;
}

/**
 * Validates what a visitor filled in.
 * @param sent all fields but those for the service itself
 */
export const parseFields = (sent: readonly SentField[], { extraFields, required }: ParseOptions): ParsedFields => {
  const found = findFields(sent, extraFields);
  const { taken, names } = found;
  const { campaign, others } = findCampaign(found.others);
  const kept = extraFields === 'keep' ? others : [];
  const fields: Partial<Record<FieldName, string>> = {};
  const errors: FieldError[] = [];
  for (const [contactField, { name, parsed }] of taken) {
    if ('value' in parsed) fields[contactField] = parsed.value;
    else errors.push({ field: name, ...parsed.error, contactField });
  }

  // Of a form that has some of the six, the others say nothing: they can be hidden or chosen beforehand.
  const isFilledIn = taken.size > 0 || (names.size === 0 && kept.some(hasContent));
  const filledIn = new Set([...taken.keys(), ...sent.filter(([, value]) => isGiven(value)).map(([name]) => name)]);
  const unmet = required.filter((each) => !each.split('|').some((name) => filledIn.has(name)));
  errors.push(...unmet.map((each) => missing(each, names)));
  if (!isFilledIn) errors.push(...missingInEmpty(names, unmet.length === 0));

  const { extra, errors: errorsOfExtra } = parseExtra(kept);
  return {
    fields: { ...fields, ...(campaign !== undefined && { campaign }), ...(extra && { extra }) },
    errors: [...ordered(errors), ...errorsOfExtra],
    ignored: others.length - kept.length,
  };
};

import type { Fault, ValueFault } from '../http/errors.ts';
import { isBlank, type Parsed } from '../shared/text.ts';
import { type ContactFields, contactFields, type FieldName, fieldNames } from './contact.ts';
import { type extraFieldsChoices, parseExtra } from './extra.ts';
import { formFields, otherNames, replyToName, wordsOf } from './form-fields.ts';

/** A field of a form: its name, and what was sent under that name. */
type SentField = readonly [name: string, value: unknown];

type Rule = (value: unknown) => Parsed<string, ValueFault>;

/** What a name means. The lower the rank, the sooner it counts. */
interface Meaning {
  readonly field: FieldName;
  readonly rank: number;
}

/** The ranks of a field's own name, and of the same in another spelling. Higher ones are those of other names. */
const exactRank = 0;
const spelledRank = 1;

const replyTo: Meaning = { field: 'email', rank: Infinity };

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ...fieldNames.flatMap((field) => [
    [field.toLowerCase(), { field, rank: spelledRank }] as const,
    ...otherNames[field].map((word, at) => [word, { field, rank: spelledRank + 1 + at }] as const),
  ]),
  [replyToName, replyTo] as const,
]);

const meaningOf = (name: string): Meaning | undefined => {
  const field = fieldNames.find((each) => each === name);
  if (field) return { field, rank: exactRank };
  return wordsOf(name)
    .map((word) => meanings.get(word))
    .find((meaning) => meaning !== undefined);
};

/** A field of the form whose name means one of the six. */
interface Candidate extends Meaning {
  readonly name: string;
  /** What was sent, without blank values and repetitions. */
  readonly values: readonly unknown[];
  /** The one that counts: the first that fits the field's rule, or else the first. */
  readonly value: unknown;
  readonly parsed: Parsed<string, ValueFault>;
}

const candidateOf = ([name, sent]: SentField, meaning: Meaning, rule: Rule): Candidate => {
  const values = [...new Set([sent].flat().filter((value) => !isBlank(value)))];
  const value = values.find((each) => 'value' in rule(each)) ?? values[0];
  return { ...meaning, name, values, value, parsed: rule(value) };
};

const isFilledIn = ({ values }: Candidate) => values.length > 0;

const fits = ({ parsed }: Candidate) => 'value' in parsed;

const isAddressLike = (value: unknown) => typeof value === 'string' && value.includes('@');

/**
 * Whether what was sent under the name is meant for the field. Under another name than the field's own, a value that does not fit
 * is something else: `mail=yes`, for example. But a malformed address is a mistake that its visitor must learn of, and so is a
 * phone number that would be lost.
 */
const isMeant = (candidate: Candidate, extraFields: ExtraFields): boolean => {
  const { field, rank, name, value } = candidate;
  if (!isFilledIn(candidate) || fits(candidate) || rank <= spelledRank) return true;
  if (field === 'email') return isAddressLike(value);
  return extraFields === 'ignore' && field === 'phone' && wordsOf(name).includes('tel');
};

const hasBlanks = (value: unknown) => typeof value === 'string' && /\s/.test(value.trim());

/** Sorts the one that counts to the front: of messages under other names, one of several words. */
const byRank = (one: Candidate, other: Candidate): number => {
  const isBehind = (candidate: Candidate) =>
    candidate.rank > spelledRank &&
    (!fits(candidate) || (candidate.field === 'message' && !hasBlanks(candidate.value)));
  return Number(isBehind(one)) - Number(isBehind(other)) || one.rank - other.rank;
};

type ExtraFields = (typeof extraFieldsChoices)[number];

interface Found {
  /** The fields of the form that hold the six. */
  readonly taken: ReadonlyMap<FieldName, Candidate>;
  /** The names under which the form sends the six, filled in or not. */
  readonly names: ReadonlyMap<string, string>;
  /** All other fields. */
  readonly others: readonly SentField[];
}

/** Finds the six fields, whatever the form calls them. */
const findFields = (sent: readonly SentField[], extraFields: ExtraFields): Found => {
  const taken = new Map<FieldName, Candidate>();
  const names = new Map<string, string>();
  const meant = sent.map((field) => ({ field, meaning: meaningOf(field[0]) }));
  for (const { name: field, rule } of contactFields) {
    const all = meant
      .flatMap((each) => (each.meaning?.field === field ? [candidateOf(each.field, each.meaning, rule)] : []))
      .filter((candidate) => isMeant(candidate, extraFields));
    const isOther = ({ rank }: Candidate) => rank !== replyTo.rank;
    const candidates = all.some(isOther) ? all.filter(isOther) : all;
    const [first] = candidates.filter(isFilledIn).toSorted(byRank);
    if (first) taken.set(field, first);
    const name = first?.name ?? candidates.toSorted(byRank)[0]?.name;
    if (name !== undefined) names.set(field, name);
  }
  const takenBy = new Map([...taken.values()].map((candidate) => [candidate.name, candidate]));
  const others = sent.flatMap(([name, value]): SentField[] => {
    const candidate = takenBy.get(name);
    if (!candidate) return [[name, value]];
    const [rest, ...more] = candidate.values.filter((each) => each !== candidate.value);
    return rest === undefined ? [] : [[name, more.length === 0 ? rest : [rest, ...more]]];
  });
  return { taken, names, others };
};

/** Fields that make no contact request by themselves, beside those of other services. */
const sayNothing: ReadonlySet<string> = new Set(['subject', 'campaign', replyToName]);

const saysSomething = ([name, value]: SentField): boolean =>
  ![value].flat().every(isBlank) &&
  !name.startsWith('utm_') &&
  !formFields.thankYouUrl.some((each) => each === name) &&
  !wordsOf(name).some((word) => sayNothing.has(word));

/** A requirement that either of two fields meets. */
export const emailOrPhone = 'email|phone';

/** The fault of a requirement that is not met. Names the field as the form does. */
const missing = (requirement: string, names: Found['names']): Fault => {
  const [field = '', alternative] = requirement.split('|');
  if (alternative === undefined) {
    const name = names.get(field);
    return { field: name ?? field, code: 'required', ...(name === undefined && { isAbsent: true }) };
  }
  // Of two fields, the form may have only one.
  if (names.has(field) !== names.has(alternative)) return missing(names.has(field) ? field : alternative, names);
  return { ...missing(field, names), alternative: names.get(alternative) ?? alternative };
};

/** What to fill in of a form that was sent empty. */
const requiredOfEmpty = ({ names }: Found): readonly string[] => {
  if (names.size === 0) return [emailOrPhone, 'message'];
  const isEither = names.has('email') && names.has('phone');
  return fieldNames
    .filter((field) => names.has(field))
    .map((field) => (isEither && (field === 'email' || field === 'phone') ? emailOrPhone : field));
};

export interface ParseOptions {
  readonly extraFields: ExtraFields;
  /** Names of fields, and `emailOrPhone`, on which the settings insist. */
  readonly required: readonly string[];
}

export interface ParsedFields {
  readonly fields: ContactFields;
  /** At most one for each field, in the order of the six, then of `required`, then of the form. */
  readonly faults: readonly Fault[];
  /** How many fields were dropped. */
  readonly ignored: number;
}

/**
 * Validates what a visitor filled in.
 * @param sent all fields but those for the service itself
 */
export const parseFields = (sent: readonly SentField[], { extraFields, required }: ParseOptions): ParsedFields => {
  const found = findFields(sent, extraFields);
  const { taken, names, others } = found;
  const isIgnoring = extraFields === 'ignore';
  const { extra, faults: faultsOfExtra } = parseExtra(isIgnoring ? [] : others);

  const isEmpty = taken.size === 0 && (names.size > 0 || isIgnoring || !others.some(saysSomething));
  const filledIn = new Set([
    ...sent.filter(([, value]) => ![value].flat().every(isBlank)).map(([name]) => name),
    ...taken.keys(),
  ]);
  const isMet = (requirement: string) => requirement.split('|').some((name) => filledIn.has(name));
  const unmet = [...(isEmpty ? requiredOfEmpty(found) : []), ...required.filter((requirement) => !isMet(requirement))];

  const fields: Partial<Record<FieldName, string>> = {};
  const faults: Fault[] = [];
  for (const [field, { name, parsed }] of taken) {
    if ('value' in parsed) fields[field] = parsed.value;
    else faults.push({ field: name, ...parsed.fault });
  }
  const sentNames = new Map([...sent.map(([name]) => [name, name] as const), ...names]);
  faults.push(...unmet.map((requirement) => missing(requirement, sentNames)));
  const order = new Set([...fieldNames.map((field) => names.get(field) ?? field), ...required]);
  return {
    fields: { ...fields, ...(extra && { extra }) },
    faults: [...[...order].flatMap((name) => faults.find(({ field }) => field === name) ?? []), ...faultsOfExtra],
    ignored: isIgnoring ? others.length : 0,
  };
};

import { contactFields, type FieldName } from '../contacts/contact.ts';
import type { extraFieldsChoices } from '../contacts/extra.ts';
import type { ValueError } from '../http/errors.ts';
import { isBlank, line, type Parsed } from '../shared/text.ts';
import type { Meaning } from './dictionary.ts';
import { doubtfulRank, exactRank, otherRank, spelledRank } from './ranks.ts';

/** A field of a form: its name, and what was sent under that name. */
export type SentField = readonly [name: string, value: unknown];

interface SentValue {
  readonly value: unknown;
  readonly parsed: Parsed<string, ValueError>;
}

/** A field of the form whose name means one of the fields, or the visitor's name. */
export interface Candidate extends Meaning {
  readonly name: string;
  /** Of several values, the first that fits the field's rule, or else the first; undefined if none is filled in. */
  readonly best: SentValue | undefined;
  /** The other values, each once. */
  readonly rest: readonly unknown[];
}

export const fits = (sent: SentValue | undefined) => sent !== undefined && 'value' in sent.parsed;

const isSame = ({ parsed: one }: SentValue, { parsed: other }: SentValue) =>
  'value' in one && 'value' in other && one.value === other.value;

type Rule = (typeof contactFields)[number]['rule'];

export const ruleOf: ReadonlyMap<string, Rule> = new Map<FieldName, Rule>(
  contactFields.map(({ name, rule }) => [name, rule]),
);

/** The rule of what no field of its own holds: the visitor's whole name. */
const anyLine = line(200);

const addresses = /^[^\s,@]+@[^\s,@]+(?:\s*,\s*[^\s,@]+@[^\s,@]+){1,19}$/;

/** `<input type="email" multiple>` sends several addresses as one text. */
const splitAddresses = (value: unknown): unknown[] =>
  typeof value === 'string' && addresses.test(value.trim()) ? value.trim().split(/\s*,\s*/) : [value];

/** No form for people repeats a field so often. */
const maxValuesOfField = 20;

export const candidateOf = ([name, sent]: SentField, meaning: Meaning): Candidate => {
  const rule = ruleOf.get(meaning.of) ?? anyLine;
  const given = (Array.isArray(sent) ? [...new Set<unknown>(sent)] : [sent]).filter((value) => !isBlank(value));
  const all = meaning.of === 'email' ? given.flatMap(splitAddresses) : given;
  const values = all.slice(0, maxValuesOfField).map((value): SentValue => ({ value, parsed: rule(value) }));
  const best = values.find(fits) ?? values[0];
  const rest = values.filter((each) => best && each !== best && !isSame(each, best));
  return { ...meaning, name, best, rest: [...rest.map(({ value }) => value), ...all.slice(maxValuesOfField)] };
};

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** What else was sent has none: to write a deep list as a text overflows the stack. */
const textOf = (sent: SentValue | undefined): string => (isText(sent?.value) ? String(sent?.value).trim() : '');

/** Only a message has line breaks: under another name, such a text is something else. */
export const hasLines = (text: string): boolean => /[\r\n]/.test(text.trim());

/** Under a name such as `number` or `contact`, fewer digits are how many guests come, and letters are an address. */
const isLongNumber = ({ parsed }: SentValue): boolean => {
  const number = 'value' in parsed ? parsed.value : '';
  return !/[a-z@]/i.test(number) && (number.match(/\d/g) ?? []).length >= 7;
};

/** An `@`, or a full stop within a word. A sentence is no address. */
const looksLikeAddress = (value: unknown): boolean =>
  typeof value === 'string' && /@|\S\.\S/.test(value) && value.trim().split(/\s+/).length <= 3;

export interface MeantOptions {
  readonly extraFields: (typeof extraFieldsChoices)[number];
  /** Addresses of the owner: none of them is the visitor's, unless a name says so. In lower case. */
  readonly ownAddresses?: readonly string[] | undefined;
}

/**
 * Whether a value that does not fit is a mistake of which its visitor must learn: a malformed address, or a text that would be
 * lost. Under a name that can mean something else, it is something else: `mail=yes`. A phone number that is none (`none`) is no
 * mistake: it stays an extra field.
 */
const isMistake = (
  { of, word, rank }: Candidate,
  { value, parsed }: SentValue,
  { extraFields }: MeantOptions,
  hasAddress: () => boolean,
): boolean => {
  const isOwnName = rank <= spelledRank;
  if (!isText(value)) return isOwnName;
  const isNoNumber = of === 'phone' && 'error' in parsed && parsed.error.code === 'invalid_phone';
  if (isNoNumber) return extraFields === 'ignore' && (isOwnName || word === 'tel');
  if (!/\w|[^\0-\x7f]/.test(String(value))) return false;
  // A hidden field of this name can hold something else, if the address stands elsewhere.
  if (of === 'email' && isOwnName && rank >= exactRank && !looksLikeAddress(value)) return !hasAddress();
  if (isOwnName) return true;
  if (of === 'email') return looksLikeAddress(value);
  // As an extra field, it would be refused as well, and the form would count as empty besides.
  return of === 'message' || extraFields === 'ignore';
};

/**
 * Whether what was sent under the name is meant for the field.
 * @param hasAddress whether any field of the form holds an address
 */
export const isMeant = (candidate: Candidate, options: MeantOptions, hasAddress: () => boolean): boolean => {
  const { of, rank, orElse, best } = candidate;
  if (!best) return orElse !== 'other number';
  const text = textOf(best);
  if (rank >= doubtfulRank && options.ownAddresses?.includes(text.toLowerCase())) return false;
  if (orElse === 'other number') return isLongNumber(best);
  if (of === 'name' && hasLines(text)) return false;
  if (fits(best)) return orElse !== "owner's address" || text.includes('@');
  return isMistake(candidate, best, options, hasAddress);
};

const isNumberedText = ({ of, name }: Candidate): boolean => of === 'message' && /\d\W*$/.test(name);

/** Several numbered texts, such as `question1` and `question2`, are a survey: each of its texts needs its own name. */
export const surveyIn = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const numbered = candidates.filter(isNumberedText);
  return numbered.filter((each) => numbered.some(({ name, word }) => name !== each.name && word === each.word));
};

/** Of several texts, visitors wrote the one of several lines, or else of several words. The page offered the others. */
const penaltyOf = ({ of, rank, best }: Candidate): number => {
  if (rank <= spelledRank) return 0;
  if (of !== 'message' || rank < otherRank) return Number(!fits(best));
  const text = textOf(best);
  return hasLines(text) ? 0 : /\s/.test(text) ? 1 : 2;
};

const byRank = (one: Candidate, other: Candidate): number =>
  Number(one.best === undefined) - Number(other.best === undefined) ||
  penaltyOf(one) - penaltyOf(other) ||
  one.rank - other.rank;

/** The candidate that counts for a field. */
export const bestOf = (of: Meaning['of'], candidates: readonly Candidate[]): Candidate | undefined => {
  const all = candidates.filter((candidate) => candidate.of === of);
  const undoubted = all.filter(({ rank }) => rank < doubtfulRank);
  return (undoubted.length > 0 ? undoubted : all).toSorted(byRank)[0];
};

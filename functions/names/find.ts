import { contactFields, type FieldName, fieldNames } from '../contacts/contact.ts';
import type { extraFieldsChoices } from '../contacts/extra.ts';
import type { ValueError } from '../http/errors.ts';
import { isBlank, line, type Parsed } from '../shared/text.ts';
import type { SentText } from './by-value.ts';
import type { Meaning } from './dictionary.ts';
import {
  configuredRank,
  doubtfulRank,
  exactRank,
  numberWords,
  otherRank,
  ownersName,
  replyTo,
  spelledRank,
} from './ranks.ts';

/** A field of a form: its name, and what was sent under that name. */
export type SentField = readonly [name: string, value: unknown];

export interface FindOptions {
  readonly extraFields: (typeof extraFieldsChoices)[number];
  /** The names under which this form sends the fields: the setting `fields`. They come before all rules. */
  readonly fields?: Readonly<Partial<Record<FieldName, string>>> | undefined;
  /** Addresses of the owner: none of them is the visitor's, unless a name says so. In lower case. */
  readonly ownAddresses?: readonly string[] | undefined;
}

type Rule = (typeof contactFields)[number]['rule'];

const ruleOf = new Map<string, Rule>(contactFields.map(({ name, rule }) => [name, rule]));

interface SentValue {
  readonly value: unknown;
  readonly parsed: Parsed<string, ValueError>;
}

/** A field of the form whose name means one of the fields, or the visitor's name. */
interface Candidate extends Meaning {
  readonly name: string;
  /** Of several values, the first that fits the field's rule, or else the first; undefined if none is filled in. */
  readonly best: SentValue | undefined;
  /** The other values, each once. */
  readonly rest: readonly unknown[];
}

const fits = (sent: SentValue | undefined) => sent !== undefined && 'value' in sent.parsed;

const isSame = ({ parsed: one }: SentValue, { parsed: other }: SentValue) =>
  'value' in one && 'value' in other && one.value === other.value;

/** The rule of what no field of its own holds: the visitor's whole name. */
const anyLine = line(200);

const addresses = /^[^\s,@]+@[^\s,@]+(?:\s*,\s*[^\s,@]+@[^\s,@]+){1,19}$/;

/** `<input type="email" multiple>` sends several addresses as one text. */
const addressesIn = (value: unknown): unknown[] =>
  typeof value === 'string' && addresses.test(value.trim()) ? value.trim().split(/\s*,\s*/) : [value];

/** No form for people repeats a field so often. */
const maxValuesRead = 20;

const candidateOf = ([name, sent]: SentField, meaning: Meaning): Candidate => {
  const rule = ruleOf.get(meaning.of) ?? anyLine;
  const given = [...new Set([sent].flat())].filter((value) => !isBlank(value));
  const all = meaning.of === 'email' ? given.flatMap(addressesIn) : given;
  const values = all.slice(0, maxValuesRead).map((value): SentValue => ({ value, parsed: rule(value) }));
  const best = values.find(fits) ?? values[0];
  const rest = values.filter((each) => best && each !== best && !isSame(each, best));
  return { ...meaning, name, best, rest: [...rest.map(({ value }) => value), ...all.slice(maxValuesRead)] };
};

/** Only a message has line breaks: under another name, such a text is something else. */
const hasLines = (value: unknown): boolean => /[\r\n]/.test(String(value).trim());

const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Under a name such as `number` or `contact`, fewer digits are how many guests come, and letters are an address. */
const isLongNumber = (best: SentValue | undefined): boolean => {
  const number = best && 'value' in best.parsed ? best.parsed.value : '';
  return !/[a-z@]/i.test(number) && (number.match(/\d/g) ?? []).length >= 7;
};

/** An `@`, or a full stop within a word. A sentence is no address. */
const looksLikeAddress = (value: unknown): boolean =>
  typeof value === 'string' && /@|\S\.\S/.test(value) && value.trim().split(/\s+/).length <= 3;

/**
 * Whether what was sent under the name is meant for the field. Under a name that can mean something else, so does a value that
 * does not fit: `mail=yes`. But of a malformed address its visitor must learn, and of a text that would be lost, too. A phone
 * number that is none (`none`) is no error: it stays an extra field.
 */
const isMeant = (
  { of, word, rank, best }: Candidate,
  { extraFields, ownAddresses = [] }: FindOptions,
  hasAddress: () => boolean,
): boolean => {
  if (rank >= doubtfulRank && best && ownAddresses.includes(String(best.value).trim().toLowerCase())) return false;
  if (of === 'phone' && numberWords.has(word)) return isLongNumber(best);
  if (of === 'name' && hasLines(best?.value)) return false;
  if (!best || fits(best)) return word !== replyTo || !best || String(best.value).includes('@');
  if (!isText(best.value)) return rank <= spelledRank;
  const isNoNumber =
    of === 'phone' && best.parsed && 'error' in best.parsed && best.parsed.error.code === 'invalid_phone';
  if (isNoNumber) return extraFields === 'ignore' && (rank <= spelledRank || word === 'tel');
  if (!/\w|[^\0-\x7f]/.test(String(best.value))) return false;
  // A hidden field of this name can hold something else, if the address stands elsewhere.
  if (of === 'email' && rank <= spelledRank && rank >= exactRank && !looksLikeAddress(best.value)) return !hasAddress();
  if (rank <= spelledRank) return true;
  if (of === 'email') return looksLikeAddress(best.value);
  // As an extra field, it would be refused as well, and the form would count as empty besides.
  return of === 'message' || extraFields === 'ignore';
};

/** Of several texts, visitors wrote the one of several lines, or else of several words. The page offered the others. */
const penaltyOf = ({ of, rank, best }: Candidate): number => {
  if (rank <= spelledRank) return 0;
  if (of !== 'message' || rank < otherRank) return Number(!fits(best));
  const text = String(best?.value).trim();
  return /[\r\n]/.test(text) ? 0 : /\s/.test(text) ? 1 : 2;
};

const byRank = (one: Candidate, other: Candidate): number =>
  Number(one.best === undefined) - Number(other.best === undefined) ||
  penaltyOf(one) - penaltyOf(other) ||
  one.rank - other.rank;

interface Taken {
  readonly name: string;
  readonly parsed: Parsed<string, ValueError>;
}

export interface FoundFields {
  /** What is filled in for each field, and the name under which it was sent. */
  readonly taken: ReadonlyMap<FieldName, Taken>;
  /** What the form calls the fields that it sends, filled in or not. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether the form asks for the visitor's whole name, which stays an extra field, and whether it is filled in. */
  readonly name: 'not asked for' | 'blank' | 'filled in';
  /** The name of a field for a phone number that holds none, such as `none`. It stays an extra field. */
  readonly noNumber: string | undefined;
  readonly isSubject: (name: string) => boolean;
  /** Everything else. */
  readonly others: readonly SentField[];
}

const isNumberedText = ({ of, name }: Candidate): boolean => of === 'message' && /\d\W*$/.test(name);

/** Several numbered texts, such as `question1` and `question2`, are a survey: each of its texts needs its own name. */
const surveyIn = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const numbered = candidates.filter(isNumberedText);
  return numbered.filter((each) => numbered.some(({ name, word }) => name !== each.name && word === each.word));
};

/** Of other names, so many values are read. To read thousands takes too long, and no form for people has as many. */
const maxRead = 120;

/** The fields to read: the first ones, and those whose names are `own`. */
const firstOf = (sent: readonly SentField[], isOwn: (name: string) => boolean): SentField[] => {
  let left = maxRead;
  return sent.filter(([name, value]) => {
    const count = Array.isArray(value) ? Math.max(value.length, 1) : 1;
    if (count > left) return isOwn(name);
    left -= count;
    return true;
  });
};

const withoutRest = (sent: readonly SentField[], restOf: ReadonlyMap<string, readonly unknown[]>): SentField[] =>
  sent.flatMap(([name, value]): SentField[] => {
    const rest = restOf.get(name);
    if (rest === undefined) return [[name, value]];
    return rest.length === 0 ? [] : [[name, rest.length === 1 ? rest[0] : rest]];
  });

/** The first texts that were sent, those of repeated names, too. */
const textsIn = (sent: readonly SentField[]): SentText[] =>
  sent
    .flatMap(([name, value]) => [value].flat().map((text) => [name, text] as const))
    .slice(0, maxRead)
    .flatMap(([name, text]): SentText[] => (typeof text === 'string' && !isBlank(text) ? [[name, text]] : []));

/** A form that sends no other names needs no dictionary, whose loading takes a while. */
const readerFor = async (read: readonly SentField[]) => {
  const isExact = ([name]: SentField) => fieldNames.some((field) => field === name);
  if (!read.every(isExact)) {
    const { byValue, hasAddress, readerOf } = await import('./reading.ts');
    return { ...readerOf(read.map(([name]) => name)), byValue, hasAddress };
  }
  const meaningOf = (name: string): Meaning | undefined => {
    const of = fieldNames.find((field) => field === name);
    return of && { of, word: of, rank: exactRank };
  };
  const nothing = () => undefined;
  const no = () => false;
  return {
    meaningOf,
    wordsOf: () => [],
    isOfOthers: no,
    isConsent: no,
    isNoText: no,
    hasAddress: no,
    byValue: { email: nothing, phone: nothing, message: nothing },
  };
};

/** Finds the fields, whatever the form calls them. */
export const findFields = async (sent: readonly SentField[], options: FindOptions): Promise<FoundFields> => {
  const configured = new Map(Object.entries(options.fields ?? {}).map(([field, name]) => [name, field]));
  const isOwn = (name: string) => configured.has(name) || fieldNames.some((field) => field === name);
  const read = firstOf(sent, isOwn);
  const reader = await readerFor(read);
  const known = read.flatMap((each) => {
    const field = fieldNames.find((name) => name === configured.get(each[0]));
    const meaning = field ? { of: field, word: field, rank: configuredRank } : reader.meaningOf(each[0]);
    return meaning && meaning.of !== 'subject' ? [candidateOf(each, meaning)] : [];
  });
  const survey = surveyIn(known);
  let readAddress: boolean | undefined;
  const hasAddress = () => {
    readAddress ??= reader.hasAddress(textsIn(read));
    return readAddress;
  };
  const candidates = known.filter((each) => !survey.includes(each) && isMeant(each, options, hasAddress));
  const bestOf = (of: Meaning['of']) => {
    const all = candidates.filter((candidate) => candidate.of === of);
    const undoubted = all.filter(({ rank }) => rank < doubtfulRank);
    return (undoubted.length > 0 ? undoubted : all).toSorted(byRank)[0];
  };

  const taken = new Map<FieldName, Taken>();
  const names = new Map<string, string>();
  const restOf = new Map<string, readonly unknown[]>();
  const take = (field: FieldName, { name, best, rest }: Pick<Candidate, 'name' | 'best' | 'rest'>) => {
    names.set(field, name);
    if (!best) return;
    taken.set(field, { name, parsed: best.parsed });
    restOf.set(name, rest);
  };
  for (const field of fieldNames) {
    const best = bestOf(field);
    if (best) take(field, best);
  }
  const whole = bestOf('name');
  const isOwners = whole?.word === ownersName;
  const half = otherHalfOf(whole, taken, names);
  if (whole && half && !isOwners) take(half, whole);

  const takeText = (field: 'email' | 'phone' | 'message', found: SentText | undefined) => {
    const rule = ruleOf.get(field);
    if (!found || !rule) return;
    const [name, text] = found;
    taken.set(field, { name, parsed: rule(text) });
    const left = withoutRest(sent, restOf).find(([other]) => other === name)?.[1];
    restOf.set(
      name,
      [left].flat().filter((value) => value !== text),
    );
  };
  const texts = () => textsIn(withoutRest(read, restOf));
  if (!names.has('email')) takeText('email', reader.byValue.email(texts(), reader, options.ownAddresses ?? []));
  if (!names.has('phone')) {
    const unnamed = texts().filter(([name]) => [undefined, 'phone'].includes(reader.meaningOf(name)?.of));
    takeText('phone', reader.byValue.phone(unnamed, reader));
  }
  if (!names.has('message') && survey.length === 0) {
    const isUnnamed = ([name, text]: SentText) => {
      const of = reader.meaningOf(name)?.of;
      return of === undefined || (of !== 'message' && hasLines(text));
    };
    const unnamed = texts().filter(isUnnamed);
    takeText('message', reader.byValue.message(unnamed, reader));
  }

  return {
    taken,
    names,
    name: whole === undefined || isOwners ? 'not asked for' : whole.best ? 'filled in' : 'blank',
    noNumber: taken.has('phone')
      ? undefined
      : known.find(({ of, best }) => of === 'phone' && best && !fits(best))?.name,
    isSubject: (name) => reader.meaningOf(name)?.of === 'subject',
    others: withoutRest(sent, restOf),
  };
};

/** Beside one half of a name, `name` is the other half (`nome` beside `cognome`), unless it holds that half, too. */
const otherHalfOf = (
  whole: Candidate | undefined,
  taken: ReadonlyMap<FieldName, Taken>,
  names: ReadonlyMap<string, string>,
): 'firstName' | 'lastName' | undefined => {
  if (!whole?.best || !fits(whole.best) || whole.rest.length > 0) return undefined;
  const half = (['firstName', 'lastName'] as const).find((name) => taken.has(name));
  const other = half === 'firstName' ? 'lastName' : 'firstName';
  if (half === undefined || names.has(other)) return undefined;
  const known = taken.get(half)?.parsed;
  const holds = known && 'value' in known && String(whole.best.value).toLowerCase().includes(known.value.toLowerCase());
  return holds ? undefined : other;
};

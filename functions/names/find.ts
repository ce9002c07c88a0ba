import { contactFields, type FieldName, fieldNames } from '../contacts/contact.ts';
import type { extraFieldsChoices } from '../contacts/extra.ts';
import type { ValueError } from '../http/errors.ts';
import { isBlank, line, type Parsed } from '../shared/text.ts';
import { campaignNames, endsOf, isOfOthers, readingsOf, spell } from './spelling.ts';
import { otherNames, replyTo } from './words.ts';

/** A field of a form: its name, and what was sent under that name. */
export type SentField = readonly [name: string, value: unknown];

export type ExtraFields = (typeof extraFieldsChoices)[number];

/** What a name means. The lower the rank, the sooner it counts. */
interface Meaning {
  readonly field: FieldName;
  readonly rule: (typeof contactFields)[number]['rule'];
  readonly word: string;
  readonly rank: number;
}

/** The field's own name, exactly. */
const exactRank = 0;
/** The same in another spelling: `E-Mail`, `fields[email]`. */
const spelledRank = 1;
/** The same behind a word, which can change the meaning: `contact_email` can be a checkbox. */
const behindWordRank = 2;
/** The first of the other names. */
const otherRank = 3;
/** From here on, names can be somebody else's, as in `friend_email`: they count only if the form sends no better one. */
const doubtfulRank = 1000;

/** The fields that are found by the end of a name, too: of names, as in `child_first_name`, most are somebody else's. */
const fieldsByEnd: readonly FieldName[] = ['email', 'phone', 'message'];

const rankedWords = (field: FieldName): (readonly [word: string, rank: number])[] => [
  [field.toLowerCase(), spelledRank],
  ...otherNames[field].map((word, at) => [word, otherRank + at] as const),
  ...(field === 'email' ? [[replyTo, doubtfulRank] as const] : []),
];

const meanings: ReadonlyMap<string, Meaning> = new Map(
  contactFields.flatMap(({ name: field, rule }) =>
    rankedWords(field).map(([word, rank]) => [word, { field, rule, word, rank }] as const),
  ),
);

const meaningOf = (name: string): Meaning | undefined => {
  const own = meanings.get(name.toLowerCase());
  if (own?.field === name) return { ...own, rank: exactRank };
  for (const { word, isPart } of readingsOf(name)) {
    const meaning = meanings.get(word);
    if (meaning) return isPart ? { ...meaning, rank: Math.max(meaning.rank, behindWordRank) } : meaning;
  }
  for (const { end, before } of endsOf(name)) {
    const meaning = meanings.get(end);
    if (!meaning || !fieldsByEnd.includes(meaning.field)) continue;
    return isOfOthers(before) ? undefined : { ...meaning, rank: doubtfulRank + meaning.rank };
  }
  return undefined;
};

interface SentValue {
  readonly value: unknown;
  readonly parsed: Parsed<string, ValueError>;
}

/** A field of the form whose name means one of the six. */
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

const candidateOf = ([name, sent]: SentField, meaning: Meaning): Candidate => {
  const values = [...new Set([sent].flat())]
    .filter((value) => !isBlank(value))
    .map((value): SentValue => ({ value, parsed: meaning.rule(value) }));
  const best = values.find(fits) ?? values[0];
  const rest = values.filter((each) => best && each !== best && !isSame(each, best));
  return { ...meaning, name, best, rest: rest.map(({ value }) => value) };
};

/** Under the name `number`, fewer digits are how many guests come. */
const isLongNumber = (value: unknown) => typeof value === 'string' && (value.match(/\d/g) ?? []).length >= 7;

/** An `@`, or a full stop within a word. A sentence is no address. */
const looksLikeAddress = (value: unknown): boolean =>
  typeof value === 'string' && /@|\S\.\S/.test(value) && value.trim().split(/\s+/).length <= 3;

/**
 * Whether what was sent under the name is meant for the field. Under a name that can mean something else, so does a value that
 * does not fit: `mail=yes`. But of a malformed address its visitor must learn, and of a text or number that would be lost, too.
 */
const isMeant = ({ field, word, rank, best }: Candidate, extraFields: ExtraFields): boolean => {
  if (word === 'number') return isLongNumber(best?.value);
  if (!best) return true;
  if (fits(best) || rank <= spelledRank) return true;
  if (field === 'email') return looksLikeAddress(best.value);
  // As an extra field, it would be refused as well, and the form would count as empty besides.
  if (field === 'message' && typeof best.value === 'string') return true;
  return extraFields === 'ignore' && (field !== 'phone' || word === 'tel');
};

/** Whether another candidate comes first, whatever its rank: one that fits, or, for a message, one of several words. */
const isBehind = ({ field, rank, best }: Candidate): boolean => {
  if (field === 'message' && rank >= otherRank) return typeof best?.value === 'string' && !/\s/.test(best.value.trim());
  return rank > spelledRank && !fits(best);
};

const byRank = (one: Candidate, other: Candidate): number =>
  Number(one.best === undefined) - Number(other.best === undefined) ||
  Number(isBehind(one)) - Number(isBehind(other)) ||
  one.rank - other.rank;

interface FoundFields {
  /** What is filled in for each of the six, and the name under which it was sent. */
  readonly taken: ReadonlyMap<FieldName, { readonly name: string; readonly parsed: Parsed<string, ValueError> }>;
  /** What the form calls the six that it sends, filled in or not. */
  readonly names: ReadonlyMap<string, string>;
  /** Everything else. */
  readonly others: readonly SentField[];
}

const isNumberedText = ({ field, name }: Candidate): boolean => field === 'message' && /\d\W*$/.test(name);

/** Several numbered texts, such as `question1` and `question2`, are a survey: each answer needs its own name. */
const withoutSurvey = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter(isNumberedText).length > 1 ? candidates.filter((each) => !isNumberedText(each)) : candidates;

/** Other spellings are read in so many fields. In thousands, this would take too long, and no form for people has as many. */
const maxNamesRead = 200;

/** Finds the six fields, whatever the form calls them. */
export const findFields = (sent: readonly SentField[], extraFields: ExtraFields): FoundFields => {
  const known = sent
    .filter(([name], at) => at < maxNamesRead || fieldNames.some((field) => field === name))
    .flatMap((each) => {
      const meaning = meaningOf(each[0]);
      return meaning ? [candidateOf(each, meaning)] : [];
    });
  const candidates = withoutSurvey(known).filter((candidate) => isMeant(candidate, extraFields));

  const taken = new Map<FieldName, { name: string; parsed: SentValue['parsed'] }>();
  const names = new Map<string, string>();
  const restOf = new Map<string, readonly unknown[]>();
  for (const field of fieldNames) {
    const ofField = candidates.filter((candidate) => candidate.field === field);
    const undoubted = ofField.filter(({ rank }) => rank < doubtfulRank);
    const [first] = (undoubted.length > 0 ? undoubted : ofField).toSorted(byRank);
    if (!first) continue;
    const { name, best, rest } = first;
    names.set(field, name);
    if (!best) continue;
    taken.set(field, { name, parsed: best.parsed });
    restOf.set(name, rest);
  }
  const others = sent.flatMap(([name, value]): SentField[] => {
    const rest = restOf.get(name);
    if (rest === undefined) return [[name, value]];
    return rest.length === 0 ? [] : [[name, rest.length === 1 ? rest[0] : rest]];
  });
  return { taken, names, others };
};

const campaignText = line(200);

interface FoundCampaign {
  /** Absent if no field holds one. */
  readonly campaign?: string;
  /** Everything else. */
  readonly others: readonly SentField[];
}

/** Finds the campaign that the form names. What fits no campaign is a field like any other. */
export const findCampaign = (sent: readonly SentField[]): FoundCampaign => {
  const spelled = sent.slice(0, maxNamesRead).map(([name, value]) => ({ name, value, word: spell(name) }));
  for (const pattern of campaignNames) {
    for (const { name, value, word } of spelled) {
      if (!pattern.test(word) || isBlank(value)) continue;
      const text = campaignText(value);
      if ('value' in text) return { campaign: text.value, others: sent.filter(([other]) => other !== name) };
    }
  }
  return { others: sent };
};

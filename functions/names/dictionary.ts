import { type FieldName, fieldNames } from '../contacts/contact.ts';
import type { Words } from '../languages/language.ts';
import { allWords } from '../languages/languages.ts';
import { clients, endings, formWords, forReader, joined, numberWords, things, vague } from './form-words.ts';
import { behindWordRank, doubtfulRank, exactRank, otherRank, spelledRank } from './ranks.ts';
import { spell } from './spelling.ts';
import { wordsIn } from './split-words.ts';

/** What the name of a form's field can mean: one of the fields, the visitor's whole name, or the subject. */
export type Meant = FieldName | 'name' | 'subject';

const meant: readonly Meant[] = [...fieldNames, 'name', 'subject'];

export interface Meaning {
  readonly of: Meant;
  /** The word that was found, as `spell` leaves it. */
  readonly word: string;
  /** The lower the rank, the sooner it counts. */
  readonly rank: number;
  /**
   * What the name can mean besides: how many, or a number of an order (`number`); the owner's own address, hidden in the form
   * (`replyto`); the site's name (`from_name`).
   */
  readonly orElse?: 'other number' | "owner's address" | "owner's name";
}

/** Every word of every language. */
const known = new Map<string, Meaning>();
known.set('replyto', { of: 'email', word: 'replyto', rank: doubtfulRank, orElse: "owner's address" });
for (const of of meant) {
  const word = spell(of);
  known.set(word, { of, word, rank: spelledRank });
}
for (const words of allWords) {
  for (const of of meant) {
    for (const [at, text] of (words[of] ?? []).entries()) {
      const word = spell(text);
      const isOfNumber = of === 'phone' && numberWords.has(word);
      if (!known.has(word))
        known.set(word, { of, word, rank: otherRank + at, ...(isOfNumber && { orElse: 'other number' }) });
    }
  }
}

const setOf = (kind: Exclude<keyof Words, Meant>): ReadonlySet<string> =>
  new Set(allWords.flatMap((words) => words[kind].map(spell)));

const empty = setOf('empty');
const others = setOf('others');
const consent = setOf('consent');
const address = setOf('address');

const joinedWord = new RegExp(`^(?:${joined.join('|')})(?=.)`);

/** Names in these scripts can be without blanks, and a word of two letters is one. Korean texts do have blanks. */
const denseScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Found by the end of a name: of `child_first_name`, most are somebody else's. */
const byEnd: readonly Meant[] = ['email', 'phone', 'message', 'name'];
/** Found by its beginning, since only a value that fits counts: `email_cliente`. */
const byStart: readonly Meant[] = ['email', 'phone'];

/** Words that say nothing, also with a short ending, as languages inflect them: `name des Kunden`. Builders add letters: `f1_name`. */
const isEmpty = (word: string): boolean =>
  /^[a-z]$/.test(word) ||
  empty.has(word) ||
  (word.length > 5 && (empty.has(word.slice(0, -1)) || empty.has(word.slice(0, -2))));

const isNumber = (word: string) => /^\p{N}+$/u.test(word);

/** Behind or before other words, a name counts after the same one alone. */
const inWords = (meaning: Meaning): Meaning => ({ ...meaning, rank: Math.max(meaning.rank + 0.5, behindWordRank) });

const doubtful = (meaning: Meaning): Meaning =>
  meaning.rank < doubtfulRank ? { ...meaning, rank: doubtfulRank + meaning.rank } : meaning;

/** The longest part of the words that is known, without words at its sides that say nothing. */
const withoutEmpty = (words: readonly string[]): Meaning | undefined => {
  const starts = words.findIndex((word) => !isEmpty(word) && !formWords.has(word));
  const lastStart = starts === -1 ? words.length - 1 : starts;
  const shortest = words.findLastIndex((word) => !endings.has(word) && !isEmpty(word)) + 1;
  for (let length = words.length; length > 0; length -= 1) {
    for (let start = Math.max(0, shortest - length); start <= lastStart && start + length <= words.length; start += 1) {
      const after = words.slice(start + length);
      const meaning = known.get(words.slice(start, start + length).join(''));
      if (!meaning) continue;
      const left = [...words.slice(0, start), ...after];
      const isPart = left.some((word) => !formWords.has(word));
      const isOfForm = left.every((word) => formWords.has(word) || word === 'contact');
      if (isPart && vague.has(meaning.word) && !(meaning.word === 'number' && isOfForm)) continue;
      // Owners write their site's name there, too.
      if (left.includes('from') && meaning.of === 'name')
        return { ...meaning, rank: doubtfulRank * 2, orElse: "owner's name" };
      return isPart ? inWords(meaning) : meaning;
    }
  }
  return undefined;
};

const behindJoined = (whole: string): Meaning | undefined => {
  let word = whole;
  for (let left = joinedWord.exec(word)?.[0]; left !== undefined; left = joinedWord.exec(word)?.[0]) {
    word = word.slice(left.length);
    const meaning = known.get(word);
    if (!meaning || vague.has(word)) continue;
    if (meaning.of === 'name' && whole.startsWith('from')) return undefined;
    return formWords.has(left) ? meaning : inWords(meaning);
  }
  return undefined;
};

/** A word of its own: within a longer one, `tel` ends `hotel`. */
const isLongEnough = (end: string) => end.length >= (denseScript.test(end) ? 2 : 3);

/** The end of the words, the longest first: `quick-contact-form-email`. */
const atEnd = (words: readonly string[], isOfOthers: (before: readonly string[]) => boolean): Meaning | undefined => {
  for (let start = 1; start < words.length; start += 1) {
    const end = words.slice(start).join('');
    const meaning = known.get(end);
    if (!meaning || !byEnd.includes(meaning.of) || vague.has(end) || meaning.orElse) continue;
    const before = words.slice(0, start);
    if (isOfOthers(before)) return undefined;
    if (meaning.of === 'name' && before.some((word) => things.has(word))) return undefined;
    if (meaning.of === 'message' && before.some((word) => consent.has(word))) return undefined;
    return isLongEnough(end) ? doubtful(meaning) : undefined;
  }
  return undefined;
};

/** No word is longer. A name of Korean syllables has three letters for each, and an end from each takes long. */
const maxEnd = Math.max(...[...known.keys()].map(({ length }) => length));

/** The same within a word: `femail`, `\u304a\u540d\u524d`. */
const atEndOfWord = (word: string): Meaning | undefined => {
  for (let start = Math.max(1, word.length - maxEnd); start < word.length - 1; start += 1) {
    const end = word.slice(start);
    const meaning = known.get(end);
    if (!meaning || !byEnd.includes(meaning.of) || vague.has(end)) continue;
    const isGlued = denseScript.test(end);
    if (!isGlued && (meaning.of === 'name' || end.length < 5)) continue;
    const before = word.slice(0, start);
    const isOfOthers = others.has(before) || (isGlued && [...others].some((other) => before.includes(other)));
    return isOfOthers ? undefined : doubtful(meaning);
  }
  return undefined;
};

const atStart = (words: readonly string[], isOfOthers: (rest: readonly string[]) => boolean): Meaning | undefined => {
  for (let length = words.length - 1; length > 0; length -= 1) {
    const meaning = known.get(words.slice(0, length).join(''));
    if (!meaning || !byStart.includes(meaning.of) || meaning.word.length < 3) continue;
    if (meaning.orElse === 'other number') continue;
    const rest = words.slice(length);
    return isOfOthers(rest) || rest.some((word) => consent.has(word)) ? undefined : doubtful(meaning);
  }
  return undefined;
};

/**
 * Characters of names, together, with and without accents: there are ligatures of 18 letters. Behind them, only exact names are
 * found: no form for people has as many.
 */
const maxCharacters = 3000;

/** Reads the names of a form's fields without regard to case, accents, blanks and punctuation. */
export const readerOf = (names: readonly string[]) => {
  const wordsByName = new Map<string, readonly string[]>();
  let left = maxCharacters;
  for (const name of names) {
    left -= name.length;
    if (left < 0) continue;
    const words = wordsIn(name);
    wordsByName.set(name, words);
    left -= Math.max(0, words.join('').length - name.length);
  }
  const wordsOf = (name: string) => wordsByName.get(name) ?? [];
  const meanings = new Map<string, Meaning | undefined>();

  const isBeforeNames = names.some((name) => /^form[-_]/i.test(name) && spell(name) !== 'formname');
  const addressesReader = names.some((name) => wordsOf(name).some((word) => forReader.has(word)));
  // Short words such as `to` are prepositions: within a name, they say nothing.
  const isOther = (word: string, at: number) =>
    (others.has(word) && (at === 0 || word.length > 4 || denseScript.test(word))) ||
    (addressesReader && clients.has(word));
  const isOfOthers = (words: readonly string[]) => words.some(isOther) || others.has(words.join(''));

  const read = (name: string): Meaning | undefined => {
    const own = meant.find((each) => each === name);
    if (own) return { of: own, word: spell(own), rank: exactRank };
    if (!wordsByName.has(name)) return undefined;
    const whole = spell(name);
    const direct = known.get(whole);
    if (direct) return direct;
    // Not the visitor's, unless the form puts its name before its fields: `form[name]`, or `form_name` beside `form_email`.
    if (whole === 'formname' && !/[[.]/.test(name) && !isBeforeNames) return undefined;
    const words = wordsOf(name).filter((word) => !isNumber(word));
    if (words.length > 1 && isOfOthers(words.slice(0, -1)) && !known.has(words.join(''))) return undefined;
    return (
      known.get(words.join('')) ??
      withoutEmpty(words) ??
      behindJoined(words.join('')) ??
      atEnd(words, isOfOthers) ??
      atStart(words, isOfOthers) ??
      (words.length > 0 ? atEndOfWord(words.at(-1) ?? '') : undefined)
    );
  };

  return {
    /** The words of one of the names. */
    wordsOf,
    /** What one of the names means. */
    meaningOf: (name: string): Meaning | undefined => {
      if (!meanings.has(name)) meanings.set(name, read(name));
      return meanings.get(name);
    },
    /** Whether a name says that the field is somebody else's. */
    isOfOthers: (name: string): boolean => isOfOthers(wordsOf(name)),
    /** Whether a text begins as one beside a checkbox does: `I agree to the terms`. */
    isConsent: (text: string): boolean =>
      wordsIn(text.slice(0, 40))
        .slice(0, 4)
        .some((word) => consent.has(word)),
    /** Whether a name is one of consent, or of a part of a postal address. */
    isNoText: (name: string): boolean => wordsOf(name).some((word) => consent.has(word) || address.has(word)),
  };
};

import * as v from 'valibot';
import type { ContactFields, SpamReason } from '../contacts/contact.ts';
import { letters } from '../names/spelling.ts';
import { cleanText } from '../shared/text.ts';

/** The settings of marks by content. Each is absent, or marks. */
export const contentSettings = v.object({
  /** Addresses, and domains with an `@` before them, as they are stored, in lower case. */
  senders: v.optional(v.array(v.string())),
  /** How many links a contact request can have. */
  links: v.optional(v.number()),
  /** Words and phrases. */
  words: v.optional(v.array(v.string())),
});

export type ContentSettings = v.InferOutput<typeof contentSettings>;

/** Stands between texts, so that no phrase reaches from one into the next. No text has it, because control characters go. */
const betweenTexts = '\0';

/** Every text that was sent, without the names of fields, which are the page's. One text, since there can be thousands. */
const textOf = ({ extra = {}, ...fields }: ContactFields): string =>
  [Object.values(fields), Object.values(extra)].flat(2).join(betweenTexts);

/** The address itself, its domain, and the domains above that. */
const sendersOf = (email: string): string[] => {
  const address = email.toLowerCase();
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.');
  return [address, ...labels.map((_, at) => `@${labels.slice(at).join('.')}`)];
};

/**
 * Letters of other scripts that look like a Latin one, in lower case: the small ones that Unicode lists as confusable, and the
 * small forms of the capitals. Each row has both alphabets in the same order.
 * https://www.unicode.org/Public/security/latest/confusables.txt (Unicode Technical Standard #39)
 */
const lookAlikes: readonly (readonly [letters: string, latin: string])[] = [
  // Cyrillic
  ['\u0430\u0432\u0433\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u044c', 'abrekmhopctyxb'],
  ['\u0455\u0456\u0458\u0461\u0475\u04af\u04bb\u04bd\u04cf\u0501\u051b\u051d', 'sijwvyheldqw'],
  // Greek
  [
    '\u03b1\u03b2\u03b3\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c3\u03c2\u03c4\u03c5\u03c7',
    'abyezhikmvopootux',
  ],
  // Armenian
  ['\u0561\u0563\u0570\u0578\u057d\u0581\u0584\u0585', 'wqhnugfo'],
  // Rare forms of Latin letters
  ['\u0251\u0261\u026a\u028b\u028f\u1d04\u1d0f\u1d1c\u1d20\u1d21\u1d22\ua731', 'agiuycouvwzs'],
];

const beyondAscii = /[^\0-\x7f]/;

const scriptsWithoutBlanks = ['Han', 'Hira', 'Kana', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr'];

/** Node loads Unicode's tables for these, which a text in ASCII does not need. */
const makeTables = () => {
  const withoutBlanks = scriptsWithoutBlanks.map((script) => `\\p{sc=${script}}`).join('');
  const latin = new Map([
    ...Object.entries(letters),
    ...lookAlikes.flatMap(([others, theirs]) =>
      [...others].map((letter, at): [string, string] => [letter, theirs[at] ?? '']),
    ),
  ]);
  return {
    latin,
    /** Signs that stand for a whole word or unit, and would become up to 18 letters. */
    signs: /[\ufdf0-\ufdfd\u3300-\u33ff]/g,
    ofLatin: new RegExp(`[${[...latin.keys()].join('')}]`, 'g'),
    /** Accents, the vowel points of Hebrew and Arabic, and what nobody can see. */
    unseen: /[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a\u064b-\u065f]|\u0670|[\u20d0-\u20ff]|\p{DI}/gu,
    /**
     * Where people put no blanks between words, each letter counts as one. So it does in Korean, where a particle follows its
     * noun directly.
     */
    word: new RegExp(`${betweenTexts}|[${withoutBlanks}]|[[\\p{L}\\p{M}\\p{N}]--[${withoutBlanks}]]+`, 'gv'),
  };
};

let made: ReturnType<typeof makeTables> | undefined;

/** Made when a text needs them, and once for all of them. */
const tables = () => {
  made ??= makeTables();
  return made;
};

/** As the text looks to people: without case and accents, in Latin letters where others look the same. */
const fold = (text: string): string => {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  const { signs, unseen, ofLatin, latin } = tables();
  const seen = text
    .replaceAll(signs, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(unseen, '')
    .replaceAll(ofLatin, (letter) => latin.get(letter) ?? letter);
  // Without what nobody can see, a row of marks can be as long as the text.
  return cleanText(seen);
};

/** The texts of contact requests, folded once for all marks. */
const foldedTexts = new WeakMap<ContactFields, string>();

const foldedTextOf = (fields: ContactFields): string => {
  const folded = foldedTexts.get(fields) ?? fold(textOf(fields));
  foldedTexts.set(fields, folded);
  return folded;
};

/** Where a link begins. Spam writes `hxxp` and `[.]`, which people mend. A field can have `http://` as its preset value. */
const address = String.raw`(?:h(?:tt|xx)ps?\[?:\]?//(?:www\[?\.)?|(?<!\w)www\[?\.)(?=[^\s"'<>.])`;

const addresses = new RegExp(address, 'g');

/** A link in HTML or in a forum's markup, with an address that it shows, or an address. */
const linkPattern = new RegExp(
  String.raw`(<a\s[^<>]*>?|\[url\b[^[\]]*\]?|\[link\s*=[^[\]]*\]?|href\s*=\s*["']?${address})(?:\s*${address})?|${address}`,
  'g',
);

/** The less-than sign, escaped once or twice. */
const escaped = /&(?:amp;)?(?:lt|#60|#x3c);/g;

/** A link that shows its own address is one link. A tag that never ends has as many as addresses are in it. */
const countLinks = (folded: string): number => {
  let count = 0;
  for (const [, tag] of folded.replaceAll(escaped, '<').matchAll(linkPattern))
    count += tag === undefined ? 1 : Math.max(1, tag.match(addresses)?.length ?? 0);
  return count;
};

const asciiWord = new RegExp(`${betweenTexts}|[a-z0-9]+`, 'g');

const wordsIn = (folded: string): readonly string[] =>
  folded.match(beyondAscii.test(folded) ? tables().word : asciiWord) ?? [];

/** The words of a text, folded. */
export const wordsOf = (text: string): readonly string[] => wordsIn(fold(text));

/** The first words of phrases, each with what can follow. The end of a phrase has an empty word. */
interface Phrases extends Map<string, Phrases> {}

const phrasesOf = (texts: readonly string[]): Phrases => {
  const first: Phrases = new Map();
  for (const text of texts) {
    let at = first;
    for (const word of [...wordsOf(text), '']) {
      const next: Phrases = at.get(word) ?? new Map();
      at.set(word, next);
      at = next;
    }
  }
  return first;
};

const startsAt = (words: readonly string[], start: number, phrases: Phrases): boolean => {
  let at: Phrases | undefined = phrases;
  for (let next = start; at !== undefined; next += 1) {
    if (at.has('')) return true;
    at = at.get(words[next] ?? ' ');
  }
  return false;
};

type ContentMark = (evidence: { readonly fields: ContactFields }) => boolean;

const fromSender = (senders: readonly string[]): ContentMark => {
  const marked = new Set(senders);
  return ({ fields: { email = '' } }) => sendersOf(email).some((sender) => marked.has(sender));
};

const withLinks =
  (most: number): ContentMark =>
  ({ fields }) =>
    countLinks(foldedTextOf(fields)) > most;

const withWord = (listed: readonly string[]): ContentMark => {
  const phrases = phrasesOf(listed);
  return ({ fields }) => {
    const words = wordsIn(foldedTextOf(fields));
    return words.some((_, at) => startsAt(words, at, phrases));
  };
};

/** The marks by content, each if its setting is there. */
export const contentMarks = ({ senders, links, words }: ContentSettings) =>
  ({
    sender: senders && fromSender(senders),
    links: links === undefined ? undefined : withLinks(links),
    words: words && withWord(words),
  }) satisfies Partial<Record<SpamReason, ContentMark | undefined>>;

// What the inbox reads in a contact request: the visitor's name, the subject, an excerpt, the number to dial. It reads the names
// of fields as functions/names/ does for emails and the staff command, and a test compares the two. Here, the name of a field
// means the visitor's name, the subject, another field, or nothing.

import { columns } from './csv.js';
import { words } from './words.js';

const setOf = (text) => new Set(text.trim().split(/\s+/));

const empty = setOf(words.empty);
const others = setOf(words.others);
const ofForms = setOf(words.ofForms);
const endings = setOf(words.endings);
const things = setOf(words.things);
const forReader = setOf(words.forReader);
const clients = setOf(words.clients);
const hidden = setOf(words.hidden);
const joinedWord = new RegExp(`^(?:${[...setOf(words.joined)].join('|')})(?=.)`);

/** The meanings of words. The lower the rank, the sooner one counts, as functions/names/ranks.ts says. */
const known = new Map(['name', 'subject'].map((of) => [of, { of, rank: 1 }]));
for (const of of ['name', 'subject', 'otherField']) {
  for (const row of words[of].trim().split('\n')) {
    for (const [at, word] of row.split(' ').entries()) {
      if (!known.has(word)) known.set(word, { of, rank: 3 + at });
    }
  }
}

const inWords = ({ of, rank }) => ({ of, rank: Math.max(rank + 0.5, 2) });

const doubtful = ({ of, rank }) => ({ of, rank: 1000 + rank });

/** What accents do not tell apart when they are taken off, and Arabic letters that people write for each other. */
const letters = new RegExp(`[${Object.keys(words.letters).join('')}]`, 'g');

/** A text without case, and with accents apart from their letters. */
export const unify = (text) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(letters, (letter) => words.letters[letter]);

const spell = (text) => unify(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

// From here to readerOf, the rules are those of functions/names/dictionary.ts, which says why.

/** Longer names are sentences. */
const maxLength = 100;

const boundary = /[^\p{L}\p{N}\p{M}]+|(?<=[\p{Ll}\p{Lo}])(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

const wordsIn = (name) => (name.length > maxLength ? [] : name.split(boundary).map(spell).filter(Boolean));

const denseScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const isEmpty = (word) =>
  empty.has(word) || (word.length > 5 && (empty.has(word.slice(0, -1)) || empty.has(word.slice(0, -2))));

function withoutEmpty(parts) {
  const starts = parts.findIndex((word) => !isEmpty(word) && !ofForms.has(word));
  const lastStart = starts === -1 ? parts.length - 1 : starts;
  for (let length = parts.length; length > 0; length -= 1) {
    for (let start = 0; start <= lastStart && start + length <= parts.length; start += 1) {
      const after = parts.slice(start + length);
      const meaning = known.get(parts.slice(start, start + length).join(''));
      if (!meaning || !after.every((word) => endings.has(word) || isEmpty(word))) continue;
      // Owners write their site's name there, too.
      const isOwners = meaning.of === 'name' && [...parts.slice(0, start), ...after].includes('from');
      return isOwners ? { of: 'name', rank: 2000 } : inWords(meaning);
    }
  }
}

function behindJoined(whole) {
  let word = whole;
  for (let left = joinedWord.exec(word)?.[0]; left; left = joinedWord.exec(word)?.[0]) {
    word = word.slice(left.length);
    const meaning = known.get(word);
    if (!meaning) continue;
    return meaning.of === 'name' && whole.startsWith('from') ? undefined : inWords(meaning);
  }
}

function atEnd(parts, isOfOthers) {
  for (let start = 1; start < parts.length; start += 1) {
    const end = parts.slice(start).join('');
    const meaning = known.get(end);
    if (meaning?.of !== 'name') continue;
    const before = parts.slice(0, start);
    const isLongEnough = end.length >= (denseScript.test(end) ? 2 : 3);
    return !isLongEnough || isOfOthers(before) || before.some((word) => things.has(word))
      ? undefined
      : doubtful(meaning);
  }
}

function atEndOfWord(word) {
  for (let start = Math.max(1, word.length - 32); start < word.length - 1; start += 1) {
    const end = word.slice(start);
    const meaning = known.get(end);
    if (meaning?.of !== 'name' || !denseScript.test(end)) continue;
    const before = word.slice(0, start);
    return [...others].some((other) => before.includes(other)) ? undefined : doubtful(meaning);
  }
}

/** Reads the names of a form's fields. */
function readerOf(names) {
  const addressesReader = names.some((name) => wordsIn(name).some((word) => forReader.has(word)));
  const isOther = (word, at) =>
    (others.has(word) && (at === 0 || word.length > 4 || denseScript.test(word))) ||
    (addressesReader && clients.has(word));
  const isOfOthers = (parts) => parts.some(isOther) || others.has(parts.join(''));
  return (name) => {
    if (name === 'name' || name === 'subject') return { of: name, rank: 0 };
    const parts = wordsIn(name).filter((word) => !/^\p{N}+$/u.test(word));
    const whole = parts.join('');
    const direct = known.get(whole);
    if (whole === 'formname' && !/[[.]/.test(name)) return undefined;
    if (direct || (parts.length > 1 && isOfOthers(parts.slice(0, -1)))) return direct;
    return withoutEmpty(parts) ?? behindJoined(whole) ?? atEnd(parts, isOfOthers) ?? atEndOfWord(parts.at(-1) ?? '');
  };
}

/** Some letters, and Braille's blank, are invisible. */
const isVisible = (text = '') => /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The most reliable of the extra fields whose names mean this, and that are filled in. */
function extraMeaning({ extra = {} }, of) {
  const meaningOf = readerOf(Object.keys(extra));
  const [found] = Object.entries(extra)
    .map(([name, value]) => ({ ...meaningOf(name), name, texts: [value].flat().filter(isVisible) }))
    .filter((field) => field.of === of && field.texts.length > 0)
    .sort((one, other) => one.rank - other.rank);
  return found;
}

const joinTexts = (field) => field && [...new Set(field.texts)].join(' ');

/** A whole name completes a first or last name, as `Nom` completes `Prénom`, unless it has that in it. */
function nameIn(contact) {
  const { firstName = '', lastName = '' } = contact;
  const both = `${firstName} ${lastName}`.trim();
  const whole = firstName && lastName ? undefined : joinTexts(extraMeaning(contact, 'name'));
  if (whole === undefined) return both;
  return whole.includes(both) ? whole : `${firstName} ${whole} ${lastName}`.trim();
}

/** https://www.rfc-editor.org/rfc/rfc3492#section-6.2 */
function decodeLabel(label) {
  const characters = [...label.slice(0, Math.max(0, label.lastIndexOf('-')))];
  let point = 128;
  let position = 0;
  let bias = 72;
  const digits = [...label.slice(label.lastIndexOf('-') + 1)];
  while (digits.length > 0) {
    const start = position;
    let weight = 1;
    for (let step = 36; ; step += 36) {
      const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(digits.shift() ?? ' ');
      if (digit < 0) return undefined;
      position += digit * weight;
      const threshold = Math.min(26, Math.max(1, step - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = characters.length + 1;
    let delta = Math.floor((position - start) / (start === 0 ? 700 : 2));
    delta += Math.floor(delta / length);
    bias = 0;
    for (; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    point += Math.floor(position / length);
    position %= length;
    if (point > 0x10ffff) return undefined;
    characters.splice(position, 0, String.fromCodePoint(point));
    position += 1;
  }
  return characters.join('');
}

/** The address as people write it: an international domain is stored as in the DNS, and no browser tells how it is written. */
export const emailForPeople = ({ email }) =>
  email?.replaceAll(/(?<=[@.])xn--([^.@]+)/g, (label, encoded) => decodeLabel(encoded) ?? label);

/** What to call the visitor, if they left anything that tells. */
export const displayNameOf = (contact) => [nameIn(contact), emailForPeople(contact), contact.phone].find(isVisible);

/** What the visitor wrote as subject. */
export const subjectIn = (contact) => extraMeaning(contact, 'subject')?.texts[0];

/** Whether a field with this name is mostly one that visitors do not see. */
function isHidden(name) {
  const lower = name.toLowerCase();
  return words.hiddenStart.test(lower) || hidden.has(lower);
}

/** The extra fields as people read them: first those that visitors see on a page, then those that are mostly hidden. */
export const extraForPeople = ({ extra = {} }) =>
  Object.entries(extra).sort(([one], [other]) => isHidden(one) - isHidden(other));

/** The extra fields that say more than the visitor's name and the subject, where these two are shown. */
export function extraBelow(contact) {
  const { firstName, lastName } = contact;
  const whole = firstName && lastName ? undefined : extraMeaning(contact, 'name')?.name;
  const said = [displayNameOf(contact), subjectIn(contact)];
  return extraForPeople(contact).filter(
    ([name, value]) => name !== whole && ![value].flat().every((text) => said.includes(text)),
  );
}

/** What stands above the details of a contact request. */
const above = ['email', 'phone', 'company', 'message', 'firstName', 'lastName', 'createdAt', 'files'];

/** The fields among the details, in their order. */
export const details = [...columns.filter((name) => name !== 'id' && !above.includes(name)), 'keptUntil', 'id'];

/** What no visitor writes: a URL, a browser's name, markup. */
const machineText = /^(?:[a-z][a-z+.-]*:\/\/|www\.|Mozilla\/|[{[<])/i;

const lettersWithoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Whether a text has several words, or six letters of scripts without blanks. */
const isWritten = (text) =>
  isVisible(text) &&
  (/\s/.test(text.trim()) || (text.match(lettersWithoutBlanks) ?? []).length >= 6) &&
  !machineText.test(text);

/** What a row shows below the visitor: the message, else what the visitor most likely wrote besides their name. */
export function excerptOf(contact) {
  const { message, extra = {}, phone, company } = contact;
  if (isVisible(message)) return message;
  const meaningOf = readerOf(Object.keys(extra));
  const texts = Object.entries(extra).flatMap(([name, value]) => {
    const meaning = meaningOf(name)?.of;
    return isHidden(name) || meaning === 'name' ? [] : [value].flat().map((text) => ({ meaning, text }));
  });
  const written = texts.find(({ meaning, text }) => meaning !== 'subject' && isWritten(text))?.text;
  const shown = displayNameOf(contact);
  return [written, ...texts.map(({ text }) => text), emailForPeople(contact), phone, company].find(
    (text) => text !== shown && isVisible(text),
  );
}

/**
 * The first number of what a visitor wrote, as a link that dials it, or an empty text. It is without an extension, which phones
 * dial wrongly, and without the zero in `+44 (0)20`, which nobody dials from abroad. A visitor can send a command, too, such as
 * `##002#`: so it has 15 digits (E.164) after a prefix at most, and nothing else.
 */
export function telTo(phone) {
  const [, before, rest] = /^([^\d+]*)(.*)$/s.exec(phone);
  if (/[#*]|(?:^|\P{L})(?:x|ext)\P{L}*$/iu.test(before)) return '';
  const [first] = rest.replace(/^(\+[^(]*)\(0\)/, '$1').split(/[\p{L}#*]|(?<=.)\+/u);
  let digits = '';
  for (const part of first.split(/[/,;|&]/)) {
    // A slash can stand behind an area code, too. Behind a whole number, it parts this from the next one.
    const whole = /^\s*[(0]/.test(part) ? 5 : /^(?:\+|00)/.test(digits) ? 10 : 7;
    if (digits.length >= whole) break;
    digits += part.replaceAll(/[^\d+]/g, '');
  }
  return /^\+?\d{3,17}$/.test(digits) ? `tel:${digits}` : '';
}

import { formFields, replyTo, visitorNames } from './words.ts';

/**
 * Words before a name that say nothing about the field: `your-message`, `fields[email]`. Of several that fit, the longest
 * counts.
 */
const emptyWords = [
  'contact',
  'client',
  'customer',
  'from',
  'input',
  'sender',
  'txt',
  'user',
  'visitor',
  'your',
  'ihr',
  'ihre',
  'votre',
];

/** The same, for words of forms and not of people. */
const formWords = ['form', 'field', 'fields'];

/** Behind other words than those of forms, these mean something else: `contact_details`, `order_number`. */
const vagueNames: ReadonlySet<string> = new Set([
  'details',
  'text',
  'content',
  'body',
  'description',
  'beschreibung',
  'descripcion',
  'detalles',
  'descrizione',
  'descricao',
  'detalhes',
  'omschrijving',
  'number',
]);

const longestFirst = [...emptyWords, ...formWords].toSorted((one, other) => other.length - one.length);

const leadingWord = new RegExp(`^(?:${longestFirst.join('|')}|\\d+)(?=.)`);

/** Matches a name, after `spell`, that is one of these, alone or behind words that say nothing. */
const spelledAs = (names: readonly string[], start = '') =>
  new RegExp(`^${start}(?:${longestFirst.join('|')})*(?:${names.join('|')})$`);

/** No field has a longer name that means something. Normalising takes quadratic time. */
const maxNameLength = 64;

/** The name without case, accents, blanks and punctuation; empty if it is too long. */
export const spell = (name: string): string =>
  (name.length > maxNameLength ? '' : name)
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A field with the visitor's whole name. Not `from_name`: owners write their site's name there. */
export const visitorName = spelledAs(visitorNames, '(?!from)');

/** A field with the subject of a message. */
export const subjectName = spelledAs(['subject']);

/** What `spell` makes of these names. Its pattern would be compiled at the start, which costs each cold start more. */
const campaigns = formFields.campaign.map((name) => name.replace('_', '').toLowerCase());

/** Fields with the campaign. Of several, the first counts. */
export const campaignNames = campaigns.map((name) => spelledAs([name]));

/** Fields that make no contact request by themselves. */
export const nameWithoutContent = spelledAs(['subject', ...campaigns, 'fromname', replyTo]);

/**
 * Words and numbers behind a name that say nothing: `message-content`, `Email-2`. To look for the end from each digit of a long
 * number would take quadratic time.
 */
const trailingWords = /(?<!\d)(?:input|field|box|text|content|body|value|required|\d)+$/;

interface Reading {
  readonly word: string;
  /** Words that say something about people, or words behind the name, were left out. */
  readonly isPart: boolean;
}

/**
 * Reads the name of a field without regard to case, accents, blanks and punctuation.
 * @returns the readings, the most reliable first; none if the name is too long
 */
export const readingsOf = (name: string): readonly Reading[] => {
  if (name.length > maxNameLength) return [];
  const readings: Reading[] = [];
  const whole = spell(name);
  for (const start of new Set([whole, whole.replace(trailingWords, '')])) {
    let word = start;
    let isPart = start !== whole;
    readings.push({ word, isPart });
    for (let left = leadingWord.exec(word)?.[0]; left !== undefined; left = leadingWord.exec(word)?.[0]) {
      word = word.slice(left.length);
      isPart ||= emptyWords.includes(left);
      if (!isPart || !vagueNames.has(word)) readings.push({ word, isPart });
    }
  }
  return readings;
};

/** Shorter words end others, as `tel` ends `hotel`. */
const minEndLength = 4;
/** No word for one of the six is longer. A name of 64 Korean syllables has 192 letters, and an end from each takes too long. */
const maxEndLength = 32;

/** Before the end of a name, these say that it is not the visitor's: `to_email`, `friend-phone`. */
const otherPeople: ReadonlySet<string> = new Set([
  'to',
  'cc',
  'bcc',
  'sendto',
  'recipient',
  'owner',
  'admin',
  'site',
  'friend',
  'friends',
  'destinataire',
  'destinatario',
  'empfaenger',
  'empfanger',
]);

/** Whether what stands before the end of a name says so. */
export const isOfOthers = (before: string): boolean => otherPeople.has(before);

interface End {
  readonly end: string;
  readonly before: string;
}

/**
 * The ends of a name, the longest first. `quick-contact-form-email` and `femail` end in `email`.
 * @returns none if the name is too long
 */
export const endsOf = (name: string): readonly End[] => {
  if (name.length > maxNameLength) return [];
  const word = spell(name).replace(trailingWords, '');
  const first = Math.max(0, word.length - maxEndLength);
  const ends = Array.from(word.slice(first), (_, at) => ({
    end: word.slice(first + at),
    before: word.slice(0, first + at),
  }));
  return ends.filter(({ end }) => end.length >= minEndLength && !vagueNames.has(end));
};

import { domainToASCII, domainToUnicode } from 'node:url';
import { type Contact, dialled, storedContact } from '../../../functions/contacts/contact.ts';
import type { Extra } from '../../../functions/contacts/extra.ts';
import { cleanText } from '../../../functions/shared/text.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { CommandIo } from '../tool/command-io.ts';
import { digitsOf, isAddress, isNumber } from '../tool/options.ts';

/** What identifies a person: an email address, a phone number, or both. */
export interface Person {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/**
 * The person that the options name. For `-`, it reads a line of the standard input: so neither the list of processes nor a
 * log of npm shows the person.
 * @throws {StaffError} if that line is not an address or a number
 */
export const readPerson = async ({ email, phone }: Person, { ask }: Pick<CommandIo, 'ask'>): Promise<Person> => {
  const read = async (given: string | undefined, what: string, isValid: (text: string) => boolean) => {
    if (given !== '-') return given;
    const line = (await ask(`${what}: `)) ?? '';
    if (isValid(line)) return line;
    throw new StaffError(`The input is no ${what.toLowerCase()}: write one, and nothing else.`);
  };
  return {
    email: await read(email, 'Email address', isAddress),
    phone: await read(phone, 'Phone number', isNumber),
  };
};

interface Mark {
  /** The field of a contact request that holds it. */
  readonly field: 'email' | 'phone';
  /** Whether it is this text, one of its `readings`. */
  readonly is: (text: string) => boolean;
  readonly isIn: (text: string) => boolean;
}

/** A text as people read it: without invisible characters, with the digits, dashes, blanks and `@` of ASCII. */
const legible = (text: string) =>
  dialled(cleanText(text).toLowerCase()).replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '');

const decodedBytes = (hexadecimal: string) => Buffer.from(hexadecimal, 'hex').toString();

/** What URLs hold, also one within another: `%2B`, `%252B`. */
const fromUrl = (text: string): string => {
  let decoded = text;
  for (let depth = 0; depth < 3; depth += 1) {
    decoded = decoded.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) => decodedBytes(bytes.replaceAll('%', '')));
  }
  return decoded;
};

/** What emails hold (RFC 2045, quoted-printable): `=40`. */
const fromEmail = (text: string): string =>
  text
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/(?:=[0-9a-f]{2})+/gi, (bytes) => decodedBytes(bytes.replaceAll('=', '')));

/** A text as it can be meant. What looks encoded may be none: `?email=ada@example.com`. */
const readings = (text: string): readonly string[] =>
  [text, ...(text.includes('%') ? [fromUrl(text)] : []), ...(text.includes('=') ? [fromEmail(text)] : [])].map(legible);

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** An address with its domain in Unicode, as people type it, and in ASCII, as browsers send it. */
const formsOf = (address: string): readonly string[] => {
  const [name = '', domain = ''] = legible(address).split('@');
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)];
  return [...new Set(domains)].filter((each) => each !== '').map((each) => `${name}@${each}`);
};

/** Finds an address in any case, but not as a part of a longer one. */
const emailMark = (address: string): Mark => {
  const forms = formsOf(address);
  const any = forms.map(escaped).join('|');
  // Before it, an apostrophe within a word belongs to a longer address: `o'ada@example.com`.
  const within = new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}._%+-]|\\p{L}['’])(?:${any})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    'u',
  );
  return {
    field: 'email',
    is: (text) => forms.includes(text),
    isIn: (text) => within.test(text),
  };
};

/** The separators of two digits. Their number is bounded, or a text of separators would take minutes. */
const between = '[\\p{Zs}()\\p{Pd}./]{0,5}(?:\\(0\\)[\\p{Zs}()\\p{Pd}./]{0,5})?';

/** A shorter number within a text may be a postcode, a year or an amount. */
const leastWithin = 7;

/** Finds a number by its digits, but not as a part of a longer one, nor after another country code. */
const phoneMark = (phone: string): Mark => {
  const sought = digitsOf(phone);
  const within = new RegExp(`(?<!\\d|\\+\\d{1,3}${between})(?:00)?${between}${[...sought].join(between)}(?!\\d)`, 'u');
  return {
    field: 'phone',
    is: (text) => digitsOf(text) === sought,
    isIn: (text) => sought.length >= leastWithin && within.test(text),
  };
};

/** The service sets these: they name no person, but their digits could look like a phone number. */
export const ownFields = ['id', 'createdAt', 'releasedAt', 'site'] as const;

/** People quote others in a message: what it says of a person does not make it theirs. */
export const unsearchedFields = ['message'] as const;

const isSearched = (field: string): boolean => ![...ownFields, ...unsearchedFields].some((other) => other === field);

/** A new field of a contact request is searched, too. */
export const searchedFields: readonly string[] = Object.keys(storedContact.entries).filter(isSearched);

export interface Search {
  /** What names the person in a contact request: `email`, `extra.topic`. It does not show the person. */
  readonly tracesIn: (contact: Contact) => readonly string[];
  readonly isIn: (text: string) => boolean;
}

export const searchFor = ({ email, phone }: Person): Search => {
  const marks = [
    ...(email === undefined ? [] : [emailMark(email)]),
    ...(phone === undefined ? [] : [phoneMark(phone)]),
  ];
  const isIn = (text: string) => readings(text).some((reading) => marks.some((mark) => mark.isIn(reading)));
  /** A longer address can end with this one: `o'ada@example.com`. */
  const isOrHolds = (field: string, text: string) =>
    readings(text).some((reading) =>
      marks.some((mark) => (mark.field === field ? mark.is(reading) : mark.isIn(reading))),
    );
  const tracesInExtra = (extra: Extra) =>
    Object.entries(extra).flatMap(([name, value]) => {
      if (isIn(name)) return ['name of an extra field'];
      return [value].flat().some(isIn) ? [`extra.${name}`] : [];
    });
  return {
    tracesIn: ({ files = [], ...contact }) => {
      // With its ending, an address would be another one: `ada@example.com.pdf`.
      const isInFiles = files.some(({ name }) => isIn(name) || isIn(name.replace(/\.[^.]*$/, '')));
      const traces = Object.entries(contact)
        .filter(([field]) => isSearched(field))
        .flatMap(([field, value]) => {
          if (typeof value !== 'string') return tracesInExtra(value);
          return isOrHolds(field, value) ? [field] : [];
        });
      return [...new Set([...traces, ...(isInFiles ? ['files'] : [])])];
    },
    isIn,
  };
};

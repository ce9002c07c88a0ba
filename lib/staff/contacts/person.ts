import { domainToASCII, domainToUnicode } from 'node:url';
import { type Contact, firstField } from '../../../functions/contacts/contact.ts';
import { cleanText } from '../../../functions/shared/text.ts';
import type { Questions } from '../command-line/questions.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { Staff } from '../context.ts';
import { isAddress, isNumber, type PersonGiven } from './person-given.ts';

/** By what a person is known; at least by one. */
export interface Person {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

/**
 * The person that the options name, or the standard input: what stands in neither the list of processes nor a log of npm's.
 * @throws {StaffError} when they name none
 */
export const readPerson = async (
  { stdin }: Pick<Staff, 'stdin'>,
  questions: Questions,
  { email, phone }: PersonGiven,
): Promise<Person> => {
  const read = async (given: string | undefined, what: string, isSound: (text: string) => boolean) => {
    if (given !== '-') return given;
    const answer = (await questions.ask(stdin.isTTY ? `${what}: ` : '')) ?? '';
    if (isSound(answer)) return answer;
    throw new StaffError(`The standard input gives no ${what.toLowerCase()}.`);
  };
  return {
    email: await read(email, 'Email address', isAddress),
    phone: await read(phone, 'Phone number', isNumber),
  };
};

interface Mark {
  /** The field that it has a place of its own in. */
  readonly field: 'email' | 'phone';
  readonly is: (value: string) => boolean;
  readonly isIn: (text: string) => boolean;
}

const comparable = (address: string) => cleanText(address).toLowerCase();

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** An address as people write it and as a browser sends it: its domain in Unicode, and in ASCII. */
const formsOf = (address: string): readonly string[] => {
  const [name = '', domain = ''] = comparable(address).split('@');
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)];
  return [...new Set(domains)].filter((each) => each !== '').map((each) => `${name}@${each}`);
};

/** An address in any case; within a text it must not be part of a longer one. */
const emailMark = (address: string): Mark => {
  const forms = formsOf(address);
  const any = forms.map(escaped).join('|');
  const within = new RegExp(`(?<![\\p{L}\\p{N}._%+-])(?:${any})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'u');
  return {
    field: firstField,
    is: (value) => forms.includes(comparable(value)),
    isIn: (text) => within.test(comparable(text)),
  };
};

/** The digits of a number as it is dialled from abroad, where it says how: `+49 (0)170…` is `0049 170…`. */
const digitsOf = (phone: string) => {
  const digits = phone.replace(/^(\s*(?:\+|00)[^(]*)\(0\)/, '$1').replaceAll(/\D/g, '');
  // `00` is what `+` is dialled as.
  return digits.startsWith('00') ? digits.slice(2) : digits;
};

/** What may stand between two digits of a number; bounded, so that a text of nothing else takes no time. */
const between = '[\\p{Zs}()\\p{Pd}./]{0,5}(?:\\(0\\)[\\p{Zs}()\\p{Pd}./]{0,5})?';

/** As few digits as a number has within a text: fewer may be a postcode, a year or an amount. */
const leastWithin = 7;

/** A number by its digits; within a text it must not be part of a longer one, nor stand behind another country's `+1`. */
const phoneMark = (phone: string): Mark => {
  const sought = digitsOf(phone);
  const within = new RegExp(`(?<!\\d|\\+\\d{1,3}${between})(?:00)?${between}${[...sought].join(between)}(?!\\d)`, 'u');
  return {
    field: 'phone',
    is: (value) => digitsOf(value) === sought,
    isIn: (text) => sought.length >= leastWithin && within.test(text),
  };
};

export interface Search {
  /** In which fields of a contact request the person stands: a field's name, `extra.<name>` for one of `extra`. */
  readonly tracesIn: (contact: Contact) => readonly string[];
  /** Whether the person stands anywhere in a text. */
  readonly isIn: (text: string) => boolean;
}

/** How a person is looked for. */
export const searchFor = ({ email, phone }: Person): Search => {
  const marks = [
    ...(email === undefined ? [] : [emailMark(email)]),
    ...(phone === undefined ? [] : [phoneMark(phone)]),
  ];
  const isIn = (text: string) => marks.some((mark) => mark.isIn(text));
  return {
    tracesIn: (contact) => [
      ...marks.filter(({ field, is }) => is(contact[field] ?? '')).map(({ field }) => field),
      ...Object.entries(contact.extra ?? {})
        .filter(([, value]) => [value].flat().some(isIn))
        .map(([name]) => `extra.${name}`),
    ],
    isIn,
  };
};

import { domainToUnicode } from 'node:url';
import type { Contact } from '../contacts/contact.ts';
import { hasWords, machineText } from './by-value.ts';
import { type Meant, readerOf } from './dictionary.ts';
import { isHidden } from './service-fields.ts';

/** Some letters, and Braille's blank, are invisible. */
export const isVisible = (text: string) =>
  /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The first text that people can see. */
export const firstVisible = (values: readonly unknown[]): string | undefined =>
  values.filter((value) => typeof value === 'string').find(isVisible);

/** The extra fields whose names mean this, the most reliable first. */
export const extraMeaning = ({ extra = {} }: Contact, of: Meant): readonly (readonly string[])[] => {
  const { meaningOf } = readerOf(Object.keys(extra));
  return Object.entries(extra)
    .flatMap(([name, value]) => {
      const meaning = meaningOf(name);
      return meaning?.of === of ? [{ rank: meaning.rank, texts: [value].flat() }] : [];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ texts }) => texts);
};

/** The visitor's whole name. Forms that ask for its parts under one name send several, which belong together. */
const wholeNameIn = (contact: Contact): string | undefined =>
  firstVisible(extraMeaning(contact, 'name').map((texts) => [...new Set(texts.filter(isVisible))].join(' ')));

/** A whole name completes a first or last name, as `Nom` completes `Prénom`, unless it has that in it. */
const nameIn = (contact: Contact): string => {
  const { firstName = '', lastName = '' } = contact;
  const both = `${firstName} ${lastName}`.trim();
  const whole = firstName !== '' && lastName !== '' ? undefined : wholeNameIn(contact);
  if (whole === undefined) return both;
  return whole.includes(both) ? whole : `${firstName} ${whole} ${lastName}`.trim();
};

/** The address as people write it: an international domain is stored as in the DNS. */
export const emailForPeople = ({ email }: Pick<Contact, 'email'>): string | undefined => {
  const [name, domain = ''] = email?.split('@') ?? [];
  const inLetters = domain.includes('xn--') ? domainToUnicode(domain) : '';
  return inLetters === '' ? email : `${name}@${inLetters}`;
};

/**
 * What to call a visitor: the name, else the address, else the phone number. It is what the visitor sent: it can have line
 * breaks, and characters that steer what shows it.
 * @returns undefined if the visitor left none of them
 */
export const displayNameOf = (contact: Contact): string | undefined =>
  firstVisible([nameIn(contact), emailForPeople(contact), contact.phone]);

/** The visitor's whole name, as it was sent. @returns undefined if the visitor left none */
export const nameOf = (contact: Contact): string | undefined => firstVisible([nameIn(contact)]);

/** The extra fields as people read them: first those that visitors see on a page, then those that are mostly hidden. */
export const extraForPeople = ({ extra = {} }: Contact) =>
  Object.entries(extra).toSorted(([one], [other]) => Number(isHidden(one)) - Number(isHidden(other)));

/** The same, without a name and a subject that a text above them holds. */
export const extraBelow = (contact: Contact, above: string) => {
  const { meaningOf } = readerOf(Object.keys(contact.extra ?? {}));
  const isAbove = (text: string) => !isVisible(text) || above.includes(text);
  return extraForPeople(contact).filter(([name, value]) => {
    const meaning = meaningOf(name)?.of;
    return !((meaning === 'name' || meaning === 'subject') && [value].flat().every(isAbove));
  });
};

/** A text of several words that no page, script or browser wrote. */
const isWritten = (text: string): boolean => isVisible(text) && hasWords(text.trim(), 2) && !machineText.test(text);

/**
 * What to show of a contact request where there is little room: the message, else the first text of several words that is not
 * the subject, else the first text besides what `displayNameOf` shows.
 * @returns undefined if there is none
 */
export const excerptOf = (contact: Contact): string | undefined => {
  const { message, extra = {}, phone, company } = contact;
  if (message !== undefined && isVisible(message)) return message;
  const { meaningOf } = readerOf(Object.keys(extra));
  const texts = Object.entries(extra).flatMap(([name, value]) => {
    const meaning = meaningOf(name)?.of;
    return isHidden(name) || meaning === 'name' ? [] : [value].flat().map((text) => ({ meaning, text }));
  });
  const written = texts.find(({ meaning, text }) => meaning !== 'subject' && isWritten(text))?.text;
  const shown = displayNameOf(contact);
  return firstVisible(
    [written, ...texts.map(({ text }) => text), emailForPeople(contact), phone, company].filter(
      (text) => text !== shown,
    ),
  );
};

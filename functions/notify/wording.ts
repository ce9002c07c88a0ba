import { type Contact, firstField } from '../contacts/contact.ts';

const mostOfName = 60;
const mostOfSite = 100;

/** Begins an encoded word, which can hide any character in a header: https://www.rfc-editor.org/rfc/rfc2047#section-2 */
const encodedWord = '=?';

/** One bounded line, without encoded words and without characters that change the direction of text. */
const brief = (text: string, most: number): string => {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
    .replaceAll(encodedWord, '= ?');
  const characters = [...line.trim()];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
};

/** Some letters, and Braille's blank, are invisible. */
const isVisible = (text: string) => /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The visitor's name, also from a form with one field for it, else their address or number. */
const whoIn = ({ firstName = '', lastName = '', phone = '', extra: { name } = {}, ...contact }: Contact): string =>
  [`${firstName} ${lastName}`, typeof name === 'string' ? name : '', contact[firstField] ?? '', phone]
    .map((text) => brief(text, mostOfName))
    .find(isVisible) ?? 'a visitor';

/** The subject of a notification. */
export const subjectOf = (contact: Contact): string =>
  `Contact request from ${whoIn(contact)}${contact.site === undefined ? '' : ` (${brief(contact.site, mostOfSite)})`}`;

/** A time for people, to the second. @param time RFC 3339, UTC, milliseconds */
export const timeInWords = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** The commands that show and delete a contact request. Nothing that a visitor sent stands in a command. */
export const commandsFor = (id: string, environment: string) => {
  const command = (name: string) => `npx crcs contacts ${name} ${id} --env ${environment}`;
  return { show: command('show'), delete: command('delete') };
};

import { type Contact, firstField } from '../contacts/contact.ts';

const maxName = 60;
const maxSite = 100;

/** The start of an encoded word, which can hide any character in a header: https://www.rfc-editor.org/rfc/rfc2047#section-2 */
const encodedWord = '=?';

/** Makes one bounded line, without encoded words and without characters that change the direction of text. */
const shortLine = (text: string, max: number): string => {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
    .replaceAll(encodedWord, '= ?');
  const characters = [...line.trim()];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('');
};

/** Some letters, and Braille's blank, are invisible. */
const isVisible = (text: string) => /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The visitor's name, from two fields or one, else their address or number. */
const visitorIn = ({ firstName = '', lastName = '', phone = '', extra: { name } = {}, ...contact }: Contact): string =>
  [`${firstName} ${lastName}`, typeof name === 'string' ? name : '', contact[firstField] ?? '', phone]
    .map((text) => shortLine(text, maxName))
    .find(isVisible) ?? 'a visitor';

/** The subject of a notification. */
export const subjectOf = (contact: Contact): string =>
  `Contact request from ${visitorIn(contact)}${contact.site === undefined ? '' : ` (${shortLine(contact.site, maxSite)})`}`;

/** A readable time, to the second. @param time RFC 3339, UTC, milliseconds */
export const formatTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** The commands that show and delete a contact request. They contain nothing that a visitor sent. */
export const commandsFor = (id: string, environment: string) => {
  const command = (name: string) => `npx crcs contacts ${name} ${id} --env ${environment}`;
  return { show: command('show'), delete: command('delete') };
};

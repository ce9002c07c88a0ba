import { type Contact, firstField } from '../contacts/contact.ts';

const mostOfName = 60;
const mostOfSite = 100;

/** How an encoded word begins, in which a header may hold any character: https://www.rfc-editor.org/rfc/rfc2047#section-2 */
const encodedWord = '=?';

/** On one line, without what turns the direction of what follows, of words that stand for themselves, and no longer than that. */
const brief = (text: string, most: number): string => {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
    .replaceAll(encodedWord, '= ?');
  const characters = [...line.trim()];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
};

/** Some letters, and Braille's blank, show nothing. */
const isVisible = (text: string) => /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** Who asks to be contacted, in a line: by name, also that of a form with one field for it, else where they can be reached. */
const whoIn = ({ firstName = '', lastName = '', phone = '', extra: { name } = {}, ...contact }: Contact): string =>
  [`${firstName} ${lastName}`, typeof name === 'string' ? name : '', contact[firstField] ?? '', phone]
    .map((text) => brief(text, mostOfName))
    .find(isVisible) ?? 'a visitor';

/** What it is about, in one line that is not long. */
export const subjectOf = (contact: Contact): string =>
  `Contact request from ${whoIn(contact)}${contact.site === undefined ? '' : ` (${brief(contact.site, mostOfSite)})`}`;

import { type Contact, firstField } from '../contacts/contact.ts';

const mostOfName = 60;
const mostOfSite = 100;

/** On one line, without what turns the direction of what follows, and no longer than that. */
const brief = (text: string, most: number): string => {
  const characters = [
    ...text
      .replaceAll(/\p{Bidi_Control}/gu, '')
      .replaceAll(/[\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
      .trim(),
  ];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
};

/** Who asks to be contacted, in a line: by name, else where they can be reached. */
const whoIn = ({ firstName = '', lastName = '', ...contact }: Contact): string =>
  brief(`${firstName} ${lastName}`, mostOfName) ||
  brief(contact[firstField] ?? '', mostOfName) ||
  brief(contact.phone ?? '', mostOfName) ||
  'a visitor';

/** What it is about, in one line that is not long. */
export const subjectOf = (contact: Contact): string =>
  `Contact request from ${whoIn(contact)}${contact.site === undefined ? '' : ` (${brief(contact.site, mostOfSite)})`}`;

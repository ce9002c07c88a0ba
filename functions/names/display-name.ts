import type { Contact } from '../contacts/contact.ts';
import { spell, visitorName } from './spelling.ts';

/** Some letters, and Braille's blank, are invisible. */
export const isVisible = (text: string) =>
  /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The first text that people can see. */
export const firstVisible = (values: readonly unknown[]): string | undefined =>
  values.filter((value) => typeof value === 'string').find(isVisible);

/** The values of the extra fields with such a name. */
export const extraNamed = ({ extra = {} }: Contact, spelling: RegExp) =>
  Object.entries(extra).flatMap(([name, value]) => (spelling.test(spell(name)) ? [value] : []));

/** A whole name completes a first or last name, as `Nom` completes `Prénom`, unless it has that in it. */
const nameIn = (contact: Contact): string => {
  const { firstName = '', lastName = '' } = contact;
  const both = `${firstName} ${lastName}`.trim();
  const whole = firstVisible(extraNamed(contact, visitorName));
  if (whole === undefined || (firstName !== '' && lastName !== '')) return both;
  return whole.includes(both) ? whole : `${firstName} ${whole} ${lastName}`.trim();
};

/**
 * What to call a visitor: the name, else the address, else the phone number. It is what the visitor sent: it can have line
 * breaks, and characters that steer what shows it.
 * @returns undefined if the visitor left none of them
 */
export const displayNameOf = (contact: Contact): string | undefined =>
  firstVisible([nameIn(contact), contact.email, contact.phone]);

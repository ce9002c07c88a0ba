import type { Contact, StaffContact } from '../contacts/contact.ts';
import { spell, subjectName, visitorName } from '../contacts/field-names.ts';
import { formFields } from '../contacts/form-fields.ts';

const maxName = 60;
/** Slack accepts no longer header: https://docs.slack.dev/reference/block-kit/blocks/header-block */
export const maxSubject = 150;

/** Cuts a text without splitting a surrogate pair. @param max UTF-16 code units, as Slack counts */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

export const shorten = (text: string, max: number): string => (text.length > max ? `${cut(text, max - 1)}…` : text);

/** The start of an encoded word, which can hide any character in a header: https://www.rfc-editor.org/rfc/rfc2047#section-2 */
const encodedWord = '=?';

/** Makes one bounded line, without encoded words and without characters that change the direction of text. */
const shortLine = (text: string, max: number): string => {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
    .replaceAll(encodedWord, '= ?');
  return shorten(line.trim(), max);
};

/** Some letters, and Braille's blank, are invisible. */
const isVisible = (text: string) => /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

const firstVisible = (values: readonly unknown[]): string | undefined =>
  values.filter((value) => typeof value === 'string').find(isVisible);

/** The values of the extra fields with such a name. */
const valuesIn = ({ extra = {} }: Contact, spelling: RegExp) =>
  Object.entries(extra).flatMap(([name, value]) => (spelling.test(spell(name)) ? [value] : []));

/** A whole name completes a first or last name, as `Nom` completes `Prénom`, unless it has that in it. */
const nameIn = (contact: Contact): string => {
  const { firstName = '', lastName = '' } = contact;
  const both = `${firstName} ${lastName}`.trim();
  const whole = firstVisible(valuesIn(contact, visitorName));
  if (whole === undefined || (firstName !== '' && lastName !== '')) return both;
  return whole.includes(both) ? whole : `${firstName} ${whole} ${lastName}`;
};

/** The visitor's name, else their address or number. */
const visitorIn = (contact: Contact): string =>
  shortLine(firstVisible([nameIn(contact), contact.email, contact.phone]) ?? 'a visitor', maxName);

/** Subjects by the form's name: the setting `subject` of forms. */
export type Subjects = ReadonlyMap<string | undefined, string>;

/**
 * The subject of a notification: that of the form's settings, else what the form sent, else one with the visitor's name. The
 * reason of spam stands before it.
 */
export const subjectOf = (contact: StaffContact, subjects: Subjects): string => {
  const { form, site, extra = {}, spamReason } = contact;
  const exact = formFields.subject.map((name) => extra[name]);
  const sent = [...exact, ...valuesIn(contact, subjectName)];
  const from = site === undefined ? '' : ` (${site})`;
  const subject = firstVisible(sent) ?? `Contact request from ${visitorIn(contact)}${from}`;
  const mark = spamReason === undefined ? '' : `[Spam: ${spamReason}] `;
  return `${mark}${subjects.get(form) ?? shortLine(subject, maxSubject)}`;
};

/** A readable time, to the second. @param time RFC 3339, UTC, milliseconds */
export const formatTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** The commands that show and delete a contact request. They contain nothing that a visitor sent. */
export const commandsFor = (id: string, environment: string) => {
  const command = (name: string) => `npx --no-install crcs contacts ${name} ${id} --env ${environment}`;
  return { show: command('show'), delete: command('delete') };
};

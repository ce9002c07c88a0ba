import type { Contact } from '../contacts/contact.ts';
import { displayNameOf, extraNamed, firstVisible } from '../contacts/display-name.ts';
import { subjectName } from '../contacts/field-names.ts';
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

/** The visitor's name, else their address or number, in one bounded line. */
const visitorIn = (contact: Contact): string => shortLine(displayNameOf(contact) ?? 'a visitor', maxName);

/** Subjects by the form's name: the setting `subject` of forms. */
export type Subjects = ReadonlyMap<string | undefined, string>;

/** The subject of a notification: that of the form's settings, else what the form sent, else one with the visitor's name. */
export const subjectOf = (contact: Contact, subjects: Subjects): string => {
  const { form, site, extra = {} } = contact;
  const exact = formFields.subject.map((name) => extra[name]);
  const sent = [...exact, ...extraNamed(contact, subjectName)];
  const from = site === undefined ? '' : ` (${site})`;
  const subject = firstVisible(sent) ?? `Contact request from ${visitorIn(contact)}${from}`;
  return subjects.get(form) ?? shortLine(subject, maxSubject);
};

/** A readable time, to the second. @param time RFC 3339, UTC, milliseconds */
export const formatTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** The commands that show and delete a contact request. They contain nothing that a visitor sent. */
export const commandsFor = (id: string, environment: string) => {
  const command = (name: string) => `npx --no-install crcs contacts ${name} ${id} --env ${environment}`;
  return { show: command('show'), delete: command('delete') };
};

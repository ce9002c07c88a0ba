import { type Contact, fieldNames, type StaffContact } from '../contacts/contact.ts';
import { en } from '../languages/en.ts';
import { displayNameOf, extraNamed, firstVisible } from '../names/display-name.ts';
import { subjectName } from '../names/spelling.ts';
import { formFields } from '../names/words.ts';

const maxName = 60;
/** Slack accepts no longer header: https://docs.slack.dev/reference/block-kit/blocks/header-block */
export const maxSubject = 150;

/** Cuts a text without splitting a surrogate pair. @param max UTF-16 code units, as Slack counts */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

export const shorten = (text: string, max: number): string => (text.length > max ? `${cut(text, max - 1)}…` : text);

/** The start of an encoded word, which can hide any character in a header: https://www.rfc-editor.org/rfc/rfc2047#section-2 */
export const encodedWord = '=?';

/** Makes one bounded line, without encoded words and without characters that change the direction of text. */
export const shortLine = (text: string, max: number): string => {
  const line = text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
    .replaceAll(encodedWord, '= ?');
  return shorten(line.trim(), max);
};

/** The visitor's name, else their address or number, as one short line. Nobody but the visitor wrote it. */
export const shortNameOf = (contact: Contact): string | undefined => {
  const name = displayNameOf(contact);
  return name === undefined ? undefined : shortLine(name, maxName);
};

/** What the words of every notification depend on, besides the contact request. */
export interface Wording {
  /** The environment's name, for commands. */
  readonly environment: string;
  /** The origin of the inbox, if the environment has one. */
  readonly inboxOrigin?: string | undefined;
  /** Subjects by the form's name: the setting `subject` of forms. */
  readonly subjects: ReadonlyMap<string | undefined, string>;
}

/**
 * The subject of a notification: that of the form's settings, else what the form sent, else one with the visitor's name. The
 * reason of spam stands before it.
 */
export const subjectOf = (contact: StaffContact, { subjects }: Wording): string => {
  const { form, site, extra = {}, spamReason } = contact;
  const exact = formFields.subject.map((name) => extra[name]);
  const sent = [...exact, ...extraNamed(contact, subjectName)];
  const from = site === undefined ? '' : ` (${site})`;
  const subject = firstVisible(sent) ?? `Contact request from ${shortNameOf(contact) ?? 'a visitor'}${from}`;
  const mark = spamReason === undefined ? '' : `[Spam: ${spamReason}] `;
  return `${mark}${subjects.get(form) ?? shortLine(subject, maxSubject)}`;
};

/** Every line break that some mail client knows. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

export const linesOf = (text: string): string[] => text.split(lineBreak);

/** A readable time, to the second. @param time RFC 3339, UTC, milliseconds */
const formatTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** A text about a contact request, with our label for it. */
export interface Fact {
  readonly label: string;
  readonly text: string;
  /** Whether the visitor could have written the text: the names of the form and the campaign are fields that anyone can send. */
  readonly isTheirs: boolean;
}

type MissingFact = Omit<Fact, 'text'> & { readonly text: string | undefined };

const present = (facts: readonly MissingFact[]): Fact[] =>
  facts.flatMap(({ text, ...others }) => (text === undefined ? [] : [{ ...others, text }]));

/** What the visitor filled in, but the message, which every notification shows at its beginning. */
export const fieldsOf = (contact: Contact): Fact[] =>
  present(
    fieldNames
      .filter((name) => name !== 'message')
      .map((name) => ({ label: en.labels[name], text: contact[name], isTheirs: true })),
  );

/** The label of the fields of `extra`. They share it, because their names come from the visitor. */
export const otherFields = 'Other fields';

/** What else is known. Every notification shows it below the fields. */
export const factsOf = ({ site, form, campaign, createdAt, releasedAt }: Contact): Fact[] =>
  present([
    { label: 'Site', text: site, isTheirs: false },
    { label: 'Form', text: form, isTheirs: true },
    { label: 'Campaign', text: campaign, isTheirs: true },
    { label: 'Received', text: formatTime(createdAt), isTheirs: false },
    { label: 'Released from spam', text: releasedAt && formatTime(releasedAt), isTheirs: false },
  ]);

/** How staff open a contact request: by a link into the inbox or, without an inbox, by commands. */
export type WayToOpen =
  | { readonly link: string }
  | { readonly show: string; readonly delete: string; readonly release: string };

/** The words of the link. */
export const openInInbox = 'Open it in the inbox';

/** Why it is spam, for an address that gets spam. */
export const spamMark = ({ spamReason }: StaffContact): string | undefined =>
  spamReason === undefined ? undefined : `Marked as spam: ${spamReason}.`;

/** How staff open the contact request with an id. Nothing in it comes from a visitor. */
export const wayToOpen = (id: string, { environment, inboxOrigin }: Wording): WayToOpen => {
  if (inboxOrigin !== undefined) return { link: `${inboxOrigin}/#${id}` };
  const command = (name: string) => `npx --no-install crcs contacts ${name} ${id} --env ${environment}`;
  return { show: command('show'), delete: command('delete'), release: command('release') };
};

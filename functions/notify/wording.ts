import { type Contact, type FieldName, fieldNames, type StaffContact } from '../contacts/contact.ts';
import type { Language } from '../languages/language.ts';
import { english, labelOf, loadLanguage } from '../languages/load.ts';
import {
  displayNameOf,
  emailForPeople,
  extraBelow,
  extraMeaning,
  firstVisible,
  nameOf,
} from '../names/display-name.ts';
import { formFields } from '../names/service-fields.ts';
import { encodedWord } from '../shared/text.ts';
import { formatSize } from './format-size.ts';
import { formatTime } from './format-time.ts';
import { noSite } from './target.ts';

const maxName = 60;
/** Slack accepts no longer header: https://docs.slack.dev/reference/block-kit/blocks/header-block */
export const maxSubject = 150;

/** Cuts a text without splitting a surrogate pair. @param max UTF-16 code units, as Slack counts */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

export const shorten = (text: string, max: number): string => (text.length > max ? `${cut(text, max - 1)}…` : text);

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
  /** The tags of the sites' languages, by origin or `noSite`. @defaultValue English */
  readonly siteLanguages?: ReadonlyMap<string | undefined, string>;
  /** The language of the site from which it came. @defaultValue English */
  readonly language?: Language;
}

/** The same, with the language of the contact request's site. */
export const inSiteLanguage = async ({ site }: Contact, wording: Wording): Promise<Wording> => {
  const tag = wording.siteLanguages?.get(site ?? noSite);
  return { ...wording, language: await loadLanguage(tag === undefined ? [] : [tag]) };
};

export const textsOf = ({ language = english }: Wording) => language;

const namePlaceholder = '{name}';

/**
 * A subject with the visitor's name, where the subject says so or else behind it: mailboxes stack emails of equal subjects into
 * one conversation.
 */
const withName = (subject: string, contact: Contact, visitor: string): string => {
  const name = shortNameOf(contact);
  if (subject.includes(namePlaceholder))
    return shortLine(
      subject.replaceAll(namePlaceholder, () => name ?? visitor),
      maxSubject,
    );
  const behind = name === undefined ? '' : `: ${name}`;
  // However long the subject is, the name has room.
  return `${shortLine(subject, maxSubject - behind.length)}${behind}`;
};

/**
 * The subject of a notification: that of the form's settings, else what the form sent, else our own. The reason of spam stands
 * before it.
 */
export const subjectOf = (contact: StaffContact, wording: Wording): string => {
  const { form, site, extra = {}, spamReason } = contact;
  const exact = formFields.subject.map((name) => extra[name]);
  const sent = [...exact, ...extraMeaning(contact, 'subject').flat()];
  const { emails } = textsOf(wording);
  const ours = `${emails.subject}${site === undefined ? '' : ` (${site})`}`;
  const subject = wording.subjects.get(form) ?? firstVisible(sent) ?? ours;
  const mark = spamReason === undefined ? '' : `[Spam: ${spamReason}] `;
  return `${mark}${withName(subject, contact, emails.visitor)}`;
};

/** The extra fields, without the subject and the name where a notification has said them already. */
export const extraOf = (contact: Contact, wording: Wording) =>
  extraBelow(contact, [subjectOf(contact, wording), nameOf(contact)].join('\n'));

/** Every line break that some mail client knows. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

export const linesOf = (text: string): string[] => text.split(lineBreak);

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

/** Every notification begins with the message and the visitor's whole name, so these have no label of their own. */
const shownFirst: readonly string[] = ['message', 'firstName', 'lastName'] satisfies FieldName[];

/** What else the visitor filled in. */
export const fieldsOf = (contact: Contact, wording: Wording): Fact[] => {
  const { pages } = textsOf(wording);
  return present(
    fieldNames
      .filter((name) => !shownFirst.includes(name))
      .map((name) => ({
        label: labelOf(pages, name),
        text: name === 'email' ? emailForPeople(contact) : contact[name],
        isTheirs: true,
      })),
  );
};

/** The names and sizes of files, each on a line. Neither a file nor a URL of one leaves the service by a notification. */
const filesText = ({ files }: Contact, language: Language) =>
  files?.map(({ name, size }) => `${name} (${formatSize(size, language)})`).join('\n');

/** What else is known. Every notification shows it below the fields. */
export const factsOf = (contact: Contact, wording: Wording): Fact[] => {
  const { site, form, campaign, createdAt, releasedAt } = contact;
  const language = textsOf(wording);
  const { emails } = language;
  return present([
    { label: emails.files, text: filesText(contact, language), isTheirs: true },
    { label: emails.site, text: site, isTheirs: false },
    { label: emails.form, text: form, isTheirs: true },
    { label: emails.campaign, text: campaign, isTheirs: true },
    { label: emails.received, text: formatTime(createdAt, language), isTheirs: false },
    { label: emails.released, text: releasedAt && formatTime(releasedAt, language), isTheirs: false },
  ]);
};

/** How staff open a contact request: by a link into the inbox or, without an inbox, by commands. */
export type WayToOpen =
  | { readonly link: string }
  | { readonly show: string; readonly delete: string; readonly release: string };

/** Why it is spam, for an address that gets spam. */
export const spamMark = ({ spamReason }: StaffContact): string | undefined =>
  spamReason === undefined ? undefined : `Marked as spam: ${spamReason}.`;

/** How staff open the contact request with an id. Nothing in it comes from a visitor. */
export const wayToOpen = (id: string, { environment, inboxOrigin }: Wording): WayToOpen => {
  if (inboxOrigin !== undefined) return { link: `${inboxOrigin}/#${id}` };
  const command = (name: string) => `npx --no-install crcs contacts ${name} ${id} --env ${environment}`;
  return { show: command('show'), delete: command('delete'), release: command('release') };
};

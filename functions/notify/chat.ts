import type { Contact } from '../contacts/contact.ts';
import { isVisible, nameOf } from '../names/display-name.ts';
import type { Deliver } from './deliver.ts';
import type { JsonPost, PostJson } from './post.ts';
import {
  extraOf,
  type Fact,
  factsOf,
  fieldsOf,
  inSiteLanguage,
  shorten,
  shortLine,
  subjectOf,
  textsOf,
  type Wording,
  wayToOpen,
} from './wording.ts';

/** What differs between chat products. */
export interface Chat {
  /** The product's name. */
  readonly product: string;
  /** Where it takes messages, here and at subdomains. */
  readonly hosts: readonly string[];
  /**
   * A contact request as a message in which nothing from the visitor can mention, link or format.
   * @param url the one in the target's secret
   */
  readonly toPost: (contact: Contact, url: string, wording: Wording) => JsonPost;
}

/** @param url reads the URL, which is a secret */
export const deliverToChat =
  ({ toPost }: Chat, url: () => Promise<string>, wording: Wording, post: PostJson): Deliver =>
  async ({ contact }) =>
    post(toPost(contact, await url(), await inSiteLanguage(contact, wording)));

/** The extra fields as a text. Even their names come from the visitor. */
export const extraText = (contact: Contact, wording: Wording): string =>
  extraOf(contact, wording)
    .map(([name, value]) => `${name}: ${[value].flat().join('\n')}`)
    .join('\n');

/** A part of a message that is a text. Line breaks separate the parts. */
export interface Part {
  readonly text: string;
  /** Whether words of the visitor can be in it. The product must show it as it is. */
  readonly isQuoted: boolean;
}

/** The longest campaign has 200 characters, each of at most two code units. */
const maxFact = 400;

const ours = (text: string): Part => ({ text, isQuoted: false });
const quoted = (text: string): Part => ({ text, isQuoted: true });

/** The visitor's name, unless the subject, which stands above it, has all of it. */
export const nameBelowSubject = (contact: Contact, wording: Wording): string | undefined => {
  const name = nameOf(contact);
  return name === undefined || subjectOf(contact, wording).includes(name) ? undefined : shortLine(name, maxFact);
};

const headOf = (contact: Contact, wording: Wording): Part => {
  const name = nameBelowSubject(contact, wording);
  return quoted([subjectOf(contact, wording), ...(name === undefined ? [] : [`From: ${name}`])].join('\n'));
};

/** Room for usual fields, which a long message leaves. The longest fields get more only from a short message. */
const usualFields = 600;

/** Each on a line of its own, so that no value looks like the next one. */
const rowsOf = (facts: readonly Fact[], max = Number.POSITIVE_INFINITY): string[] =>
  facts.map(({ label, text }) => `${label}: ${shortLine(text, max)}`);

const openingOf = (id: string, wording: Wording): Part[] => {
  const way = wayToOpen(id, wording);
  if ('link' in way) return [ours(`${textsOf(wording).emails.openInInbox}: ${way.link}`)];
  return [ours('Show it'), quoted(way.show), ours('Delete it'), quoted(way.delete)];
};

interface Limits {
  /** UTF-16 code units of a message. If a product counts code points, these are never more. */
  readonly max: number;
  /** Those that a quoted part needs besides its text. */
  readonly quotation: number;
}

/** A contact request as a text of limited length. It leaves out what does not fit, and then says so. */
export const partsOf = (contact: Contact, wording: Wording, { max, quotation }: Limits): Part[] => {
  /** Each part with the line break behind it. */
  const lengthOf = (parts: readonly Part[]) =>
    parts.reduce((sum, { text, isQuoted }) => sum + text.length + '\n'.length + (isQuoted ? quotation : 0), 0);

  const { pages, emails } = textsOf(wording);
  const head = headOf(contact, wording);
  const notAll = ours('This is not all of it.');
  const opening = openingOf(contact.id, wording);
  // Behind the last part, there is no line break.
  const roomBeside = (details: Part) => max + '\n'.length - lengthOf([head, details, notAll, ...opening]);

  const { message: wholeMessage = '' } = contact;
  const wholeFields = rowsOf(fieldsOf(contact, wording)).join('\n');
  const facts = rowsOf(factsOf(contact, wording), maxFact);
  const roomOfFields = roomBeside(quoted(['', ...facts].join('\n')));
  const leftByMessage = roomOfFields - lengthOf([ours(pages.labels.message), quoted(wholeMessage)]);
  const fields = shorten(wholeFields, Math.min(roomOfFields, Math.max(usualFields, leftByMessage)));
  const details = quoted([...(fields === '' ? [] : [fields]), ...facts].join('\n'));

  let isCut = fields !== wholeFields || facts.join() !== rowsOf(factsOf(contact, wording)).join();
  let room = roomBeside(details);

  /** A long text under its label, as far as there is room. */
  const labelled = (label: string, text: string): Part[] => {
    const itsRoom = room - lengthOf([ours(label), quoted('')]);
    const shown = itsRoom > 0 ? shorten(text, itsRoom) : '';
    isCut ||= shown !== text;
    // Discord may empty a block without visible characters.
    if (!isVisible(shown)) return [];
    room = itsRoom - shown.length;
    return [ours(label), quoted(shown)];
  };

  const message = labelled(pages.labels.message, wholeMessage);
  const others = labelled(emails.otherFields, extraText(contact, wording));
  return [head, ...message, details, ...others, ...(isCut ? [notAll] : []), ...opening];
};

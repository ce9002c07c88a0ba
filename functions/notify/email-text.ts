import type { Contact, StaffContact } from '../contacts/contact.ts';
import { nameOf } from '../names/display-name.ts';
import { howToReply } from './reply.ts';
import {
  extraOf,
  type Fact,
  factsOf,
  fieldsOf,
  linesOf,
  spamMark,
  textsOf,
  type WayToOpen,
  type Wording,
  wayToOpen,
} from './wording.ts';

/** Quotes a visitor's line with a bar, so that it cannot look like one of ours. */
const quoted = (line: string) => (line === '' ? '|' : `| ${line}`);

const paragraph = (lines: readonly string[]) => `${lines.join('\n')}\n`;

const entry = (label: string, lines: readonly string[]) => paragraph([`${label}:`, ...lines]);

const factEntry = ({ label, text, isTheirs }: Fact) => entry(label, isTheirs ? linesOf(text).map(quoted) : [text]);

/** The extra fields under one label: even their names come from the visitor. */
const extraEntries = (contact: Contact, wording: Wording) => {
  const lines = extraOf(contact, wording).flatMap(([name, value]) => [
    ...linesOf(name),
    ...[value].flat().flatMap((text) => linesOf(text).map((line) => `  ${line}`)),
  ]);
  return lines.length === 0 ? [] : [entry(textsOf(wording).emails.otherFields, lines.map(quoted))];
};

const releaseInInbox = 'To release it, open it in the inbox';

/** @param spam what says that it is spam */
const staffLines = (way: WayToOpen, spam: string | undefined, openInInbox: string): string[] => {
  const mark = spam === undefined ? [] : [paragraph([spam])];
  if ('link' in way) return [...mark, entry(spam === undefined ? openInInbox : releaseInInbox, [way.link])];
  return [
    ...mark,
    entry('Show it', [way.show]),
    ...(spam === undefined ? [] : [entry('Release it, if it is no spam', [way.release])]),
    entry('Delete it', [way.delete]),
  ];
};

/**
 * A contact request as the text of an email. The visitor's words are quoted unchanged. The lines for staff stand below a
 * signature's separator (RFC 3676, section 4.3), so most clients leave them out of a reply.
 */
export const emailText = (contact: StaffContact, wording: Wording): string => {
  const { id, message } = contact;
  const spam = spamMark(contact);
  const name = nameOf(contact);
  const way = wayToOpen(id, wording);
  const { emails } = textsOf(wording);
  return [
    ...(name === undefined ? [] : [paragraph(linesOf(name).map(quoted))]),
    ...(message === undefined ? [] : [paragraph(linesOf(message).map(quoted))]),
    ...fieldsOf(contact, wording).map(factEntry),
    ...extraEntries(contact, wording),
    ...factsOf(contact, wording).map(factEntry),
    paragraph([howToReply(contact, emails)]),
    `-- \n${staffLines(way, spam, emails.openInInbox).join('\n')}`,
  ].join('\n');
};

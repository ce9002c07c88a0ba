import type { KnownBlock, MrkdwnElement, PlainTextElement } from '@slack/types';
import type { Contact } from '../contacts/contact.ts';
import { isVisible } from '../names/display-name.ts';
import { type Chat, extraText, nameBelowSubject } from './chat.ts';
import { cut, factsOf, fieldsOf, shorten, subjectOf, textsOf, type Wording, wayToOpen } from './wording.ts';

/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
const maxText = 3_000;
const maxFields = 10;

/** More than any field of one line can have, and less than Slack's 2,000. */
const maxField = 500;

/**
 * For the message and the extra fields together. Slack refuses messages whose blocks have more than some 11,000 to 13,300
 * characters, which it does not document: https://github.com/slackapi/bolt-js/issues/2867
 */
const maxLongTexts = 7_000;

/** A visitor's text. In plain text, Slack shows no mentions, links or emoji. Slack refuses empty texts. */
const plain = (text: string): PlainTextElement => ({
  type: 'plain_text',
  text: isVisible(text) ? text : '–',
  emoji: false,
});

/** Our own words. */
const marked = (text: string): MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const chunk = <Item>(items: readonly Item[], max: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / max) }, (_, piece) => items.slice(piece * max, (piece + 1) * max));

const chunkText = (text: string): string[] => {
  if (text === '') return [];
  const piece = cut(text, maxText);
  return [piece, ...chunkText(text.slice(piece.length))];
};

const section = (text: PlainTextElement | MrkdwnElement): KnownBlock => ({ type: 'section', text });

const longText = (label: string, text: string): KnownBlock[] => [
  section(marked(`*${label}*`)),
  ...chunkText(text)
    .filter(isVisible)
    .map((piece): KnownBlock => ({ type: 'section', text: plain(piece), expand: true })),
];

/** A Block Kit message; push notifications show `text`. */
interface SlackMessage {
  readonly text: string;
  readonly mrkdwn: false;
  readonly unfurl_links: false;
  readonly unfurl_media: false;
  readonly blocks: readonly KnownBlock[];
}

/** The link to the inbox needs no escaping: its origin is one that browsers send. */
const openingText = (id: string, wording: Wording) => {
  const way = wayToOpen(id, wording);
  return 'link' in way
    ? `<${way.link}|${textsOf(wording).emails.openInInbox}>`
    : `Show it: \`${way.show}\`\nDelete it: \`${way.delete}\``;
};

/** A contact request as a Slack message. It leaves out text that does not fit, and then says so. */
const slackMessage = (contact: Contact, wording: Wording): SlackMessage => {
  const { pages, emails } = textsOf(wording);
  const subject = subjectOf(contact, wording);
  const name = nameBelowSubject(contact, wording);
  const short = fieldsOf(contact, wording).flatMap(({ label, text }) => [
    marked(`*${label}*`),
    plain(shorten(text, maxField)),
  ]);
  const { message: wholeMessage = '' } = contact;
  const message = cut(wholeMessage, maxLongTexts);
  const wholeExtra = extraText(contact, wording);
  const extra = cut(wholeExtra, maxLongTexts - message.length);
  const isCut = message.length + extra.length < wholeMessage.length + wholeExtra.length;
  return {
    text: escaped(subject),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(subject) },
      ...(name === undefined ? [] : [section(marked('*From*')), section(plain(name))]),
      ...(isVisible(message) ? longText(pages.labels.message, message) : []),
      ...chunk(short, maxFields).map((fields): KnownBlock => ({ type: 'section', fields })),
      ...(extra === '' ? [] : longText(emails.otherFields, extra)),
      {
        type: 'context',
        elements: factsOf(contact, wording).map(({ label, text }) => plain(shorten(`${label}: ${text}`, maxField))),
      },
      section(marked(`${isCut ? 'This is not all of it.\n' : ''}${openingText(contact.id, wording)}`)),
    ],
  };
};

/** An incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: Chat = {
  product: 'Slack',
  hosts: ['hooks.slack.com'],
  toPost: (contact, url, wording) => ({ url, body: JSON.stringify(slackMessage(contact, wording)) }),
};

import type { KnownBlock, MrkdwnElement, PlainTextElement } from '@slack/types';
import { type Contact, fieldNames } from '../contacts/contact.ts';
import { en } from '../contacts/languages/en.ts';
import type { Deliver } from './deliver.ts';
import type { Post } from './post.ts';
import { commandsFor, subjectOf, timeInWords } from './wording.ts';

/** https://docs.slack.dev/reference/block-kit/blocks/header-block, …/section-block */
const mostOfHeader = 150;
const mostOfText = 3_000;
const mostFields = 10;

/** More than any field of one line may be, and less than the 2,000 of Slack's. */
const mostOfField = 500;

/**
 * For the message and the other fields together. Slack refuses a message if its blocks are too long together, at somewhere
 * between 11,000 and 13,300 characters, and documents it nowhere: https://github.com/slackapi/bolt-js/issues/2867
 */
const mostOfLongTexts = 7_000;

/** Cuts a text without breaking a character in two. @param most counted as JavaScript does: Slack counts no more */
const cut = (text: string, most: number) => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

const shorten = (text: string, most: number) => (text.length > most ? `${cut(text, most - 1)}…` : text);

const isBlank = (text: string) => text.trim() === '';

/** A visitor's text: Slack makes no mention, link or emoji of plain text. It may not be empty. */
const plain = (text: string): PlainTextElement => ({
  type: 'plain_text',
  text: isBlank(text) ? '–' : text,
  emoji: false,
});

/** Our own words. */
const marked = (text: string): MrkdwnElement => ({ type: 'mrkdwn', text, verbatim: true });

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const inPieces = <Item>(items: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, piece) => items.slice(piece * most, (piece + 1) * most));

const textInPieces = (text: string): string[] => {
  if (text === '') return [];
  const piece = cut(text, mostOfText);
  return [piece, ...textInPieces(text.slice(piece.length))];
};

const longText = (label: string, text: string): KnownBlock[] => [
  { type: 'section', text: marked(`*${label}*`) },
  ...textInPieces(text)
    .filter((piece) => !isBlank(piece))
    .map((piece): KnownBlock => ({ type: 'section', text: plain(piece), expand: true })),
];

const extraText = ({ extra = {} }: Contact) =>
  Object.entries(extra)
    .map(([name, value]) => `${name}: ${[value].flat().join('\n')}`)
    .join('\n');

/** A message by Block Kit; push notifications show `text`. */
export interface SlackMessage {
  readonly text: string;
  readonly mrkdwn: false;
  readonly unfurl_links: false;
  readonly unfurl_media: false;
  readonly blocks: readonly KnownBlock[];
}

/** A contact request as a message in Slack. Text that does not fit is left out, and the message says how to see it. */
export const slackMessage = (contact: Contact, environment: string): SlackMessage => {
  const subject = subjectOf(contact);
  const commands = commandsFor(contact.id, environment);
  const short = fieldNames.flatMap((name) => {
    const value = name === 'message' ? undefined : contact[name];
    return value === undefined ? [] : [marked(`*${en.labels[name]}*`), plain(shorten(value, mostOfField))];
  });
  const message = cut(contact.message, mostOfLongTexts);
  const extra = cut(extraText(contact), mostOfLongTexts - message.length);
  const isCut = message.length + extra.length < contact.message.length + extraText(contact).length;
  return {
    text: escaped(subject),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(shorten(subject, mostOfHeader)) },
      ...inPieces(short, mostFields).map((fields): KnownBlock => ({ type: 'section', fields })),
      ...longText(en.labels.message, message),
      ...(extra === '' ? [] : longText('Other fields', extra)),
      {
        type: 'context',
        elements: [
          marked(`Received: ${timeInWords(contact.createdAt)}`),
          marked(`${isCut ? 'This is not all of it. ' : ''}Show it: \`${commands.show}\``),
          marked(`Delete it: \`${commands.delete}\``),
        ],
      },
    ],
  };
};

/**
 * Delivers to people in Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * @param url gives the incoming webhook's URL, which is a secret
 */
export const deliverToSlack =
  (url: () => Promise<string>, environment: string, post: Post): Deliver =>
  async ({ contact }) =>
    post({ url: await url(), body: JSON.stringify(slackMessage(contact, environment)) });

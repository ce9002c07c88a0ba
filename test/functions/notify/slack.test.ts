import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { slack } from '../../../functions/notify/slack.ts';
import type { Wording } from '../../../functions/notify/wording.ts';
import { badTexts, exampleContact, storedContacts } from '../../support/stored-contacts.ts';

/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
const textOf = (most: number) => v.pipe(v.string(), v.regex(/\S/), v.maxLength(most));

/** In plain text, Slack shows no mentions, links or emoji. Visitors' texts must be plain. */
const plain = (most: number) =>
  v.strictObject({ type: v.literal('plain_text'), text: textOf(most), emoji: v.literal(false) });

/** Our own words, without mentions and with no link but the one into the inbox. */
const marked = (most: number) =>
  v.strictObject({
    type: v.literal('mrkdwn'),
    text: v.pipe(
      textOf(most),
      v.regex(/^[^<>&@]*(<https:\/\/inbox\.example\.com\/#[\da-f-]{36}\|Open it in the inbox>)?$/),
    ),
    verbatim: v.literal(true),
  });

const anyText = (most: number) => v.variant('type', [plain(most), marked(most)]);

/** The blocks that Slack accepts: https://docs.slack.dev/reference/block-kit/blocks */
const block = v.variant('type', [
  v.strictObject({ type: v.literal('header'), text: plain(150) }),
  v.strictObject({ type: v.literal('section'), text: anyText(3_000), expand: v.optional(v.boolean()) }),
  v.strictObject({
    type: v.literal('section'),
    fields: v.pipe(v.array(anyText(2_000)), v.minLength(1), v.maxLength(10)),
  }),
  v.strictObject({ type: v.literal('context'), elements: v.pipe(v.array(anyText(3_000)), v.maxLength(10)) }),
]);

const message = v.strictObject({
  text: v.pipe(textOf(300), v.regex(/^[^<>]*$/)),
  mrkdwn: v.literal(false),
  unfurl_links: v.literal(false),
  unfurl_media: v.literal(false),
  blocks: v.pipe(v.array(block), v.maxLength(50)),
});

const wording: Wording = { environment: 'prod', inboxOrigin: 'https://inbox.example.com', subjects: new Map() };

/** The posted message, checked against Slack's limits. */
const messageOf = (contact: Contact, changes: Partial<Wording> = {}) => {
  const { body } = slack.toPost(contact, 'https://hooks.example.com/secret', { ...wording, ...changes });
  return v.parse(message, JSON.parse(body));
};

const textsIn = ({ blocks }: v.InferOutput<typeof message>) =>
  blocks.flatMap((each) => (each.type === 'context' ? each.elements : 'fields' in each ? each.fields : [each.text]));

/** The visitor's texts, as a reader sees them. */
const plainIn = (posted: v.InferOutput<typeof message>) =>
  textsIn(posted).flatMap(({ type, text }) => (type === 'plain_text' ? [text] : []));

it('has a heading, the message, the fields, what else is known, and a link into the inbox, in this order', () => {
  const posted = messageOf(exampleContact);
  const ours = (text: string) => ({ type: 'mrkdwn', text, verbatim: true }) as const;
  const theirs = (text: string) => ({ type: 'plain_text', text, emoji: false }) as const;
  const expected: KnownBlock[] = [
    { type: 'header', text: theirs('Contact request from Grace Hopper (https://www.example.com)') },
    { type: 'section', text: ours('*Message*') },
    { type: 'section', text: theirs(exampleContact.message), expand: true },
    {
      type: 'section',
      fields: [
        ...[ours('*Email address*'), theirs('grace.hopper@example.com')],
        ...[ours('*Phone number*'), theirs('+1 202 555 0142')],
        ...[ours('*Company*'), theirs('Example Shipping Ltd')],
      ],
    },
    { type: 'section', text: ours('*Other fields*') },
    { type: 'section', text: theirs('topic: An offer\nrooms: Ground floor\nSecond floor'), expand: true },
    {
      type: 'context',
      elements: [
        theirs('Site: https://www.example.com'),
        theirs('Form: sales'),
        theirs('Received: 1 March 2026 at 12:00:00 UTC'),
      ],
    },
    {
      type: 'section',
      text: ours('<https://inbox.example.com/#5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11|Open it in the inbox>'),
    },
  ];
  expect(posted.blocks).toStrictEqual(expected);
});

it('says how to show and delete it if there is no inbox', () => {
  const posted = messageOf(exampleContact, { inboxOrigin: undefined });
  const command = (name: string) => `\`npx --no-install crcs contacts ${name} ${exampleContact.id} --env prod\``;
  expect(textsIn(posted).at(-1)?.text).toBe(`Show it: ${command('show')}\nDelete it: ${command('delete')}`);
});

const { id, createdAt } = exampleContact;
const least = { id, createdAt, phone: '555 0100', message: 'Hello' };

it('leaves out missing fields, an invisible message and a name that the heading has', () => {
  const textsOf = (contact: Contact) => textsIn(messageOf(contact)).map(({ text }) => text);
  const end = [/^Received: /, /inbox/].map((words) => expect.stringMatching(words));
  expect(textsOf(least)).toStrictEqual([
    ...['Contact request from 555 0100', '*Message*', 'Hello', '*Phone number*', '555 0100'],
    ...end,
  ]);
  expect(textsOf({ ...least, message: '\u202e\u200b', company: '\u3164' })).toStrictEqual([
    ...['Contact request from 555 0100', '*Phone number*', '555 0100', '*Company*', '–'],
    ...end,
  ]);
  const name = { firstName: 'Ada'.repeat(20), lastName: 'Lovelace' };
  expect(textsOf({ ...least, ...name }).slice(1, 3)).toStrictEqual(['*From*', `${name.firstName} Lovelace`]);
  expect(textsOf({ id, createdAt, extra: { topic: 'Tea' } })).toStrictEqual([
    ...['Contact request from a visitor', '*Other fields*', 'topic: Tea'],
    ...end,
  ]);
});

it('escapes the name in the text of push notifications', () => {
  const { text } = messageOf({ ...least, firstName: 'Tom & <Ada>' });
  expect(text).toBe('Contact request from Tom &amp; &lt;Ada&gt;');
});

it("has the subject of the form's settings as heading, else the one that the form sent", () => {
  const subjects = new Map([['sales', 'An order']]);
  const contact = { ...exampleContact, extra: { subject: 'An <offer>' } };
  expect(messageOf(contact, { subjects }).text).toBe('An order: Grace Hopper');
  const { text, blocks } = messageOf(contact);
  expect(text).toBe('An &lt;offer&gt;: Grace Hopper');
  expect(blocks[0]).toMatchObject({ type: 'header', text: { text: 'An <offer>: Grace Hopper' } });
});

it('shortens a heading of more than 150 characters', () => {
  const headingOf = (length: number) => {
    const restOfHeading = `Contact request from ${'x'.repeat(60)} ()`;
    const site = 's'.repeat(length - restOfHeading.length);
    const [heading] = plainIn(messageOf({ ...least, firstName: 'x'.repeat(60), site }));
    return heading;
  };
  expect(headingOf(150)).toMatch(/s\)$/);
  expect(headingOf(151)).toMatch(/s…$/);
});

it.each(badTexts)("shows a visitor's text as plain text: %j", (text) => {
  const contact = {
    ...exampleContact,
    firstName: text,
    company: text,
    message: text,
    form: text,
    extra: { [text]: text },
  };
  expect(plainIn(messageOf(contact)).join('')).toContain(text.slice(0, 100).trim());
});

it('cuts texts that are too long for Slack, and says how to see all of it', () => {
  const extra = { one: 'a'.repeat(2_000), two: ['b'.repeat(2_000)], three: 'c'.repeat(2_000) };
  const whole = messageOf({ ...exampleContact, message: 'x'.repeat(5_000), extra: { one: 'a'.repeat(1_900) } });
  expect(plainIn(whole).join('')).toContain('x'.repeat(5_000));
  expect(textsIn(whole).at(-1)?.text).toMatch(/^<.*Open it in the inbox>$/);

  const cut = messageOf({ ...exampleContact, message: 'x'.repeat(5_000), extra });
  expect(plainIn(cut).join('')).toContain('x'.repeat(5_000));
  expect(textsIn(cut).at(-1)?.text).toMatch(/^This is not all of it\.\n<.*Open it in the inbox>$/);
});

it('splits no character', () => {
  const posted = messageOf({ ...exampleContact, message: `x${'😀'.repeat(5_000)}` });
  for (const text of plainIn(posted)) expect(text.isWellFormed()).toBe(true);
});

it('stays within the limits for any contact request', () => {
  fc.assert(
    fc.property(storedContacts, (contact) => {
      const posted = messageOf(contact);
      // Slack refuses longer messages: https://github.com/slackapi/bolt-js/issues/2867
      expect(
        textsIn(posted)
          .map(({ text }) => text)
          .join('').length,
      ).toBeLessThan(10_500);
    }),
    { numRuns: 100 },
  );
});

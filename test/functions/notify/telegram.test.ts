import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { telegram } from '../../../functions/notify/telegram.ts';
import type { Wording } from '../../../functions/notify/wording.ts';
import { badTexts, exampleContact, storedContacts } from '../../support/stored-contacts.ts';

/** https://core.telegram.org/bots/api#sendmessage, without what we never send. */
const message = v.pipe(
  v.strictObject({
    chat_id: v.literal('-1001234567890'),
    message_thread_id: v.optional(v.string()),
    text: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_096)),
    entities: v.array(
      v.strictObject({
        type: v.literal('pre'),
        offset: v.pipe(v.number(), v.integer(), v.minValue(0)),
        length: v.pipe(v.number(), v.integer(), v.minValue(1)),
      }),
    ),
    link_preview_options: v.strictObject({ is_disabled: v.literal(true) }),
  }),
  v.check(({ text, entities }) =>
    entities.every(({ offset, length }, at) => {
      const next = entities[at + 1]?.offset ?? text.length;
      return offset + length <= next;
    }),
  ),
);

const wording: Wording = { environment: 'prod', inboxOrigin: 'https://inbox.example.com', subjects: new Map() };
const url = 'https://api.telegram.org/bot123:ABC/sendMessage?chat_id=-1001234567890';

const messageOf = (contact: Contact, changes: Partial<Wording> = {}) => {
  const { body } = telegram.toPost(contact, url, { ...wording, ...changes });
  return v.parse(message, JSON.parse(body));
};

/** What Telegram shows as it is, and what it formats and looks through for links and mentions. */
const read = ({ text, entities }: v.InferOutput<typeof message>) => {
  const ends = [0, ...entities.map(({ offset, length }) => offset + length)];
  return {
    shown: entities.map(({ offset, length }) => text.slice(offset, offset + length)),
    formatted: ends.map((end, at) => text.slice(end, entities[at]?.offset)),
  };
};

it('quotes the subject, the message, fields and other fields, and links into the inbox', () => {
  const posted = messageOf({ ...exampleContact, message: '😀 Hello' });
  const { shown, formatted } = read(posted);
  expect(shown).toStrictEqual([
    'Contact request from Grace Hopper (https://www.example.com)',
    '😀 Hello',
    [
      'Email address: grace.hopper@example.com',
      'Phone number: +1 202 555 0142',
      'Company: Example Shipping Ltd',
      'Site: https://www.example.com',
      'Form: sales',
      'Received: 1 March 2026 at 12:00:00 UTC',
    ].join('\n'),
    'topic: An offer\nrooms: Ground floor\nSecond floor',
  ]);
  expect(formatted).toStrictEqual([
    '',
    '\nMessage\n',
    '\n',
    '\nOther fields\n',
    '\nOpen it in the inbox: https://inbox.example.com/#5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11',
  ]);
});

it('moves the chat and its topic from the URL into the body, and nothing else', () => {
  const post = telegram.toPost(exampleContact, `${url}&message_thread_id=7&parse_mode=HTML&text=x`, wording);
  expect(post.url).toBe('https://api.telegram.org/bot123:ABC/sendMessage');
  expect(v.parse(message, JSON.parse(post.body)).message_thread_id).toBe('7');
});

it.each([...badTexts, '@channel /start #tag https://evil.example <b>bold</b> *bold* +1 202 555 0142'])(
  'formats nothing of the text %j',
  (text) => {
    const names = { firstName: text, company: text, message: text, form: text, campaign: text };
    const posted = messageOf({ ...exampleContact, ...names, extra: { [text]: text, subject: text } });
    expect(read(posted).formatted.join('')).toMatch(
      /^\n(Message\n)?\n?\n?(Other fields\n)?\n?(This is not all of it\.\n)?Open it in the inbox: https:\/\/inbox\.example\.com\/#[\da-f-]+$/,
    );
  },
);

it('cuts a message that is too long, says so, and fills the limit', () => {
  const posted = messageOf({ ...exampleContact, message: 'x'.repeat(5_000) });
  expect(posted.text).toHaveLength(4_096);
  expect(posted.text).toMatch(/x…\n/);
  expect(posted.text).toContain('\nThis is not all of it.\n');
});

it('stays within the limit for any contact request, with entities inside its text', () => {
  fc.assert(
    fc.property(storedContacts, fc.boolean(), (contact, hasInbox) => {
      const posted = messageOf(contact, hasInbox ? {} : { inboxOrigin: undefined });
      expect(posted.text.isWellFormed()).toBe(true);
      expect(read(posted).formatted.join('')).toMatch(/^[\w\s:/.#-]+$/);
    }),
    { numRuns: 200 },
  );
});

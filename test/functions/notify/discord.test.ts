import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { discord } from '../../../functions/notify/discord.ts';
import type { Wording } from '../../../functions/notify/wording.ts';
import { badTexts, exampleContact, storedContacts } from '../../support/stored-contacts.ts';

/** https://docs.discord.com/developers/resources/webhook#execute-webhook-json/form-params, without what we never send. */
const message = v.strictObject({
  content: v.pipe(v.string(), v.nonEmpty(), v.maxLength(2_000)),
  allowed_mentions: v.strictObject({ parse: v.tuple([]) }),
  /** https://docs.discord.com/developers/resources/message#message-object-message-flags */
  flags: v.literal(4),
});

const wording: Wording = { environment: 'prod', inboxOrigin: 'https://inbox.example.com', subjects: new Map() };
const url = 'https://discord.com/api/webhooks/1/token';

const contentOf = (contact: Contact, changes: Partial<Wording> = {}): string => {
  const { body } = discord.toPost(contact, url, { ...wording, ...changes });
  return v.parse(message, JSON.parse(body)).content;
};

/** What Discord shows as it is, and what it formats. A fence begins a block even within a line. */
const read = (content: string) => {
  const pieces = content.split('```');
  return {
    shown: pieces.filter((_, at) => at % 2 === 1).map((block) => block.replace(/^\n/, '').replace(/\n$/, '')),
    formatted: pieces.filter((_, at) => at % 2 === 0),
  };
};

it('has the subject, the message, fields, what else is known, other fields, and a link into the inbox', () => {
  expect(contentOf(exampleContact)).toBe(`\`\`\`
Contact request from Grace Hopper (https://www.example.com)
\`\`\`
Message
\`\`\`
${exampleContact.message}
\`\`\`
\`\`\`
Email address: grace.hopper@example.com
Phone number: +1 202 555 0142
Company: Example Shipping Ltd
Site: https://www.example.com
Form: sales
Received: 1 March 2026 at 12:00:00 UTC
\`\`\`
Other fields
\`\`\`
topic: An offer
rooms: Ground floor
Second floor
\`\`\`
Open it in the inbox: https://inbox.example.com/#5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11`);
});

const { id, createdAt } = exampleContact;
const least = { id, createdAt, phone: '555 0100', message: 'Hello' };

it('has commands if there is no inbox', () => {
  const { shown, formatted } = read(contentOf(least, { inboxOrigin: undefined }));
  expect(shown.slice(-2)).toStrictEqual([
    'npx --no-install crcs contacts show 5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11 --env prod',
    'npx --no-install crcs contacts delete 5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11 --env prod',
  ]);
  expect(formatted.slice(-3)).toStrictEqual(['\nShow it\n', '\nDelete it\n', '']);
});

it('waits until Discord has stored the message, in the thread that the URL names', () => {
  const post = discord.toPost(least, `${url}?thread_id=7`, wording);
  expect(post.url).toBe(`${url}?thread_id=7&wait=true`);
});

it('leaves out a blank message and fields that are missing', () => {
  expect(read(contentOf({ id, createdAt, message: ' \n', phone: '555 0100' })).shown).toStrictEqual([
    'Contact request from 555 0100',
    'Phone number: 555 0100\nReceived: 1 March 2026 at 12:00:00 UTC',
  ]);
});

it('has a name below the subject if that cuts it', () => {
  const name = { firstName: 'Ada'.repeat(20), lastName: 'Lovelace' };
  expect(read(contentOf({ ...least, ...name })).shown[0]).toBe(
    `Contact request from ${'Ada'.repeat(19)}Ad…\nFrom: ${name.firstName} Lovelace`,
  );
});

it("shows no value of a field as another field's line", () => {
  const { shown } = read(contentOf({ ...least, company: 'A\nEmail address: eve@example.com\u2028B' }));
  expect(shown.at(-1)?.split('\n')).toContain('Company: A Email address: eve@example.com B');
});

const formats = [
  ...badTexts,
  '```\n@everyone <@1> [click](https://evil.example) # big\n```',
  '`',
  '```',
  '`\u0000`\ufffe`',
  '``````js',
  'ends with ``',
  '<:smile:1> ||spoiler|| **bold** https://evil.example',
];

it.each(formats)('formats nothing of the text %j', (text) => {
  const names = { firstName: text, company: text, message: text, form: text, campaign: text };
  const content = contentOf({ ...exampleContact, ...names, extra: { [text]: text, subject: text } });
  expect(read(content).formatted.join('')).toMatch(
    /^\n(Message\n)?\n?\n?(Other fields\n)?\n?(This is not all of it\.\n)?Open it in the inbox: https:\/\/inbox\.example\.com\/#[\da-f-]+$/,
  );
  // Discord may strip characters, but no backtick of the visitor is left to make a fence.
  expect(read(content).shown.join('')).not.toContain('`');
});

it('cuts what is too long, and says so', () => {
  const notAll = '\nThis is not all of it.\nOpen it in the inbox: ';
  const messageOfLength = (length: number) => contentOf({ ...least, message: 'x'.repeat(length) });
  const longest = 2_000 - (messageOfLength(1).length - 1) - 'This is not all of it.\n'.length;
  expect(messageOfLength(longest)).toContain(`\n${'x'.repeat(longest)}\n`);
  expect(messageOfLength(longest)).not.toContain(notAll);
  expect(messageOfLength(longest + 1)).toContain(`\n${'x'.repeat(longest - 1)}…\n`);
  expect(messageOfLength(longest + 1)).toContain(notAll);
  expect(messageOfLength(longest + 1)).toHaveLength(2_000);

  const cutOthers = contentOf({ ...least, extra: { topic: 'y'.repeat(3_000) } });
  expect(cutOthers).toMatch(/y…\n```\nThis is not all of it\.\n/);
  expect(contentOf({ ...least, company: 'z'.repeat(3_000) })).toMatch(
    /z…\nReceived: .*\n```\nThis is not all of it\.\n/,
  );
});

it('keeps the address of a visitor who writes much', () => {
  const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.example.com`;
  const long = { company: 'c'.repeat(200), campaign: 'd'.repeat(200), message: 'x'.repeat(5_000) };
  expect(contentOf({ ...exampleContact, ...long, email })).toContain(`Email address: ${email}\n`);
});

it('shows site, form, campaign and time whole, however long the fields and the message are', () => {
  const site = `https://${'s'.repeat(245)}.example:65535`;
  const form = 'f'.repeat(64);
  const campaign = '😀'.repeat(200);
  const others = { firstName: 'n'.repeat(100), lastName: 'l'.repeat(100), message: 'x'.repeat(5_000) };
  const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
  const contact = { ...exampleContact, ...others, email, site, form, campaign, company: '😀'.repeat(200) };
  const content = contentOf(
    { ...contact, releasedAt: createdAt },
    { inboxOrigin: undefined, environment: 'e'.repeat(30) },
  );
  expect(content).toContain(`\nEmail address: ${email}\n`);
  expect(content).toContain(
    `…\nSite: ${site}\nForm: ${form}\nCampaign: ${campaign}\nReceived: 1 March 2026 at 12:00:00 UTC\nReleased from spam: `,
  );
});

it('shows the longest fields whole if the message is short', () => {
  const content = contentOf({ ...exampleContact, message: 'Hello', extra: {}, company: 'c'.repeat(1_000) });
  expect(content).toContain(`\nCompany: ${'c'.repeat(1_000)}\n`);
  expect(content).not.toContain('This is not all of it.');
});

it.each(['\u202e', '\u200b\u3164', '\u2800 '])('has no block for the invisible message %j', (message) => {
  expect(contentOf({ ...least, message })).not.toContain('Message');
});

it('stays within the limit for any contact request, and splits no character', () => {
  fc.assert(
    fc.property(storedContacts, fc.boolean(), (contact, hasInbox) => {
      const content = contentOf(contact, hasInbox ? {} : { inboxOrigin: undefined });
      expect(content.isWellFormed()).toBe(true);
      expect(read(content).formatted.join('')).toMatch(/^[\w\s:/.#-]+$/);
    }),
    { numRuns: 200 },
  );
});

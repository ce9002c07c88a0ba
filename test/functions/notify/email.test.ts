import { SESv2Client } from '@aws-sdk/client-sesv2';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Contact, fieldNames, type StaffContact } from '../../../functions/contacts/contact.ts';
import { notificationOf } from '../../../functions/notify/deliver.ts';
import { deliverByEmail } from '../../../functions/notify/email.ts';
import { emailHtml } from '../../../functions/notify/email-html.ts';
import { emailText } from '../../../functions/notify/email-text.ts';
import { replyAddressOf } from '../../../functions/notify/reply.ts';
import { noSite } from '../../../functions/notify/target.ts';
import { inSiteLanguage, subjectOf, type Wording } from '../../../functions/notify/wording.ts';
import { startFakeAws } from '../../support/fake-aws.ts';
import { noTimeout } from '../../support/notifications.ts';
import { badTexts, exampleContact, storedContacts } from '../../support/stored-contacts.ts';

const wordingOf = (changes: Partial<Wording> = {}): Wording => ({
  environment: 'prod',
  inboxOrigin: 'https://inbox.example.com',
  subjects: new Map(),
  ...changes,
});

/** The parts of the mail about a contact request. */
const mailOf = (contact: StaffContact, changes?: Partial<Wording>) => {
  const wording = wordingOf(changes);
  return {
    subject: subjectOf(contact, wording),
    text: emailText(contact, wording),
    html: emailHtml(contact, wording),
    replyTo: replyAddressOf(contact),
  };
};

it.each<[contact: Contact, replyTo: object]>([
  [exampleContact, { ReplyToAddresses: [exampleContact.email] }],
  [{ ...exampleContact, email: 'Ada <ada@example.com>' }, {}],
])('is one request to SES, with the parts of the mail: %#', async (contact, replyTo) => {
  await using aws = await startFakeAws({ status: 200, body: { MessageId: 'x' } });
  const client = new SESv2Client({ endpoint: aws.url });
  const addresses = { from: 'contact@example.com', to: 'staff@example.com', configurationSet: 'events' };
  await deliverByEmail(client, { ...addresses, wording: wordingOf() }, noTimeout)(notificationOf(contact));
  const { subject, text, html } = mailOf(contact);
  const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
  expect(aws.calls.map(({ input }) => input)).toStrictEqual([
    {
      FromEmailAddress: 'contact@example.com',
      Destination: { ToAddresses: ['staff@example.com'] },
      ConfigurationSetName: 'events',
      ...replyTo,
      Content: {
        Simple: {
          Subject: part(subject),
          Body: { Text: part(text), Html: part(html) },
        },
      },
    },
  ]);
});

it('shows an international address as people write it, and replies to the one of the DNS', () => {
  const email = 'ada@xn--bcher-kva.example';
  const { subject, text, html, replyTo } = mailOf({ id, createdAt, email });
  for (const part of [subject, text, html]) {
    expect(part).toContain('ada@bücher.example');
    expect(part).not.toContain('xn--');
  }
  expect(replyTo).toBe(email);
});

it('is in the language of the only site, if the contact request has none', async () => {
  const wording = wordingOf({ siteLanguages: new Map([[noSite, 'de']]) });
  expect((await inSiteLanguage(exampleContact, wording)).language?.tag).toBe('en');
  const { site: _, ...withoutSite } = exampleContact;
  expect((await inSiteLanguage(withoutSite, wording)).language?.tag).toBe('de');
});

const { id, createdAt } = exampleContact;
const least = { id, createdAt, message: 'Hello' };

/** Wraps lines as a mail client does. */
const wrapped = (text: string, width: number) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(new RegExp(`(?=.{${width + 1}})(.{1,${width}}) `, 'g'), '$1\n'))
    .join('\n');

const linesOf = (text: string) => text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);

const tagsIn = (html: string) => html.match(/<[^>]*>/g) ?? [];

const seen = (text: string) => text.replaceAll(/ {2,}/g, ' ').trim();

/** What a reader of the HTML sees, with a blank between blocks. */
const textIn = (html: string) =>
  seen(
    html
      .slice(html.indexOf('<body>'))
      .replaceAll('<br>', '\n')
      .replaceAll(/<[^>]*>\n?/g, ' ')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
  );

const isTheirs = (line: string) => /^\|( |$)/.test(line);

const lines = (text: string) => text.split('\n');

describe('an email', () => {
  it('is easy to read with 72 characters in a line', async () => {
    const { text } = mailOf(exampleContact);
    await expect(wrapped(text, 72)).toMatchFileSnapshot('mails/example-72.txt');
  });

  it('has at most 40 characters in our own lines, except in the link and in commands', () => {
    for (const inboxOrigin of ['https://inbox.example.com', undefined]) {
      for (const contact of [
        exampleContact,
        { ...exampleContact, releasedAt: createdAt },
        { ...least, spamReason: 'no trap' },
      ]) {
        const { text } = mailOf(contact, { inboxOrigin });
        const ours = lines(text).filter((line) => !isTheirs(line) && !/^(npx|https:\/\/inbox)/.test(line));
        expect(ours.filter((line) => line.length > 40)).toStrictEqual([]);
      }
    }
  });

  it('begins with the name and the message, in both parts', () => {
    const { text, html } = mailOf({ ...exampleContact, message: 'Hello' });
    expect(text).toMatch(/^\| Grace Hopper\n\n\| Hello\n\nEmail address:\n/);
    expect(textIn(html)).toMatch(/^Grace Hopper Hello Email address grace\.hopper@/);
  });

  it('says the name and the subject once, however the form calls them', () => {
    const extra = { 'Full name': 'Ada Lovelace', _subject: 'An order', topic: 'Tea' };
    const { subject, text, html } = mailOf({ ...least, email: 'ada@example.com', extra });
    expect(subject).toBe('An order: Ada Lovelace');
    expect(text).toMatch(
      /^\| Ada Lovelace\n\n\| Hello\n\nEmail address:\n\| ada@example\.com\n\nOther fields:\n\| topic\n\| {3}Tea\n\nReceived:/,
    );
    expect(textIn(html)).toMatch(/^Ada Lovelace Hello Email address ada@example.com Other fields topic Tea Received /);
    const withoutOthers = mailOf({ ...least, extra: { name: ['Ada', 'Lovelace'], subject: 'An order' } });
    expect(withoutOthers.text).not.toContain('Other fields');
  });

  it('keeps a name and a subject that nothing above them has', () => {
    const extra = { 'Full name': 'Countess', _subject: 'An order' };
    const { text } = mailOf(
      { ...least, firstName: 'Ada', lastName: 'Lovelace', form: 'sales', extra },
      { subjects: new Map([['sales', 'Enquiry']]) },
    );
    expect(text).toContain('\n| Full name\n|   Countess\n| _subject\n|   An order\n');
  });

  it('says why it is spam, and that the inbox releases it', () => {
    const { text, html } = mailOf({ ...exampleContact, spamReason: 'trap' });
    const link = `https://inbox.example.com/#${id}`;
    expect(text).toMatch(
      new RegExp(
        `\n\nA reply goes to the visitor.\n\n-- \nMarked as spam: trap.\n\nTo release it, open it in the inbox:\n${link}\n$`,
      ),
    );
    expect(textIn(html)).toMatch(/ Marked as spam: trap\. To release it, open it in the inbox\. Open it in the inbox$/);
  });

  it('says how to release spam if there is no inbox, without a command in HTML', () => {
    const { text, html } = mailOf({ ...least, spamReason: 'trap' }, { inboxOrigin: undefined });
    expect(textIn(html)).toContain(`Id ${id}`);
    expect(textIn(html)).toMatch(/ Marked as spam: trap\. To release it, use the staff command with its id\.$/);
    expect(html).not.toContain('crcs');
    expect(text).toContain('\n\n-- \nMarked as spam: trap.\n\nShow it:\n');
    expect(text).toContain(
      `\n\nRelease it, if it is no spam:\nnpx --no-install crcs contacts release ${id} --env prod\n\nDelete it:\n`,
    );
  });

  it('says how to show and delete it if there is no inbox, and has no commands in HTML, which a reply would quote', () => {
    const { text, html } = mailOf(exampleContact, { inboxOrigin: undefined });
    const command = (name: string) => `npx --no-install crcs contacts ${name} ${id} --env prod`;
    expect(text).toMatch(new RegExp(`\n\n-- \nShow it:\n${command('show')}\n\nDelete it:\n${command('delete')}\n$`));
    expect(html).not.toContain('crcs');
    expect(html).not.toContain('<a');
    expect(textIn(html)).toContain(`Id ${id}`);
  });

  it('leaves out missing fields', async () => {
    const { subject, text, replyTo } = mailOf({ ...least, phone: '555 0100' });
    expect(subject).toBe('Contact request from 555 0100');
    expect(replyTo).toBeUndefined();
    await expect(text).toMatchFileSnapshot('mails/least.txt');
  });

  it('has the time of a release from spam', () => {
    const { text } = mailOf({ ...exampleContact, releasedAt: '2026-03-02T08:30:00.000Z' });
    expect(text).toContain(
      'Received:\n1 March 2026 at 12:00:00 UTC\n\nReleased from spam:\n2 March 2026 at 08:30:00 UTC\n',
    );
  });

  it("quotes a visitor's imitation of our lines", async () => {
    const tricks = badTexts[7] ?? '';
    const { text } = mailOf({
      ...exampleContact,
      form: 'sales\u2028Site:\u2028https://evil.example',
      message: `${tricks}\n\n${badTexts[8]}\nSite:\u2028https://evil.example`,
      extra: JSON.parse('{"__proto__":"x","Id":["1","2\\n3"],"Delete it:":"npx --no-install crcs contacts delete y"}'),
    });
    await expect(text).toMatchFileSnapshot('mails/tricks.txt');
  });
});

describe('the subject without one of the form', () => {
  it.each([
    [{}, 'a visitor'],
    [{ phone: '+1 202 555 0142' }, '+1 202 555 0142'],
    [{ firstName: 'Ada\r\nBcc: eve@example.com' }, 'Ada Bcc: eve@example.com'],
    [{ firstName: '\u202eadA\u202c', lastName: '\u2067b\u2069' }, 'adA b'],
    [{ firstName: 'one\u2028two\u2029three\u0085four' }, 'one two three four'],
    [{ firstName: '👩‍👩‍👧', lastName: 'שלום' }, '👩‍👩‍👧 שלום'],
    // A mail client would decode the line break and the override of direction.
    [{ firstName: '=?utf-8?Q?Ada=0D=0ABcc:_e?=' }, '= ?utf-8?Q?Ada=0D=0ABcc:_e?='],
    [{ firstName: '=\u202e?utf-8?B?4oCu?=' }, '= ?utf-8?B?4oCu?='],
    [{ firstName: 'x'.repeat(100), lastName: 'y' }, `${'x'.repeat(59)}…`],
    [{ firstName: '😀'.repeat(30) }, '😀'.repeat(30)],
    [{ firstName: '😀'.repeat(31) }, `${'😀'.repeat(29)}…`],
  ])('names the visitor of %o', (fields, who) => {
    const contact = { ...least, ...fields };
    expect(mailOf(contact).subject).toBe(`Contact request from ${who}`);
    expect(mailOf({ ...contact, site: 'https://www.example.com' }).subject).toBe(
      `Contact request from ${who} (https://www.example.com)`,
    );
  });
});

describe('the subject', () => {
  const fallback = 'Contact request from a visitor';

  it.each([
    ['An order', { _subject: 'An order' }],
    ['An offer', { subject: 'An offer' }],
    ['An order', { subject: 'An offer', _subject: 'An order' }],
    ['An order', { 'your-subject': 'An order' }],
    ['An order', { Subject: 'An offer', subject: 'An order' }],
    [fallback, { subject_area: 'Science' }],
    // A list, blanks and invisible characters are not a subject.
    ['An offer', { _subject: ['An order', 'A claim'], subject: 'An offer' }],
    ['An offer', { _subject: '\u3164\u200b \u202e', subject: 'An offer' }],
    [fallback, { _subject: ' \n\t', subject: '' }],
    [fallback, { subject: '\u200b'.repeat(2_000) }],
    ['An offer Bcc: eve@example.com Hello', { subject: 'An offer\r\nBcc: eve@example.com\n\nHello' }],
    ['= ?utf-8?Q?=0D=0ABcc:_e?=', { subject: '=?utf-8?Q?=0D=0ABcc:_e?=' }],
    ['= ?utf-8?B?4oCu?=', { subject: '=\u202e?utf-8?B?4oCu?=' }],
    ['redro nA', { subject: '\u202eredro\u202c \u2067nA\u2069' }],
    ['😀'.repeat(75), { subject: '😀'.repeat(75) }],
    [`${'x'.repeat(149)}…`, { subject: 'x'.repeat(10_240) }],
  ])('is what the form sent: %s', (subject, extra) => {
    expect(mailOf({ ...least, extra }).subject).toBe(subject);
  });

  it.each([
    ['sales', 'An order'],
    ['support', 'An offer'],
    [undefined, 'An offer'],
  ])("is that of the form's settings first: form %s", (form, subject) => {
    const contact = { ...least, ...(form !== undefined && { form }), extra: { _subject: 'An offer' } };
    expect(mailOf(contact, { subjects: new Map([['sales', 'An order']]) }).subject).toBe(subject);
  });

  it.each([
    ['New enquiry', 'New enquiry: Ada Lovelace'],
    ['Ada {name}, {name}!', 'Ada Ada Lovelace, Ada Lovelace!'],
    ['x'.repeat(150), `${'x'.repeat(135)}…: Ada Lovelace`],
  ])("has the visitor's name behind it, or where it says {name}: %s", (subject, whole) => {
    const contact = { ...least, firstName: 'Ada', lastName: 'Lovelace' };
    expect(mailOf({ ...contact, extra: { _subject: subject } }).subject).toBe(whole);
    const ofForm = { subjects: new Map([['sales', subject]]) };
    expect(mailOf({ ...contact, form: 'sales', extra: { _subject: 'An offer' } }, ofForm).subject).toBe(whole);
  });

  it.each([
    [{ email: 'ada@example.com' }, 'An order: ada@example.com'],
    [{ phone: '+1 202 555 0142' }, 'An order: +1 202 555 0142'],
    [{ firstName: 'Ada\r\nBcc: e', lastName: '=?utf-8?Q?=0D?=' }, 'An order: Ada Bcc: e = ?utf-8?Q?=0D?='],
    [{ firstName: 'x'.repeat(100) }, `An order: ${'x'.repeat(59)}…`],
    [{ firstName: '{name} $&' }, 'An order: {name} $&'],
  ])('has one short line of what the visitor left: %o', (fields, subject) => {
    expect(mailOf({ ...least, ...fields, extra: { _subject: 'An order' } }).subject).toBe(subject);
  });

  it('makes no encoded word of parts', () => {
    const contact = { ...least, firstName: '?utf-8?B?4oCu?=', extra: { _subject: '={name}' } };
    expect(mailOf(contact).subject).toBe('= ?utf-8?B?4oCu?=');
  });

  it('names a visitor who left nothing only where it says {name}', () => {
    expect(mailOf({ ...least, extra: { _subject: 'An order' } }).subject).toBe('An order');
    expect(mailOf({ ...least, extra: { _subject: 'From {name}' } }).subject).toBe('From a visitor');
  });

  it('begins with the reason of spam, whatever the form sent', () => {
    const spam = { ...least, form: 'sales', spamReason: 'no trap' };
    expect(mailOf(spam).subject).toBe('[Spam: no trap] Contact request from a visitor');
    expect(mailOf(spam, { subjects: new Map([['sales', 'An order']]) }).subject).toBe('[Spam: no trap] An order');
    expect(mailOf({ ...spam, extra: { subject: '[Spam: trap] Hello' } }).subject).toBe(
      '[Spam: no trap] [Spam: trap] Hello',
    );
  });
});

describe('a reply', () => {
  it.each(['ada@example.com', "o'brien+form@mail.example.co.uk", `${'a'.repeat(64)}@example.com`])(
    'goes to the visitor: %s',
    (email) => {
      const { replyTo, text } = mailOf({ ...least, email });
      expect(replyTo).toBe(email);
      expect(text).toContain('\nA reply goes to the visitor.\n');
    },
  );

  // SES would refuse the whole mail with such a reply address.
  it.each([
    '.ada@example.com',
    'ada.@example.com',
    'ada..b@example.com',
    'ada@localhost',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}example.com`,
    'Ada <ada@example.com>',
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ådå@example.com',
    // A mail client could decode it into boss@bank.com.
    '=?utf-8?q?boss=40bank.com?=@evil.example.com',
    '',
  ])('goes nowhere for an address that SES refuses, and the email says so: %s', (email) => {
    const { replyTo, text } = mailOf({ ...least, email });
    expect(replyTo).toBeUndefined();
    expect(text).toContain('\nA reply does not reach the visitor: write to the address above.\n');
  });
});

it('names nothing to call or to write to that is not there', () => {
  const { text } = mailOf(least);
  expect(text).toContain('\nA reply does not reach the visitor.\n');
});

/** Checks that hold for every mail. */
const expectGoodMail = (contact: Contact) => {
  const { subject, text, html, replyTo } = mailOf(contact);

  expect(subject).toMatch(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u);
  expect(subject).not.toContain('=?');
  expect(subject.length).toBeLessThanOrEqual(150);

  if (replyTo !== undefined) {
    expect(replyTo).toBe(contact.email);
    expect(replyTo).toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/i);
  }

  // None of our own lines comes from the visitor's texts.
  const harmless = Object.fromEntries(
    Object.entries(contact).map(([name, value]) =>
      fieldNames.some((field) => field === name && name !== 'email') ? [name, 'x'] : [name, value],
    ),
  );
  const other = mailOf({
    ...contact,
    ...harmless,
    ...(contact.form !== undefined && { form: 'x' }),
    ...(contact.campaign !== undefined && { campaign: 'x' }),
    ...(contact.extra && { extra: { x: 'x' } }),
    ...(contact.files && { files: [{ name: 'x', type: 'x', size: 1 }] }),
  });
  const oursIn = (mail: string) => linesOf(mail).filter((line) => line !== '' && !isTheirs(line));
  // A name or a subject that stands above leaves out its label.
  expect(oursIn(other.text)).toStrictEqual(expect.arrayContaining(oursIn(text)));

  const written = linesOf(contact.message ?? '');
  const quoted = written.map((line) => `| ${line}`.replace(/^\| $/, '|'));
  expect(`\n\n${text}`).toContain(`\n\n${quoted.join('\n')}\n\n`);
  expect(textIn(html)).toContain(seen(written.join('\n')));

  // No markup depends on them, either.
  const known = new Set(['<br>', ...tagsIn(other.html)]);
  expect(tagsIn(html).filter((tag) => !known.has(tag))).toStrictEqual([]);
};

it.each(badTexts)("quotes a visitor's text completely: %j", (text) => {
  const written = Object.fromEntries(fieldNames.map((name) => [name, text]));
  const extra = { [text]: [text, text], constructor: text, subject: text };
  const files = [{ name: text, type: 'application/pdf', size: 1 }];
  expectGoodMail({ ...exampleContact, ...written, form: text, extra, files });
});

it('quotes any contact request completely', () => {
  fc.assert(fc.property(storedContacts, expectGoodMail), { numRuns: 25 });
});

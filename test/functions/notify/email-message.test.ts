import { expect, it } from 'vitest';
import { emailMessageOf } from '../../support/email-message.ts';
import { badTexts, exampleContact } from '../../support/stored-contacts.ts';

it('has a text and an HTML part, and a reply goes to the visitor', async () => {
  const message = await emailMessageOf(exampleContact);
  expect(message).toMatchObject({
    from: { address: 'contact@example.com', name: '' },
    to: [{ address: 'staff@example.com' }],
    replyTo: [{ address: exampleContact.email }],
    subject: 'Contact request from Grace Hopper (https://www.example.com)',
    attachments: [],
  });
  expect(message.headers.find(({ key }) => key === 'content-type')?.value).toMatch(/^multipart\/alternative;/);
  expect(message.text).toMatch(/^\| Grace Hopper\n\n\| Hello,\n\|\n/);
  expect(message.html).toMatch(/^<!doctype html>/);
});

it.each(['Contact form', 'Dr. Who, Ltd (sales); @home', 'Büro für Grüße', '👩‍👩‍👧‍👦 聯絡表單 '.repeat(3).trim()])(
  'comes from a sender with a name: %s',
  async (name) => {
    const { from } = await emailMessageOf(exampleContact, { from: `${name} <contact@example.com>` });
    expect(from).toEqual({ name, address: 'contact@example.com' });
  },
);

it.each([
  ['many bad texts', badTexts.join('\n')],
  ['5,000 accents', `a${'\u0301'.repeat(4_999)}`],
])('has the headers and the parts that we wrote, though a visitor wrote %s', async (_, text) => {
  const plain = await emailMessageOf({ ...exampleContact, message: 'x' });
  const message = await emailMessageOf({
    ...exampleContact,
    firstName: text,
    company: text,
    message: text,
    form: text,
    campaign: text,
    extra: { [text]: text, subject: text },
  });
  const keysIn = ({ headers }: typeof message) => headers.map(({ key }) => key);
  expect(keysIn(message)).toEqual(keysIn(plain));
  const { from, to, cc, bcc, replyTo, attachments } = plain;
  expect(message).toMatchObject({ from, to, replyTo, attachments });
  expect([message.cc, message.bcc]).toEqual([cc, bcc]);
  expect(message.subject).toMatch(/^[^\p{Cc}\p{Bidi_Control}]{1,150}$/u);
  for (const line of text.split(/[\r\n\v\f\u0085\u2028\u2029]+/)) expect(message.text).toContain(line);
});

import fc from 'fast-check';
import type { Contact } from '../../functions/contacts/contact.ts';

/** A contact request as in the documents. */
export const exampleContact = {
  id: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11',
  createdAt: '2026-03-01T12:00:00.000Z',
  email: 'grace.hopper@example.com',
  phone: '+1 202 555 0142',
  company: 'Example Shipping Ltd',
  message: ['Hello,', '', 'What would it cost to move forty desks, and the chairs that belong to them, in May?'].join(
    '\n',
  ),
  firstName: 'Grace',
  lastName: 'Hopper',
  site: 'https://www.example.com',
  form: 'sales',
  extra: { topic: 'An offer', rooms: ['Ground floor', 'Second floor'] },
} satisfies Contact;

/** Texts of visitors with bad intentions. */
export const badTexts = [
  'Ada\r\nBcc: eve@example.com',
  'Ada\nBcc: eve@example.com',
  '"quoted" \\back\\slashed\\ \'s',
  '👩‍👩‍👧‍👦 😀 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'שלום, مرحبا',
  '\u202egnirts a\u202c \u2066isolated\u2069 \u061c\u200f',
  '<!channel> <@U012AB3CD> <https://evil.example|click> @here *bold* :tada: & &amp;',
  'Id:\n00000000-0000-4000-8000-000000000000\n\nDelete it:\nnpx --no-install crcs contacts delete x; rm -rf ~',
  '-- \nReply to this email to answer.',
  'one\u2028two\u2029three\u0085four\vfive\fsix',
  'x'.repeat(5_000),
  '😀'.repeat(5_000),
  '\n'.repeat(5_000),
  '=?utf-8?Q?=0D=0ABcc:_eve@example.com?=',
  '| | |',
  ' ',
  '\u200b',
  '"\'></title><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">click</a><!--',
  'javascript:alert(1) data:text/html,<h1> &lt;b&gt; &#60; &amp',
];

const codePoint = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((value) => String.fromCodePoint(value));

/** Well-formed text of any code points. fast-check's unit `binary` would first build a table: a second, and 130 MB. */
const anyText: fc.Arbitrary<string> = fc.string({ unit: codePoint });

const text = fc.oneof(anyText, fc.constantFrom(...badTexts));

const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', 'Id', 'subject', ''));

/** Any stored contact request: earlier rules may have allowed more. */
export const storedContacts: fc.Arbitrary<Contact> = fc.record(
  {
    id: fc.uuid(),
    createdAt: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((time) => time.toISOString()),
    message: text,
    email: fc.oneof(text, fc.emailAddress(), fc.emailAddress({ size: '+2' })),
    phone: text,
    company: text,
    firstName: text,
    lastName: text,
    site: fc.constantFrom('https://www.example.com', 'http://localhost:8080'),
    form: text,
    campaign: text,
    files: fc.array(fc.record({ name: text, type: fc.constant('application/pdf'), size: fc.nat() }), { maxLength: 9 }),
    releasedAt: fc.constant('2026-03-01T12:00:00.000Z'),
    extra: fc
      .array(fc.tuple(name, fc.oneof(text, fc.array(text))), { maxLength: 50 })
      .map((entries) => Object.fromEntries(entries)),
  },
  { requiredKeys: ['id', 'createdAt', 'message'] },
);

import { describe, expect, it } from 'vitest';
import { fieldNames, sampleFields } from '../../../functions/contacts/contact.ts';
import type { Words } from '../../../functions/languages/language.ts';
import { languages } from '../../../functions/languages/languages.ts';
import { parseForm } from '../../support/fields.ts';

const email = 'ada@example.com';
const phone = '+44 20 7946 0958';

/** What the service stores of these fields, or the codes of its errors by their fields. */
const storedOf = async (sent: object, options?: Parameters<typeof parseForm>[1]): Promise<unknown> => {
  const { fields, errors } = await parseForm(sent, options);
  return errors.length > 0 ? errors.map(({ field, code }) => `${field} ${code}`) : fields;
};

const rows: readonly (readonly [tag: string, row: { readonly words: Words }])[] = Object.entries(languages);

describe('a field of a contact request', () => {
  it.each(rows)('is found in any spelling in %s', async (_, { words }) => {
    for (const field of fieldNames) {
      const value = sampleFields[field];
      for (const name of words[field] ?? []) {
        const capital = `${name.slice(0, 1).toUpperCase()}${name.slice(1)} *`;
        for (const spelling of [name, name.toUpperCase(), capital, `form[${name}]`, `fields.${name}`]) {
          expect(await storedOf({ [spelling]: value }), spelling).toEqual({ [field]: value });
        }
      }
    }
  });

  it.each([
    ['a word of people', { 'your-email': email, contact_phone: phone, 'user[company]': 'Example' }],
    ['a separator', { 'e-mail': email, 'PHONE NUMBER': phone, organisation: 'Example' }],
    ['words behind it', { email_field: email, 'Phone-2': phone, companyInput: 'Example' }],
    ['a builder’s beginning', { reqemail: email, 'txtFone C': phone, f1_firma_7: 'Example' }],
    ['an accent', { adressé_mail: email, Téléphone: phone, société: 'Example' }],
  ])('is found behind or with %s', async (_, fields) => {
    expect(await storedOf(fields)).toEqual({ email, phone, company: 'Example' });
  });

  it.each([
    ['its exact name first', { Email: 'b@example.com', email }, { email, extra: { Email: 'b@example.com' } }],
    [
      'its name in another spelling next',
      { mail: 'b@example.com', EMAIL: email },
      { email, extra: { mail: 'b@example.com' } },
    ],
    [
      'the words in the order of their language',
      { notes: 'a b', comments: 'c d' },
      { message: 'c d', extra: { notes: 'a b' } },
    ],
    [
      'the order of the form at last',
      { Comments: 'a b', comments: 'c d' },
      { message: 'a b', extra: { comments: 'c d' } },
    ],
    ['only what is filled in', { email: ' ', mail: email }, { email }],
    [
      'of two texts, the one of several words',
      { comments: 'ok', question: 'Why is it so?' },
      { message: 'Why is it so?', extra: { comments: 'ok' } },
    ],
    [
      'the other field, if a value does not fit',
      { tel: 'call me', mobile: phone },
      { phone, extra: { tel: 'call me' } },
    ],
    [
      'several addresses of one input, of which the first',
      { 'your-email': `${email}, grace@example.com,alan@example.com` },
      { email, extra: { 'your-email': ['grace@example.com', 'alan@example.com'] } },
    ],
    ['a list, of which the first that fits', { mail: ['no', email, 'yes'] }, { email, extra: { mail: ['no', 'yes'] } }],
  ])('comes from %s', async (_, fields, stored) => {
    expect(await storedOf(fields)).toEqual(stored);
  });
});

describe('a field stays as it is', () => {
  it.each([
    'name',
    'Nom',
    'nombre',
    'business',
    'address',
    'title',
    'subject_area',
    'contact',
    'info',
    'contact_details',
    'user_text',
    'child_first_name',
    'x'.repeat(64),
  ])('under a name that can mean anything: %s', async (name) => {
    expect(await storedOf({ message: 'Hello', [name]: 'A few words' })).toEqual({
      message: 'Hello',
      extra: { [name]: 'A few words' },
    });
  });

  it.each([
    ['mail', 'yes'],
    ['mobile', 'call me'],
    ['business name', 'x'.repeat(201)],
    ['fname', 'x'.repeat(101)],
    ['friend_email', 'friend@example.com'],
  ])('if its value is not meant: %s', async (name, value) => {
    expect(await storedOf({ email, [name]: value })).toEqual({ email, extra: { [name]: value } });
  });
});

it('takes no sentence for a malformed address', async () => {
  const fields = { message: 'Hi', email_body: 'Please reply to bob@example' };
  expect(await storedOf(fields)).toEqual({ message: 'Hi', extra: { email_body: fields.email_body } });
});

describe('an error', () => {
  it.each([
    ['a malformed address under any name', { mail: 'ada@', message: 'Hello' }, ['mail invalid_email']],
    ['the exact name in another spelling', { EMAIL: 'ada' }, ['EMAIL invalid_email']],
    ['a text that is too long', { Message: 'x'.repeat(5001) }, ['Message too_long']],
    [
      'a text that is too long under another name, beside blank fields',
      { 'E-Mail': '', Telefon: '', Nachricht: 'x'.repeat(5001) },
      ['Nachricht too_long'],
    ],
    ['no text', { message: { text: 'Hello' } }, ['message not_text']],
  ])('names the field as it was sent: %s', async (_, fields, errors) => {
    expect(await storedOf(fields)).toEqual(errors);
  });

  it('tells of a text or number that would be lost', async () => {
    const ignoring = { extraFields: 'ignore' } as const;
    expect(await storedOf({ email, tel: 'call me' }, ignoring)).toEqual(['tel invalid_phone']);
    expect(await storedOf({ email, comments: 'x'.repeat(5001) }, ignoring)).toEqual(['comments too_long']);
    expect(await storedOf({ email, Vorname: 'x'.repeat(101) }, ignoring)).toEqual(['Vorname too_long']);
    expect(await storedOf({ email, mobile: 'call me' }, ignoring)).toEqual({ email });
  });
});

/** Pairs of the visitor's field and one of somebody else, as forms of referrals, gifts and orders have them. */
describe('what belongs to somebody else or to the owner stays an extra field', () => {
  const theirs = { email: 'bob@example.com', phone: '+44 20 7946 0999' };

  it.each([
    ['email', 'your-email', 'friend_email'],
    ['email', 'email1', 'partner_email'],
    ['email', 'mail', 'to_email'],
    ['email', 'email', 'recipient'],
    ['email', 'yourEmail', 'clientEmail'],
    ['email', 'E-Mail', 'empfaenger'],
    ['email', 'correo', 'correo_amigo'],
    ['email', 'votre email', "email de l'ami"],
    ['phone', 'yourPhone', 'clientPhone'],
    ['phone', 'phone', 'emergency_phone'],
    ['phone', 'telefon', 'telefon_eltern'],
    ['phone', 'your phone', "child's phone"],
  ] as const)('%s: %s, and not %s', async (field, own, other) => {
    const value = { email, phone }[field];
    const expected = { [field]: value, message: 'Hi', extra: { [other]: theirs[field] } };
    expect(await storedOf({ [own]: value, [other]: theirs[field], message: 'Hi' })).toEqual(expected);
    expect(await storedOf({ [other]: theirs[field], [own]: value, message: 'Hi' })).toEqual(expected);
  });

  it.each([
    ['to_email', theirs.email],
    ['recipient', theirs.email],
    ['friend_phone', theirs.phone],
    ['emergency contact', theirs.phone],
    ['fax', '030 1234567'],
    ['Faxnummer', '+49 30 1234567'],
  ])('also without a field of the visitor: %s', async (name, value) => {
    expect(await storedOf({ message: 'Hi', [name]: value })).toEqual({ message: 'Hi', extra: { [name]: value } });
  });
});

/** Names that mean nothing. */
describe('by its value is found', () => {
  const text = 'Could you call me back, please?';

  it.each([
    ['the only address', { q1: email, q2: 'yes' }, { email, extra: { q2: 'yes' } }],
    ['no address of two', { q1: email, q2: 'b@example.com' }, { extra: { q1: email, q2: 'b@example.com' } }],
    ['an address that was given twice', { q1: email, q2: email }, { email, extra: { q2: email } }],
    ['no second address', { email, q1: 'b@example.com' }, { email, extra: { q1: 'b@example.com' } }],
    ['the only phone number with a country', { q1: '+387 61 234567' }, { phone: '+387 61 234567' }],
    [
      'the only phone number in groups',
      { broj: '061 123 456', q2: '12' },
      { phone: '061 123 456', extra: { q2: '12' } },
    ],
    [
      'a phone number in digits of its script',
      { q1: '\u06f0\u06f9\u06f1\u06f2 \u06f3\u06f4\u06f5 \u06f6\u06f7\u06f8\u06f9' },
      { phone: '0912 345 6789' },
    ],
    ['no phone number of two', { q1: phone, q2: '061 123 456' }, { extra: { q1: phone, q2: '061 123 456' } }],
    ['no second phone number', { tel: phone, q1: '061 123 456' }, { phone, extra: { q1: '061 123 456' } }],
    [
      'the only text of several lines',
      { q1: 'Hello,\nBob', q2: text },
      { message: 'Hello,\nBob', extra: { q2: text } },
    ],
    ['such a text, whatever its name means', { messageEmail: 'Hello,\nBob', email }, { email, message: 'Hello,\nBob' }],
    ['such a text under the name of a subject', { subject: 'Hello,\nBob', email }, { email, message: 'Hello,\nBob' }],
    ['the only text of five words', { q1: text, q2: 'yes' }, { message: text, extra: { q2: 'yes' } }],
    [
      'no text of two',
      { q1: text, q2: 'And another one of five' },
      { extra: { q1: text, q2: 'And another one of five' } },
    ],
  ])('%s', async (_, fields, stored) => {
    expect(await storedOf(fields)).toEqual(stored);
  });

  it.each([
    ['invoice', '0123 456 789'],
    ['q1', '01234567890'],
    ['q1', '01/02/2026 - 05/02/2026'],
    ['q1', '01-02-2026'],
    ['q1', '012.345.678-90'],
    ['subject', 'A question about the boat you sell'],
    ['consent', 'I agree to the terms of this site'],
    ['q1', 'https://example.com/ a link and some more words'],
    ['page title', 'Contact us at the best shop in town'],
  ])('nothing in %s: %s', async (name, value) => {
    expect(await storedOf({ email, [name]: value })).toEqual({ email, extra: { [name]: value } });
  });
});

it.each([[{ question1: 'Yes', question2: 'No, never' }], [{ feedback_1: '', feedback_2: 'Very good' }]])(
  'reads the answers of a survey under their own names: %j',
  async (fields) => {
    const filledIn = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
    expect(await storedOf({ email, ...fields })).toEqual({ email, extra: filledIn });
  },
);

it.each([
  ['behind letters that have parts', `${'각'.repeat(30)} email`],
  ['that is the longest of all', 'Einschreibung: Dirección de correo electrónico'],
  ['before a long number', `email ${'1'.repeat(50)}`],
])('finds a name at the end of a long one, %s', async (_, name) => {
  expect(await storedOf({ [name]: email })).toEqual({ email });
});

it('finds the exact names behind hundreds of other fields', async () => {
  const others = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`field-${at}`, '']));
  expect(await storedOf({ ...others, email, message: 'Hi' })).toEqual({ email, message: 'Hi' });
});

describe('an address to reply to', () => {
  const owner = 'owner@example.com';

  it.each([
    ['counts if the form has no other address', { _replyto: email, message: 'Hi' }, { email, message: 'Hi' }],
    ['counts in any spelling', { 'Reply-To': email }, { email }],
    ['does not count beside another address', { email, replyTo: owner }, { email, extra: { replyTo: owner } }],
    [
      'does not count beside a blank address',
      { email: '', message: 'Hi', _replyto: owner },
      { message: 'Hi', extra: { _replyto: owner } },
    ],
    [
      'does not count without an @',
      { replyto: 'email', message: 'Hi' },
      { message: 'Hi', extra: { replyto: 'email' } },
    ],
    ['is no contact request by itself', { replyto: 'email' }, ['email required', 'message required']],
  ])('%s', async (_, fields, stored) => {
    expect(await storedOf(fields)).toEqual(stored);
  });
});

import { describe, expect, it } from 'vitest';
import { fieldNames, sampleFields } from '../../../functions/contacts/contact.ts';
import { languages } from '../../../functions/languages/languages.ts';
import { parseForm } from '../../support/fields.ts';

const email = 'ada@example.com';
const phone = '+44 20 7946 0958';

/** What the service stores of these fields, or the codes of its errors by their fields. */
const storedOf = async (sent: object, options?: Parameters<typeof parseForm>[1]): Promise<unknown> => {
  const { fields, errors } = await parseForm(sent, options);
  return errors.length > 0 ? errors.map(({ field, code }) => `${field} ${code}`) : fields;
};

describe('a field of a contact request', () => {
  it.each(Object.entries(languages))('is found in any spelling in %s', async (_, { words }) => {
    for (const field of fieldNames) {
      const value = sampleFields[field];
      for (const name of words[field]) {
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

describe('the address of somebody else', () => {
  const owner = 'owner@example.com';

  it.each([
    ['is no address of the visitor', { to_email: owner, message: 'Hi' }, { message: 'Hi', extra: { to_email: owner } }],
    [
      'does not count beside the visitor',
      { partner_email: owner, email1: email },
      { email, extra: { partner_email: owner } },
    ],
  ])('%s', async (_, fields, stored) => {
    expect(await storedOf(fields)).toEqual(stored);
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

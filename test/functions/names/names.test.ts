import { describe, expect, it } from 'vitest';
import { fieldNames, sampleFields } from '../../../functions/contacts/contact.ts';
import { otherNames } from '../../../functions/names/words.ts';
import { parseForm } from '../../support/fields.ts';

const email = 'ada@example.com';
const phone = '+44 20 7946 0958';

/** What the service stores of these fields, or the codes of its errors by their fields. */
const storedOf = (sent: object, options?: Parameters<typeof parseForm>[1]): unknown => {
  const { fields, errors } = parseForm(sent, options);
  return errors.length > 0 ? errors.map(({ field, code }) => `${field} ${code}`) : fields;
};

describe('one of the six fields', () => {
  const names = fieldNames.flatMap((field) => otherNames[field].map((name) => [field, name] as const));

  it.each(names)('is found in any spelling: %s as %s', (field, name) => {
    const value = sampleFields[field];
    const capital = `${name.slice(0, 1).toUpperCase()}${name.slice(1)} *`;
    for (const spelling of [name, name.toUpperCase(), capital, `form[${name}]`, `fields.${name}`]) {
      expect(storedOf({ [spelling]: value }), spelling).toEqual({ [field]: value });
    }
  });

  it.each([
    ['a word of people', { 'your-email': email, contact_phone: phone, 'user[company]': 'Example' }],
    ['a separator', { 'e-mail': email, 'PHONE NUMBER': phone, organisation: 'Example' }],
    ['words behind it', { email_field: email, 'Phone-2': phone, companyInput: 'Example' }],
    ['an accent', { adressé_mail: email, Téléphone: phone, société: 'Example' }],
  ])('is found behind or with %s', (_, fields) => {
    expect(storedOf(fields)).toEqual({ email, phone, company: 'Example' });
  });

  it.each([
    ['its exact name first', { Email: 'b@example.com', email }, { email, extra: { Email: 'b@example.com' } }],
    [
      'its name in another spelling next',
      { mail: 'b@example.com', EMAIL: email },
      { email, extra: { mail: 'b@example.com' } },
    ],
    [
      'the other names in the order of the table',
      { comments: 'a b', msg: 'c d' },
      { message: 'c d', extra: { comments: 'a b' } },
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
    ['a list, of which the first that fits', { mail: ['no', email, 'yes'] }, { email, extra: { mail: ['no', 'yes'] } }],
  ])('comes from %s', (_, fields, stored) => {
    expect(storedOf(fields)).toEqual(stored);
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
  ])('under a name that can mean anything: %s', (name) => {
    expect(storedOf({ message: 'Hello', [name]: 'A few words' })).toEqual({
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
  ])('if its value is not meant: %s', (name, value) => {
    expect(storedOf({ email, [name]: value })).toEqual({ email, extra: { [name]: value } });
  });
});

it('takes no sentence for a malformed address', () => {
  const fields = { message: 'Hi', email_body: 'Please reply to bob@example' };
  expect(storedOf(fields)).toEqual({ message: 'Hi', extra: { email_body: fields.email_body } });
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
  ])('names the field as it was sent: %s', (_, fields, errors) => {
    expect(storedOf(fields)).toEqual(errors);
  });

  it('tells of a text or number that would be lost', () => {
    const ignoring = { extraFields: 'ignore' } as const;
    expect(storedOf({ email, tel: 'call me' }, ignoring)).toEqual(['tel invalid_phone']);
    expect(storedOf({ email, comments: 'x'.repeat(5001) }, ignoring)).toEqual(['comments too_long']);
    expect(storedOf({ email, Vorname: 'x'.repeat(101) }, ignoring)).toEqual(['Vorname too_long']);
    expect(storedOf({ email, mobile: 'call me' }, ignoring)).toEqual({ email });
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
  ])('%s', (_, fields, stored) => {
    expect(storedOf(fields)).toEqual(stored);
  });
});

it.each([[{ question1: 'Yes', question2: 'No, never' }], [{ feedback_1: '', feedback_2: 'Very good' }]])(
  'reads the answers of a survey under their own names: %j',
  (fields) => {
    const filledIn = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
    expect(storedOf({ email, ...fields })).toEqual({ email, extra: filledIn });
  },
);

it.each([
  ['behind letters that have parts', `${'각'.repeat(30)} email`],
  ['that is the longest of all', 'Einschreibung: Dirección de correo electrónico'],
  ['before a long number', `email ${'1'.repeat(50)}`],
])('finds a name at the end of a long one, %s', (_, name) => {
  expect(storedOf({ [name]: email })).toEqual({ email });
});

it('finds the exact names behind hundreds of other fields', () => {
  const others = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`field-${at}`, '']));
  expect(storedOf({ ...others, email, message: 'Hi' })).toEqual({ email, message: 'Hi' });
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
  ])('%s', (_, fields, stored) => {
    expect(storedOf(fields)).toEqual(stored);
  });
});

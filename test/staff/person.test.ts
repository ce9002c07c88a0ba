import { describe, expect, it } from 'vitest';
import { type ContactFields, storedContact } from '../../functions/contacts/contact.ts';
import { type Person, searchFor } from '../../lib/staff/work/person.ts';

const contact = { id: '20260301-1200-4000-8000-000000000000', createdAt: '2026-03-01T12:00:00.000Z' };

/** The fields that name the person, in which `contacts erase` and `contacts export` find a contact request. */
const tracesOf = (person: Person, fields: ContactFields | Readonly<Record<string, unknown>>) =>
  searchFor(person).tracesIn({ ...contact, ...fields });

const texts = Object.keys(storedContact.entries).filter((name) => name !== 'extra' && name !== 'files');
/** The service sets these, but for the message, which can name somebody else. */
const unsearched = ['id', 'createdAt', 'releasedAt', 'site', 'message'];

it.each([
  [{ email: 'ada@example.com' }, 'Ada c/o <Ada@Example.com>'],
  [{ phone: '+49 170 1234567' }, 'call 0049 170/1234567'],
])('%j is found in every field but the message, and in the names of extra fields', (person, text) => {
  const [own = ''] = Object.keys(person);
  const fields = Object.fromEntries(texts.filter((name) => name !== own).map((name) => [name, text]));
  const found = texts.filter((name) => name !== own && !unsearched.includes(name));
  expect(tracesOf(person, fields)).toEqual(found);
  const file = { type: 'application/pdf', size: 1 };
  expect(
    tracesOf(person, {
      files: [
        { ...file, name: 'cv.pdf' },
        { ...file, name: `cv of ${text}.pdf` },
      ],
    }),
  ).toEqual(['files']);
  expect(tracesOf(person, { files: [{ ...file, name: text }] })).toEqual(['files']);
  expect(tracesOf(person, { extra: { topic: text, [text]: 'yes', [`or ${text}`]: text } })).toEqual([
    'extra.topic',
    'name of an extra field',
  ]);
});

it('is found by address or by number if both are given', () => {
  const person = { email: 'ada@example.com', phone: '12345' };
  expect(tracesOf(person, { email: 'bob@example.com', phone: '12345' })).toEqual(['phone']);
  expect(tracesOf(person, { email: 'ada@example.com', phone: '54321' })).toEqual(['email']);
  expect(tracesOf(person, { email: 'bob@example.com', phone: '54321' })).toEqual([]);
});

describe('an address', () => {
  const person = { email: ' aDA@example.COM ' };

  it.each(['ada@example.com', 'Ada@Example.com', 'ADA@EXAMPLE.COM'])('is the same in any case: %s', (email) => {
    expect(tracesOf(person, { email })).toEqual(['email']);
  });

  it.each(['ada@example.com.invalid', 'xada@example.com', "o'ada@example.com", 'Ada <ada@example.com>'])(
    'is not a part of the address of a contact request: %s',
    (email) => {
      expect(tracesOf(person, { email })).toEqual([]);
    },
  );

  it.each([
    'ada@example.com',
    'Ada <Ada@Example.com>, Bob <bob@example.com>',
    'ask ada@example.com.',
    '/contact?email=ada%40example.com',
    'ada\u200b@exam\u00adple.com',
    'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'https://example.org/?next=%2Fcontact%3Femail%3Dada%2540example.com',
    '?email=ada@example.com&from=ad',
    'Reply-To: ada=40example.com',
    'a=64a@example=\n.com',
    'a\u2060d\u200ca@example.com',
  ])('is found within a text: %s', (text) => {
    expect(tracesOf(person, { extra: { cc: ['one', text] } })).toEqual(['extra.cc']);
  });

  it.each(['x.ada@example.com', 'ada@example.com.au', 'adaXexample.com', "o'ada@example.com", 'o’ada@example.com'])(
    'is no other address within a text: %s',
    (text) => {
      expect(tracesOf(person, { extra: { cc: text } })).toEqual([]);
    },
  );

  it.each(['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example', 'ada@Bu\u0308cher.example'])(
    'has the same domain in Unicode and in ASCII: %s',
    (email) => {
      expect(tracesOf({ email }, { email: 'Ada@xn--bcher-kva.example' })).toEqual(['email']);
      expect(tracesOf({ email }, { extra: { cc: 'an ada@B\u00fccher.example!' } })).toEqual(['extra.cc']);
      expect(tracesOf({ email }, { extra: { cc: 'ada@b\u00fccher.example.invalid' } })).toEqual([]);
    },
  );
});

describe.each(['+49 (0)170 123-4567', '00491701234567'])('the number %s', (phone) => {
  it.each(['+49 170 123-4567', '0049 (170) 1234567', '49 1701234567', '+49 (0)170 1234567', '49.170.1234567'])(
    'has the digits of %s, where + and 00 are the same',
    (number) => {
      expect(tracesOf({ phone }, { phone: number })).toEqual(['phone']);
    },
  );

  it.each(['0170 1234567', '+49 170 12345678', '+1 49 170 1234567'])('is another one than %s', (number) => {
    expect(tracesOf({ phone }, { phone: number })).toEqual([]);
  });

  it.each([
    'privat: +49 170/1234567',
    '00491701234567!',
    'or +49\u00a0(0) 170\u2013123 45 67',
    '+1 555 0100 / +49 170 1234567',
    '491701234567@sms.example.com',
    '?tel=%2B49%20170%201234567',
    'tel=3A=2B49=20170=201234567',
    '+49 170\u200b 123\u200d4567',
    '\u202a+49 170 1234567\u202c',
    '+٤٩ ١٧٠ ١٢٣٤٥٦٧',
    '＋４９（０）１７０－１２３４５６７',
    '+49\u2011170\u22121234567',
  ])('is found within a text: %s', (text) => {
    expect(tracesOf({ phone }, { extra: { mobile: ['0', text] } })).toEqual(['extra.mobile']);
  });

  it.each(['491701234567890', '1491701234567', '+1 49 170 1234567'])('is no other number within a text: %s', (text) => {
    expect(tracesOf({ phone }, { extra: { order: text } })).toEqual([]);
  });
});

it.each(['+49 170 1234567', '+٤٩ ١٧٠ ١٢٣٤٥٦٧', '\u202a+49\u200b170 1234567\u202c', '＋४९ १७० १२३४५६७'])(
  'a number can be asked for in the digits of any script: %s',
  (phone) => {
    expect(tracesOf({ phone }, { phone: '0049 170 1234567' })).toEqual(['phone']);
    expect(tracesOf({ phone }, { extra: { mobile: 'or +49 (0)170-123 45 67' } })).toEqual(['extra.mobile']);
  },
);

it('a time, an id or a site is no number', () => {
  const own = { releasedAt: contact.createdAt, site: 'https://20260301.example.com' };
  expect(tracesOf({ phone: '20260301' }, own)).toEqual([]);
});

it('a short number is not looked for in extra fields', () => {
  expect(tracesOf({ phone: '123456' }, { phone: '12 34 56', extra: { postcode: '123456' } })).toEqual(['phone']);
});

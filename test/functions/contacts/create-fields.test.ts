import fc from 'fast-check';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/call.ts';
import { type ContactsService, idIn, minimal, startContacts } from '../../support/contacts.ts';

let contacts: ContactsService;
beforeAll(async () => {
  contacts = await startContacts();
});

const faulty = v.object({
  error: v.literal('Bad Request'),
  details: v.array(v.object({ field: v.string(), message: v.string() })),
});

/** The names of the fields that an answer finds fault with. */
const faultsIn = (answer: Answer): string[] => {
  expect(answer.status).toBe(400);
  return v.parse(faulty, answer.body).details.map(({ field }) => field);
};

/** Two code units, one code point: a length in code units would count it twice. */
const astral = '😀';

/** A valid address of so many characters. */
const address = (length: number) => {
  const host = `@${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`;
  return 'x'.repeat(length - host.length) + host;
};

describe('takes', () => {
  const taken: [what: string, fields: Record<string, string>][] = [
    ['the least with an email address', minimal],
    ['the least with a phone number', { phone: '123', message: 'Hello' }],
    [
      'every field',
      {
        email: 'ada@example.com',
        phone: '+49 (0) 30/12-34.5 x#6',
        company: 'Analytical Engines',
        message: 'Hello',
        firstName: 'Ada',
        lastName: 'Lovelace',
      },
    ],
    ['an email address of 254 characters', { ...minimal, email: address(254) }],
    ['a phone number of 32 characters', { ...minimal, phone: '1'.repeat(32) }],
    ['a company of 200 characters', { ...minimal, company: astral.repeat(200) }],
    ['a message of one character', { ...minimal, message: '.' }],
    ['a message of 5,000 characters', { ...minimal, message: astral.repeat(5000) }],
    ['a first name of 100 characters', { ...minimal, firstName: astral.repeat(100) }],
    ['a last name of 100 characters', { ...minimal, lastName: astral.repeat(100) }],
    ['line breaks and tabs in a message', { ...minimal, message: 'one\ntwo\r\nthree\tfour\rfive' }],
  ];

  it.each(taken)('%s', async (_, fields) => {
    const created = await contacts.post(fields);
    expect(created.status).toBe(201);
    const id = idIn(created);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(created.body).toStrictEqual({ id, createdAt: '2026-03-01T12:00:00.000Z', ...fields });
    expect(created.headers).toMatchObject({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Location: `https://api.example.com/test/api/v1/contact/${id}`,
    });
    const stored = await contacts.get({ pathParameters: { id } });
    expect(stored.body).toStrictEqual(created.body);
  });
});

describe('refuses, by name,', () => {
  const refused: [what: string, fault: string, fields: Record<string, unknown>][] = [
    ['an email address of 255 characters', 'email', { email: address(255) }],
    ['an email address without a host', 'email', { email: 'ada@' }],
    ['an email address with a space', 'email', { email: 'ada lovelace@example.com' }],
    ['two email addresses', 'email', { email: 'ada@example.com,bob@example.com' }],
    ['a broken email address beside a phone number', 'email', { email: 'ada', phone: '12345' }],
    ['a phone number of 33 characters', 'phone', { phone: '1'.repeat(33) }],
    ['a phone number of two digits', 'phone', { phone: '+12 ( ) - . / x #' }],
    ['letters in a phone number', 'phone', { phone: '0800 FLOWERS 123' }],
    ['an extension in upper case', 'phone', { phone: '12345 X 6' }],
    ['digits of another script in a phone number', 'phone', { phone: '١٢٣٤٥٦' }],
    ['a tab in a phone number', 'phone', { phone: '123\t456' }],
    ['a broken phone number beside an email address', 'phone', { phone: 'none' }],
    ['a company of 201 characters', 'company', { company: astral.repeat(201) }],
    ['a message of 5,001 characters', 'message', { message: astral.repeat(5001) }],
    ['no message', 'message', { message: undefined }],
    ['an empty message', 'message', { message: '' }],
    ['a blank message', 'message', { message: ' \n\t\u00a0\u2003' }],
    ['a first name of 101 characters', 'firstName', { firstName: astral.repeat(101) }],
    ['a last name of 101 characters', 'lastName', { lastName: astral.repeat(101) }],
    ['a null character in a message', 'message', { message: 'a\u0000b' }],
    ['an escape character in a message', 'message', { message: 'a\u001bb' }],
    ['a delete character in a message', 'message', { message: 'a\u007fb' }],
    ['a next-line character in a message', 'message', { message: 'a\u0085b' }],
    ['a line break in an email address', 'email', { email: 'ada@example.com\nBcc: bob@example.com' }],
    ['a line break in a company', 'company', { company: 'a\nb' }],
    ['a line break in a first name', 'firstName', { firstName: 'a\rb' }],
    ['a tab in a last name', 'lastName', { lastName: 'a\tb' }],
    ['neither an email address nor a phone number', 'email', { email: undefined }],
    ['a blank email address and a blank phone number', 'email', { email: ' ', phone: '' }],
  ];

  it.each(refused)('%s', async (_, fault, fields) => {
    const answer = await contacts.post({ ...minimal, ...fields });
    expect(faultsIn(answer)).toStrictEqual([fault]);
  });

  const names = ['email', 'phone', 'company', 'message', 'firstName', 'lastName'];
  const noStrings = [0, 12345, true, false, null, [], ['a'], {}, { length: 1 }];
  it.each(names.flatMap((name) => noStrings.map((value) => [name, value] as const)))('%s: %j', async (name, value) => {
    const answer = await contacts.post({ ...minimal, phone: '12345', [name]: value });
    expect(faultsIn(answer)).toStrictEqual([name]);
  });
});

it.each(['email', 'phone', 'company', 'message', 'firstName', 'lastName'])(
  'refuses a lone surrogate in %s',
  async (name) => {
    for (const surrogate of ['\\ud800', '\\udfff', '\\udc00\\ud800']) {
      const body = JSON.stringify({ ...minimal, [name]: '1@2' }).replace('1@2', `12345${surrogate}`);
      const answer = await contacts.create({ body, headers: { 'Content-Type': 'application/json' } });
      expect(answer.status).toBe(400);
    }
  },
);

it('finds every fault at once, each field once, and repeats no value', async () => {
  const answer = await contacts.post({
    email: 'secret-1',
    phone: 'secret-2\n',
    company: { secret: 3 },
    firstName: `secret-4\u0007${'x'.repeat(100)}`,
    lastName: ['secret-5'],
  });
  expect(faultsIn(answer).toSorted()).toStrictEqual(['company', 'email', 'firstName', 'lastName', 'message', 'phone']);
  expect(answer.text).not.toContain('secret');
});

it('finds that nothing is given when nothing is given', async () => {
  expect(faultsIn(await contacts.post({})).toSorted()).toStrictEqual(['email', 'message']);
});

it('leaves out what is blank, as forms send every input', async () => {
  const answer = await contacts.post({ ...minimal, phone: '', company: '  ', firstName: '\u00a0', lastName: '\n' });
  expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
});

it('trims and composes values before it measures them', async () => {
  const answer = await contacts.post({
    email: ' ada@example.com\n',
    message: `\n${'e\u0301'.repeat(5000)}  `,
    lastName: `\t${'x'.repeat(100)} `,
  });
  expect(answer.body).toMatchObject({
    email: 'ada@example.com',
    message: 'é'.repeat(5000),
    lastName: 'x'.repeat(100),
  });
});

it('stores a company exactly when the contract allows it, as the contract says', async () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: 'grapheme', minLength: 95, maxLength: 210 }),
    fc.string({ unit: fc.constantFrom('a', ' ', 'e\u0301', '\ufeff', '\u0000', '\n', '\u200b', astral) }),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (sent) => {
      const kept = sent.trim().normalize('NFC');
      const answer = await contacts.post({ ...minimal, company: sent });
      const allowed = Array.from(kept).length <= 200 && !/\p{Cc}/u.test(kept);
      expect(answer.status).toBe(allowed ? 201 : 400);
      if (!allowed) return;
      expect(answer.body).toStrictEqual({
        id: idIn(answer),
        createdAt: expect.any(String),
        ...minimal,
        ...(kept !== '' && { company: kept }),
      });
    }),
    { numRuns: 150 },
  );
});

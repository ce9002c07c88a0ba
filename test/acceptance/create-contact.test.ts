import { expect, test } from 'vitest';
import { contactPath, create, fetchContact, listOnceItHolds, post, postBody, storedIn, visitor } from './client.ts';
import { expectError } from './expect-error.ts';
import { requires, target } from './target.ts';

test('stores and returns a contact request as it was sent, with an id and a time', async () => {
  const sent = visitor({
    phone: '+49 (0) 30/12-34.5 x#6',
    company: 'Ωmega & Söhne <GmbH>',
    message: `Zeile eins\nZeile zwei\tnach dem Tab: 👩‍🚀 (${target.run})`,
    firstName: 'Ada "the first"',
    lastName: "O'Lovelace",
  });
  const response = await post(sent);
  const stored = storedIn(response);
  expect(stored).toEqual({ ...sent, id: stored.id, createdAt: stored.createdAt });
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);

  const fetched = await fetchContact(stored.id);
  expect(fetched.status).toBe(200);
  expect(fetched.body).toEqual(stored);
});

test('links to the contact request by its absolute URL in Location', async (context) => {
  requires(context, 'location');
  const response = await post(visitor());
  expect(response.headers.get('location')).toBe(`${target.baseUrl}${contactPath}/${storedIn(response).id}`);
});

test('accepts a phone number without an email address, and treats blank fields as missing', async () => {
  const { message } = visitor();
  const stored = storedIn(
    await post({ email: '', phone: '555', company: '  ', message, firstName: null, lastName: '\t' }),
  );
  expect(stored).toEqual({ id: stored.id, createdAt: stored.createdAt, phone: '555', message });
});

test('trims values and normalises them to NFC', async () => {
  const stored = await create({ firstName: '  Zoe\u0308\u00a0', message: `\n hi (${target.run}) \r\n` });
  expect(stored).toMatchObject({ firstName: 'Zo\u00eb', message: `hi (${target.run})` });
});

test.for([
  '<script>alert(1)</script> on your page, and ../../etc/passwd',
  'http://169.254.169.254/latest/meta-data/ responds',
  'rO0ABXNyABdqYXZhLnV0aWwuUHJpb3JpdHlRdWV1ZQ==',
])('stores a message with the text of an attack unchanged: %s', async (quoted) => {
  const message = `${quoted} (${target.run})`;
  expect(await create({ message })).toMatchObject({ message });
});

/** Each field with its maximum length, in code points. */
const longest = {
  email: `${'a'.repeat(64)}@${'b'.repeat(59)}.${'c'.repeat(59)}.${'d'.repeat(57)}.example.com`,
  phone: '1'.repeat(64),
  company: '𝒳'.repeat(200),
  message: `${target.run}${'𝒳'.repeat(5000 - target.run.length)}`,
  firstName: '𝒳'.repeat(100),
  lastName: '𝒳'.repeat(100),
};

const names = Object.keys(longest);

const each = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));

test('accepts each field with its maximum length', async () => {
  expect(longest.email).toHaveLength(254);
  expect(storedIn(await post(longest))).toMatchObject(longest);
});

test('names every field that is one character too long', async () => {
  const tooLong = Object.fromEntries(Object.entries(longest).map(([name, value]) => [name, `1${value}`]));
  expectError(await post(tooLong), 400, names);
});

test('trims and normalises a value before it checks its length', async () => {
  const { message } = longest;
  const sent = {
    message: `\n${message.replaceAll('𝒳𝒳', '\r\ne\u0301')}  `,
    // NFC makes one character of four.
    company: '\u03b1\u0313\u0300\u0345'.repeat(200),
    lastName: `${' '.repeat(20_000)}${longest.lastName} `,
  };
  expect(await create(sent)).toMatchObject({
    message: message.replaceAll('𝒳𝒳', '\n\u00e9'),
    company: '\u1f82'.repeat(200),
    lastName: longest.lastName,
  });
});

test('names every value that is no text and no number', async () => {
  for (const value of [true, [['a']], { a: 1 }]) {
    expectError(await post(each(value)), 400, names);
  }
});

test('makes text of a number', async () => {
  expect(await create({ phone: 2025550142, company: 3 })).toMatchObject({ phone: '2025550142', company: '3' });
});

test('drops control characters, which nobody sees and which could break the headers of an email', async () => {
  const sent = {
    email: '\u200eada@exam\u0000ple.com\u202c',
    phone: '555\r\n1234\u202c',
    company: 'Ada\r\nBcc: everyone@example.org',
    message: `bell \u0007 ${target.run}\u0085\u000bA line of a slide`,
    firstName: 'a tab\tin it',
    lastName: 'nul\u0000',
  };
  expect(await create(sent)).toMatchObject({
    email: 'ada@example.com',
    phone: '555 1234',
    company: 'Ada Bcc: everyone@example.org',
    message: `bell  ${target.run}…\nA line of a slide`,
    firstName: 'a tab in it',
    lastName: 'nul',
  });
});

test.for([
  ['020 7946 0958 ext. 12', '020 7946 0958 ext. 12'],
  ['0171 555 (ab 17 Uhr)', '0171 555 (ab 17 Uhr)'],
  ['+49 30 1234 / 0171 555', '+49 30 1234 / 0171 555'],
  ['0800 FLOWERS 123', '0800 FLOWERS 123'],
  ['+33\u00a01\u202f23\u201145\u2013 67', '+33 1 23-45- 67'],
  ['\u202a+972\u00ad 50\u202c', '+972 50'],
  ['١٢٣٤٥٦', '123456'],
  ['۰۹۱۲', '0912'],
  ['०९८७', '0987'],
  ['０９０－１２３４', '090-1234'],
] as const)('stores the phone number %j as %j', async ([phone, stored]) => {
  expect((await create({ phone })).phone).toBe(stored);
});

test('keeps what is no phone number as an extra field', async (context) => {
  requires(context, 'extra-fields');
  expect((await create({ phone: 'none' })).extra).toEqual({ phone: 'none' });
});

test('stores an international domain as the DNS has it', async () => {
  expect((await create({ email: 'ada@bücher.example' })).email).toBe('ada@xn--bcher-kva.example');
  expect((await create({ email: 'ada＠ｅｘａｍｐｌｅ.com' })).email).toBe('ada@example.com');
});

test.for([
  ['nothing at all', {}, ['email', 'message']],
  ['blanks only', { email: ' ', phone: '', message: '\n' }, ['email', 'message']],
  ['a malformed address', { email: 'ada@', message: 'Hi' }, ['email']],
  ['an address with a name', { email: 'Ada <ada@example.com>', message: 'Hi' }, ['email']],
  ['two addresses without a comma', { email: 'ada@example.com bob@example.com', message: 'Hi' }, ['email']],
  ['a bad address beside a phone number', { email: 'ada', phone: '12345', message: 'Hi' }, ['email']],
] as const)('refuses %s with 400, and names the field', async ([, fields, errors]) => {
  expectError(await post(fields), 400, errors);
});

test('stores nothing from a refused request', async () => {
  const before = await create();
  const { email, message } = visitor();
  const type = { 'Content-Type': 'application/json' };
  expectError(await post({ email, message, company: {}, firstName: { a: 1 } }), 400, ['firstName']);
  expectError(await postBody(JSON.stringify({ email, message }), { 'Content-Type': 'text/html' }), 415, [
    'Content-Type',
  ]);
  expectError(await postBody(JSON.stringify({ email, message }).slice(0, -1), type), 400, ['body']);
  const after = await create();
  const list = await listOnceItHolds(before, [before, after]);
  expect(list.filter((contact) => contact.email === email)).toEqual([]);
});

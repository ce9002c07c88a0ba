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
  phone: '1'.repeat(32),
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

test('names every value that is not a string', async () => {
  for (const value of [0, 12345, true, [7], [['a']], {}]) {
    expectError(await post(each(value)), 400, names);
  }
});

test('refuses half of a surrogate pair in every field', async () => {
  expectError(await post(each('12345\udc00\ud800')), 400, names);
});

test('refuses control characters, which could break the headers of an email', async () => {
  const injection = 'Ada\r\nBcc: everyone@example.org';
  const response = await post({
    email: 'ada@example.com\r\nBcc: everyone@example.org',
    phone: '555\r\n1234',
    company: injection,
    message: `bell \u0007 ${target.run}`,
    firstName: 'a tab\tin it',
    lastName: 'nul\u0000',
  });
  expectError(response, 400, names);
  expect(response.text).not.toContain('everyone');
  for (const control of ['\u0000', '\u001b', '\u007f', '\u0085']) {
    expectError(await post(visitor({ message: `one${control}two` })), 400, ['message']);
  }
});

test.for([
  ['nothing at all', {}, ['email', 'message']],
  ['blanks only', { email: ' ', phone: '', message: '\n' }, ['email', 'message']],
  ['a malformed address', { email: 'ada@', message: 'Hi' }, ['email']],
  ['an address with a name', { email: 'Ada <ada@example.com>', message: 'Hi' }, ['email']],
  ['two addresses', { email: 'ada@example.com,bob@example.com', message: 'Hi' }, ['email']],
  ['a bad address beside a phone number', { email: 'ada', phone: '12345', message: 'Hi' }, ['email']],
  ['a phone number of letters', { phone: 'call me', message: 'Hi' }, ['phone']],
  ['a phone number with letters', { phone: '0800 FLOWERS 123', message: 'Hi' }, ['phone']],
  ['a phone number in digits of another script', { phone: '١٢٣٤٥٦', message: 'Hi' }, ['phone']],
  ['a phone number with a tab', { phone: '123\t456', message: 'Hi' }, ['phone']],
  ['a phone number of two digits', { phone: '+12 ( ) - . / x #', message: 'Hi' }, ['phone']],
  ['a bad phone number beside an address', { email: 'ada@example.com', phone: 'none', message: 'Hi' }, ['phone']],
] as const)('refuses %s with 400, and names the field', async ([, fields, errors]) => {
  expectError(await post(fields), 400, errors);
});

test('stores nothing from a refused request', async () => {
  const before = await create();
  const { email, message } = visitor();
  const type = { 'Content-Type': 'application/json' };
  expectError(await post({ email, message, company: 5 }), 400, ['company']);
  expectError(await postBody(JSON.stringify({ email, message }), { 'Content-Type': 'text/plain' }), 415);
  expectError(await postBody(JSON.stringify({ email, message }).slice(0, -1), type), 400, ['body']);
  const after = await create();
  const list = await listOnceItHolds(before, [before, after]);
  expect(list.filter((contact) => contact.email === email)).toEqual([]);
});

import { expect, test } from 'vitest';
import { contactPath, create, fetchContact, post, storedIn, visitor } from './client.ts';
import { expectError } from './expect-error.ts';
import { requires, target } from './target.ts';

test('a contact request is stored and answered as it was sent, with an id and a time', async () => {
  const sent = visitor({
    phone: '+49 (0)30 901820-0 x12',
    company: 'Ωmega & Söhne <GmbH>',
    message: `Zeile eins\nZeile zwei\tnach dem Tab: 👩‍🚀 (${target.run})`,
    firstName: 'Ada "the first"',
    lastName: "O'Lovelace",
  });
  const answer = await post(sent);
  const stored = storedIn(answer);
  expect(stored).toEqual({ ...sent, id: stored.id, createdAt: stored.createdAt });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);

  const fetched = await fetchContact(stored.id);
  expect(fetched.status).toBe(200);
  expect(fetched.body).toEqual(stored);
});

test('Location is the absolute URL of what was created', async (context) => {
  requires(context, 'location');
  const answer = await post(visitor());
  expect(answer.headers.get('location')).toBe(`${target.baseUrl}${contactPath}/${storedIn(answer).id}`);
});

test('a phone number instead of an email address is enough; blank fields count as absent', async () => {
  const { message } = visitor();
  const stored = storedIn(
    await post({ email: '', phone: '555', company: '  ', message, firstName: '', lastName: '\t' }),
  );
  expect(stored).toEqual({ id: stored.id, createdAt: stored.createdAt, phone: '555', message });
});

test('values are trimmed and put into the normal form NFC', async () => {
  const stored = await create({ firstName: '  Zoe\u0308\u00a0', message: `\n hi (${target.run}) \r\n` });
  expect(stored).toMatchObject({ firstName: 'Zo\u00eb', message: `hi (${target.run})` });
});

test('fields that the service does not know are ignored, whatever their names and values', async () => {
  const { email, message } = visitor();
  const known = JSON.stringify({ email, message }).slice(1, -1);
  const stored = storedIn(
    await post(
      JSON.parse(
        `{${known},"__proto__":{"phone":"999"},"constructor":"x","toString":1,"id":"mine","createdAt":"1970-01-01","":null}`,
      ),
    ),
  );
  expect(stored).toEqual({ id: stored.id, createdAt: stored.createdAt, email, message });
  expect(stored.id).not.toBe('mine');
});

/** Each as long as it may be, counted in code points. */
const longest = {
  email: `${'a'.repeat(64)}@${'b'.repeat(59)}.${'c'.repeat(59)}.${'d'.repeat(57)}.example.com`,
  phone: '1'.repeat(32),
  company: '𝒳'.repeat(200),
  message: `${target.run}${'𝒳'.repeat(5000 - target.run.length)}`,
  firstName: '𝒳'.repeat(100),
  lastName: '𝒳'.repeat(100),
};

test('each field may be as long as it is allowed to be', async () => {
  expect(longest.email).toHaveLength(254);
  expect(storedIn(await post(longest))).toMatchObject(longest);
});

test('every field that is one character too long is named, all at once', async () => {
  const tooLong = Object.fromEntries(Object.entries(longest).map(([name, value]) => [name, `1${value}`]));
  expectError(await post(tooLong), 400, Object.keys(longest));
});

test('every value that is no text is named, all at once', async () => {
  expectError(
    await post({ email: 1, phone: ['555'], company: {}, message: true, firstName: null, lastName: [] }),
    400,
    ['email', 'phone', 'company', 'message', 'firstName', 'lastName'],
  );
});

test('control characters are refused, which keeps headers of a later mail intact', async () => {
  const injection = 'Ada\r\nBcc: everyone@example.org';
  expectError(
    await post({
      email: 'ada@example.com\r\nBcc: everyone@example.org',
      phone: '555\r\n1234',
      company: injection,
      message: `bell \u0007 ${target.run}`,
      firstName: injection,
      lastName: 'nul\u0000',
    }),
    400,
    ['email', 'phone', 'company', 'message', 'firstName', 'lastName'],
  );
});

test.for([
  ['no way to answer', { message: 'Hi' }, ['email']],
  ['nothing at all', {}, ['email', 'message']],
  ['blanks only', { email: ' ', phone: '', message: '\n' }, ['email', 'message']],
  ['an address that is none', { email: 'ada@', message: 'Hi' }, ['email']],
  ['an address with a name', { email: 'Ada <ada@example.com>', message: 'Hi' }, ['email']],
  ['a phone number of letters', { phone: 'call me', message: 'Hi' }, ['phone']],
  ['a phone number of two digits', { phone: '12', message: 'Hi' }, ['phone']],
  ['half of a character', { email: 'ada@example.com', message: 'Hi \ud83d' }, ['message']],
] as const)('%s is refused with 400 that names the field', async ([, fields, faults]) => {
  expectError(await post(fields), 400, faults);
});

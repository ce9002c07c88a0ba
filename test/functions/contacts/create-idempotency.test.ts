import { describe, expect, it } from 'vitest';
import { idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';

const key = (value: string) => ({ 'Idempotency-Key': value });

it('gives the first answer again for the same content, and stores it once', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now);
  const first = await contacts.post(minimal, key('k'));
  expect(first.status).toBe(201);
  expect(first.headers).not.toHaveProperty('Idempotent-Replayed');

  now = new Date('2026-03-02T12:00:00.000Z');
  const second = await contacts.post(minimal, key('k'));
  expect(second.status).toBe(201);
  expect(second.headers).toStrictEqual({ ...first.headers, 'Idempotent-Replayed': 'true' });
  expect(second.body).toStrictEqual(first.body);
  expect(idsIn(await contacts.list())).toStrictEqual([idIn(first)]);
});

it('takes for the same content what is the same once it is cleaned', async () => {
  const contacts = await startContacts();
  const first = await contacts.post({ email: 'ada@example.com', message: 'é' }, key('k'));
  const asForm = await contacts.create({
    body: 'message=+e%CC%81&company=&email=ada%40example.com&unknown=1',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...key('k') },
  });
  expect(asForm.headers).toHaveProperty('Idempotent-Replayed', 'true');
  expect(asForm.body).toStrictEqual(first.body);
});

it.each([
  ['another message', { ...minimal, message: 'Hello!' }],
  ['a field more', { ...minimal, company: 'x' }],
  ['the same values in other fields', { phone: '12345', message: 'Hello' }],
])('refuses %s under the same key with 422', async (_, other) => {
  const contacts = await startContacts();
  const first = await contacts.post(minimal, key('k'));
  const second = await contacts.post(other, key('k'));
  expect(second.status).toBe(422);
  expect(second.body).toStrictEqual({
    error: 'Unprocessable Content',
    details: [{ field: 'Idempotency-Key', message: expect.any(String) }],
  });
  expect(idsIn(await contacts.list())).toStrictEqual([idIn(first)]);
});

it('tells fields apart that hold each other’s values', async () => {
  const contacts = await startContacts();
  await contacts.post({ ...minimal, firstName: 'Ada', lastName: 'Grace' }, key('k'));
  const swapped = await contacts.post({ ...minimal, firstName: 'Grace', lastName: 'Ada' }, key('k'));
  expect(swapped.status).toBe(422);
});

it('stores one of twelve that arrive at the same moment, and answers all alike', async () => {
  const contacts = await startContacts();
  const answers = await Promise.all(Array.from({ length: 12 }, () => contacts.post(minimal, key('k'))));
  expect(answers.map(({ status }) => status)).toStrictEqual(Array(12).fill(201));
  expect(new Set(answers.map(({ text }) => text))).toHaveLength(1);
  expect(answers.filter(({ headers }) => headers['Idempotent-Replayed'] === undefined)).toHaveLength(1);
  expect(idsIn(await contacts.list())).toHaveLength(1);
});

it('lets one of many contents win that arrive under one key at the same moment', async () => {
  const contacts = await startContacts();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => contacts.post({ ...minimal, message: `Message ${at}` }, key('k'))),
  );
  expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([201, ...Array(11).fill(422)]);
});

it('begins anew under the key of a contact request that was deleted', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now);
  const first = await contacts.post(minimal, key('k'));
  await contacts.delete({ pathParameters: { id: idIn(first) } });

  now = new Date('2026-03-02T12:00:00.000Z');
  const second = await contacts.post({ ...minimal, message: 'Something else' }, key('k'));
  expect(second.status).toBe(201);
  expect(second.headers).not.toHaveProperty('Idempotent-Replayed');
  expect(second.body).toMatchObject({ createdAt: '2026-03-02T12:00:00.000Z', message: 'Something else' });
  expect(idsIn(await contacts.list())).toHaveLength(1);
});

it('keeps keys apart, also by their case', async () => {
  const contacts = await startContacts();
  const ids = await Promise.all(['k', 'K', 'k2'].map(async (value) => idIn(await contacts.post(minimal, key(value)))));
  expect(new Set(ids)).toHaveLength(3);
});

it('stores the same content twice without a key', async () => {
  const contacts = await startContacts();
  await contacts.post(minimal);
  await contacts.post(minimal);
  expect(idsIn(await contacts.list())).toHaveLength(2);
});

describe('the key', () => {
  it.each([
    ['one character', '!'],
    ['the last character of ASCII', '~'],
    ['255 characters', 'x'.repeat(255)],
    ['quoted', '"key"'],
  ])('may be %s', async (_, value) => {
    const contacts = await startContacts();
    expect((await contacts.post(minimal, key(value))).status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['blank', ' '],
    ['two words', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['a letter beyond ASCII', 'é'],
    ['a tab', 'a\tb'],
    ['a control character', 'a\u007f'],
    ['a line break at the end', 'k\n'],
  ])('may not be or hold: %s', async (_, value) => {
    const contacts = await startContacts();
    const answer = await contacts.post(minimal, key(value));
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual({
      error: 'Bad Request',
      details: [{ field: 'Idempotency-Key', message: expect.any(String) }],
    });
    expect(idsIn(await contacts.list())).toStrictEqual([]);
  });
});

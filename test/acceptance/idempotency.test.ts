import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { create, deleteContact, listOnceItHolds, post, postForm, storedIn, visitor } from './client.ts';
import { expectError } from './expect-error.ts';

const key = () => ({ 'Idempotency-Key': randomUUID() });

test('stores twelve simultaneous requests with the same key and content once, with the same response', async () => {
  const before = await create();
  const fields = visitor();
  const headers = key();
  const responses = await Promise.all(Array.from({ length: 12 }, () => post(fields, headers)));

  const stored = responses.map(storedIn);
  expect(stored).toEqual(responses.map(() => stored[0]));
  const replays = responses.map((response) => response.headers.get('idempotent-replayed'));
  expect(replays.filter((header) => header === null)).toHaveLength(1);
  expect(replays.filter((header) => header === 'true')).toHaveLength(11);

  const list = await listOnceItHolds(before, stored);
  expect(list.filter(({ email }) => email === fields.email)).toEqual([stored[0]]);
});

test('repeats the first response for the same key and content, even with another body type', async () => {
  const fields = visitor({ firstName: 'Zo\u00eb' });
  const headers = key();
  const first = await post(fields, headers);
  const again = await postForm({ ...fields, firstName: ' Zoe\u0308 ', company: '' }, headers);
  expect(storedIn(again)).toEqual(storedIn(first));
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
});

test.for([
  ['another message', { message: 'Another' }],
  ['a field more', { company: 'Another' }],
  ['a value in another field', { firstName: '', company: 'Ada' }],
  ['two values swapped', { firstName: 'Grace', lastName: 'Ada' }],
] as const)('responds with 422 to the same key with %s, and keeps the first contact request', async ([, other]) => {
  const fields = visitor({ firstName: 'Ada', lastName: 'Grace' });
  const headers = key();
  const first = storedIn(await post(fields, headers));
  expectError(await post({ ...fields, ...other }, headers), 422, ['Idempotency-Key']);
  expect(storedIn(await post(fields, headers))).toEqual(first);
});

test('frees the key of a deleted contact request', async () => {
  const fields = visitor();
  const headers = key();
  await deleteContact(storedIn(await post(fields, headers)).id);
  const response = await post({ ...fields, company: 'Another' }, headers);
  expect(storedIn(response).company).toBe('Another');
  expect(response.headers.get('idempotent-replayed')).toBeNull();
});

test('stores one of several simultaneous requests with the same key but different content', async () => {
  const before = await create();
  const headers = key();
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, number) => post(visitor({ company: `Company ${number}` }), headers)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
  const stored = responses.filter(({ status }) => status === 201).map(storedIn);
  const list = await listOnceItHolds(before, stored);
  expect(list.filter(({ company }) => company?.startsWith('Company '))).toEqual(stored);
});

test('stores the same content again with another key, or without a key', async () => {
  const fields = visitor();
  const lower = `key-${randomUUID()}`;
  const headers = [{ 'Idempotency-Key': lower }, { 'Idempotency-Key': lower.toUpperCase() }, key(), {}, {}];
  const stored = await Promise.all(headers.map(async (each) => storedIn(await post(fields, each))));
  expect(new Set(stored.map(({ id }) => id)).size).toBe(headers.length);
});

test('accepts a key of 255 visible ASCII characters', async () => {
  const longest = `!~"${randomUUID()}`.padEnd(255, '~');
  storedIn(await post(visitor(), { 'Idempotency-Key': longest }));
});

test.for([
  ['no characters', ''],
  ['256 characters', 'k'.repeat(256)],
  ['a space', 'two words'],
  ['a tab', 'two\twords'],
  ['a letter beyond ASCII', 'schl\u00fcssel'],
] as const)('responds with 400 to a key with %s', async ([, value]) => {
  expectError(await post(visitor(), { 'Idempotency-Key': value }), 400, ['Idempotency-Key']);
});

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { create, listOnceItHolds, post, postForm, storedIn, visitor } from './client.ts';
import { expectError } from './expect-error.ts';

const key = () => ({ 'Idempotency-Key': randomUUID() });

test('twelve simultaneous requests with one key and the same content are stored once and answered alike', async () => {
  const before = await create();
  const [fields, headers] = [visitor(), key()];
  const answers = await Promise.all(Array.from({ length: 12 }, () => post(fields, headers)));

  const stored = answers.map(storedIn);
  expect(stored).toEqual(answers.map(() => stored[0]));
  const replays = answers.map((answer) => answer.headers.get('idempotent-replayed'));
  expect(replays.filter((header) => header === null)).toHaveLength(1);
  expect(replays.filter((header) => header === 'true')).toHaveLength(11);

  const list = await listOnceItHolds(before, stored);
  expect(list.filter(({ email }) => email === fields.email)).toEqual([stored[0]]);
});

test('a later request with the same key gives the first answer again, in whichever form it comes', async () => {
  const [fields, headers] = [visitor(), key()];
  const first = await post(fields, headers);
  const again = await postForm(fields, headers);
  expect(storedIn(again)).toEqual(storedIn(first));
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
});

test('the same key with other content is refused with 422, and the first stays', async () => {
  const [fields, headers] = [visitor(), key()];
  const first = storedIn(await post(fields, headers));
  expectError(await post({ ...fields, company: 'Another' }, headers), 422, ['Idempotency-Key']);
  expect(storedIn(await post(fields, headers))).toEqual(first);
});

test('of simultaneous requests with one key and other contents, one is stored', async () => {
  const before = await create();
  const headers = key();
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, number) => post(visitor({ company: `Company ${number}` }), headers)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
  const stored = answers.filter(({ status }) => status === 201).map(storedIn);
  const list = await listOnceItHolds(before, stored);
  expect(list.filter(({ company }) => company?.startsWith('Company '))).toEqual(stored);
});

test('different keys with the same content are different contact requests', async () => {
  const fields = visitor();
  const [one, other] = [storedIn(await post(fields, key())), storedIn(await post(fields, key()))];
  expect(one.id).not.toBe(other.id);
});

test('a key may have 255 visible ASCII characters', async () => {
  const longest = `!~"${randomUUID()}`.padEnd(255, '~');
  storedIn(await post(visitor(), { 'Idempotency-Key': longest }));
});

test.for([
  ['256 characters', 'k'.repeat(256)],
  ['a space', 'two words'],
  ['a tab', 'two\twords'],
  ['a letter beyond ASCII', 'schl\u00fcssel'],
] as const)('a key with %s is refused with 400', async ([, value]) => {
  expectError(await post(visitor(), { 'Idempotency-Key': value }), 400, ['Idempotency-Key']);
});

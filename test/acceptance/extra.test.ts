import { expect, test } from 'vitest';
import { create, fetchContact, listSince, post, postBody, postForm, sendAsStaff, storedIn, visitor } from './client.ts';
import { expectError } from './expect-error.ts';
import { expectPage, pageText } from './expect-page.ts';
import { requires, target } from './target.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('stores the extra fields of a form, and returns them from every endpoint', async (context) => {
  requires(context, 'extra-fields');
  const before = await create();
  const fields = { ...visitor(), name: 'Ada Lovelace', subject: 'Zoë & 行', consent: 'on', 'order[0].note': 'a\r\nb' };
  const body = new URLSearchParams({ ...fields, blank: ' ' });
  for (const topic of ['tea', 'cake']) body.append('topics[]', topic);
  const stored = storedIn(await postBody(String(body), form));
  const extra = {
    ...{ name: 'Ada Lovelace', subject: 'Zoë & 行', consent: 'on', 'order[0].note': 'a\nb' },
    'topics[]': ['tea', 'cake'],
  };
  expect(stored).toMatchObject({ extra });
  expect(stored.extra).toEqual(extra);
  expect((await fetchContact(stored.id)).body).toEqual(stored);
  await expect.poll(() => listSince(before)).toContainEqual(stored);
  const csv = await sendAsStaff(`/api/v1/contact?since=${stored.createdAt}`, { headers: { Accept: 'text/csv' } });
  expect(csv.text).toContain(JSON.stringify(extra).replaceAll('"', '""'));
});

test('stores numbers, booleans and lists as text, and treats blank values as missing', async (context) => {
  requires(context, 'extra-fields');
  const given = { age: 36, rate: -0.5, yes: true, no: false, list: [1, 'b', false, null, ''] };
  const stored = await create({ ...given, none: null, empty: [], blanks: ['', null], blank: '  ' });
  const list = ['1', 'b', 'false'];
  expect(stored.extra).toEqual({ age: '36', rate: '-0.5', yes: 'true', no: 'false', list });
  expect((await create({ none: null, blank: '' })).extra).toBeUndefined();
});

test('stores extra fields apart from the fields that the service sets', async (context) => {
  requires(context, 'extra-fields');
  const names = ['id', 'createdAt', 'site', 'releasedAt', 'extra', 'expiresAt', 'listPartition', 'constructor', 'spam'];
  const members = ['__proto__', ...names].map((name) => `"${name}":"mine"`).join();
  const sent = visitor();
  const response = await postBody(`${JSON.stringify(sent).slice(0, -1)},${members}}`, {
    'Content-Type': 'application/json',
  });
  const { id, createdAt } = storedIn(response);
  for (const { text } of [response, await fetchContact(id)]) {
    const { success: _, extra, ...rest } = JSON.parse(text);
    expect(rest).toEqual({ ...sent, id, createdAt });
    expect(Object.keys(extra).toSorted()).toEqual(['__proto__', ...names].toSorted());
  }
});

test.for([
  ['an object', { consent: { given: true } }, 'consent', 'not_text'],
  ['a list of lists', { consent: [['yes']] }, 'consent', 'not_text'],
  ['a text of 5,001 characters', { consent: '𝒳'.repeat(5001) }, 'consent', 'too_long', 5000],
  ['a name of 201 characters', { ['n'.repeat(201)]: 'x' }, 'n'.repeat(201), 'invalid_name', 200],
  ['101 fields', Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f-${n}`, 'x'])), 'body', 'too_many', 100],
  ['16 KiB and one byte', { a: Array(8).fill('ä'.repeat(1000)), b: 'x'.repeat(383) }, 'body', 'too_large', 16_384],
] as const)('refuses an extra field by name, with its limit: %s', async ([, fields, named, code, limit], context) => {
  requires(context, 'extra-fields');
  const response = await post(visitor(fields));
  expect(expectError(response, 400, [named])).toEqual([code]);
  expect(response.body).toMatchObject({ details: [limit === undefined ? {} : { limit }] });
});

test('stores 100 extra fields of 16 KiB together, with names of up to 200 characters', async (context) => {
  requires(context, 'extra-fields');
  const names = Array.from({ length: 100 }, (_, number) => `${number}`.padEnd(number === 0 ? 200 : 60, '-'));
  const lengthOfNames = names.join('').length;
  const extra = Object.fromEntries(names.map((name, at) => [name, 'x'.repeat(at === 0 ? 1 : 100)]));
  extra[names[0] ?? ''] = 'x'.repeat(16 * 1024 - lengthOfNames - 99 * 100);
  expect((await create(extra)).extra).toEqual(extra);
});

test('leaves out a field without a name, and what scripts make of an empty file input', async (context) => {
  requires(context, 'extra-fields');
  expect((await create({ '': 'x', file: {}, topic: 'tea' })).extra).toEqual({ topic: 'tea' });
});

test('names an invalid extra field on the error page', async (context) => {
  requires(context, 'extra-fields');
  const accept = { Accept: 'text/html', Origin: target.siteOrigin };
  const page = expectPage(await postForm(visitor({ '<b>note': 'x'.repeat(5001) }), accept), 400);
  expect(pageText(page)).toContain('&#60;b&#62;note');
});

test('uses the field idempotency-key like the header in all three types, and does not store it', async () => {
  const sent = { ...visitor(), 'idempotency-key': `field-${target.run}` };
  const data = new FormData();
  for (const [name, value] of Object.entries(sent)) data.append(name, value);
  const first = storedIn(await post(sent));
  expect(first.extra).toBeUndefined();
  for (const again of [await postForm(sent), await postBody(data)]) {
    expect(storedIn(again)).toEqual(first);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  }
  const spaced = { ...visitor(), 'idempotency-key': 'a b' };
  expect(expectError(await post(spaced), 400, ['idempotency-key'])).toEqual(['invalid_idempotency_key']);
});

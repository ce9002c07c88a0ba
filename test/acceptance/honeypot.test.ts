import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { create, fetchContact, listOnceItHolds, post, postBody, storedIn, visitor } from './client.ts';
import { expectError } from './expect-error.ts';

const bait = { _gotcha: 'https://spam.example.net' };

test('responds to bots that fill the trap as usual', async () => {
  const person = await post(visitor());
  const bot = await post(visitor(bait));
  expect(bot.status).toBe(person.status);
  expect(Object.keys(storedIn(bot))).toEqual(Object.keys(storedIn(person)));
  expect([...bot.headers.keys()]).toEqual([...person.headers.keys()]);
});

test('lists spam only with spam=true', async () => {
  const before = await create();
  const marked = storedIn(await post(visitor(bait)));
  const after = await create();

  const spam = await listOnceItHolds(before, [marked], '&spam=true');
  expect(spam).toContainEqual({ ...marked, spamReason: 'trap' });
  expect(spam.map(({ id }) => id)).not.toContain(after.id);

  for (const filter of ['', '&spam=false']) {
    const list = await listOnceItHolds(before, [before, after], filter);
    expect(list.map(({ id }) => id)).not.toContain(marked.id);
  }
});

test('treats any value in a trap as spam except blanks, false and off, even one of several', async () => {
  const before = await create();
  const postAll = async (values: readonly unknown[]) =>
    (await Promise.all(values.map((value) => post(visitor({ _gotcha: value }))))).map(storedIn);
  const people = await postAll(['', ' ', null, false, 'false', 'off', ['', ' ']]);
  const bots = await postAll([' x ', 0, 5, true, ['', 'x'], { a: 1 }]);
  const form = new URLSearchParams(visitor());
  for (const value of ['', 'x', ' ']) form.append('_gotcha', value);
  bots.push(storedIn(await postBody(form)));
  for (const trap of ['_honey', 'bot-field', 'botcheck']) bots.push(await create({ [trap]: 'on' }));

  const list = await listOnceItHolds(before, people);
  const spam = await listOnceItHolds(before, bots, '&spam=true');
  const ids = new Set(list.map(({ id }) => id));
  expect(bots.filter(({ id }) => ids.has(id))).toEqual([]);
  expect(spam).toEqual(expect.arrayContaining(bots.map((bot) => ({ ...bot, spamReason: 'trap' }))));
});

test('shows staff alone why a contact request was caught: the response to a repeat does not', async () => {
  const twice = async (fields: object) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return [await post(fields, headers), await post(fields, headers)] as const;
  };
  const [[caught, again], person] = [await twice(visitor(bait)), await twice(visitor())];
  const { id } = storedIn(caught);
  expect(storedIn(again)).toEqual(storedIn(caught));
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect([caught, again].map(({ headers }) => [...headers.keys()])).toEqual(
    person.map(({ headers }) => [...headers.keys()]),
  );

  expect((await fetchContact(id)).body).toEqual({ ...storedIn(caught), spamReason: 'trap' });
});

test('responds to bots that fill the trap with the usual errors', async () => {
  expectError(await post({ ...bait, email: 'nobody', message: 'Hi' }), 400, ['email']);
});

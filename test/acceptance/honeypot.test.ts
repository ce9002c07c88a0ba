import { expect, test } from 'vitest';
import { create, deleteContact, fetchContact, listOnceItHolds, post, storedIn, visitor } from './client.ts';

const bait = { website: 'https://spam.example.net' };

test('who fills the honeypot field gets the same answer as everybody', async () => {
  const [person, bot] = [await post(visitor()), await post(visitor(bait))];
  expect(bot.status).toBe(person.status);
  expect(Object.keys(storedIn(bot))).toEqual(Object.keys(storedIn(person)));
  expect([...bot.headers.keys()]).toEqual([...person.headers.keys()]);
});

test('what fills the honeypot field is in the list of spam, and not in the default list', async () => {
  const before = await create();
  const marked = storedIn(await post(visitor(bait)));
  const after = await create();

  const spam = await listOnceItHolds(before, [marked], '&spam=true');
  expect(spam).toContainEqual(marked);
  expect(spam.map(({ id }) => id)).not.toContain(after.id);

  for (const filter of ['', '&spam=false']) {
    const list = await listOnceItHolds(before, [before, after], filter);
    expect(list.map(({ id }) => id)).not.toContain(marked.id);
  }
});

test('what fills the honeypot field is stored: it can be fetched and deleted', async () => {
  const marked = storedIn(await post(visitor(bait)));
  expect((await fetchContact(marked.id)).body).toEqual(marked);
  expect((await deleteContact(marked.id)).status).toBe(204);
  expect((await fetchContact(marked.id)).status).toBe(404);
});

test('a blank honeypot field is that of a person', async () => {
  const before = await create();
  await listOnceItHolds(before, [storedIn(await post(visitor({ website: ' ' })))]);
});

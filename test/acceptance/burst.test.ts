import { expect, test } from 'vitest';
import { create, createMany, fetchContact, listOnceItHolds } from './client.ts';

test('stores and lists two hundred simultaneous contact requests, each once', async () => {
  const before = await create();
  const made = await createMany(200);
  expect(new Set(made.map(({ id }) => id)).size).toBe(200);

  const list = await listOnceItHolds(before, made);
  const listed = new Map(list.map((contact) => [contact.id, contact]));
  expect(listed.size).toBe(list.length);
  for (const contact of made) expect(listed.get(contact.id)).toEqual(contact);

  const [first] = made;
  expect((await fetchContact(first?.id ?? '')).body).toEqual(first);
});

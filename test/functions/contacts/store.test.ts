import { describe, expect, it } from 'vitest';
import { contactListStore, contactStore, type NewContact } from '../../../functions/contacts/store.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { createRecordingClient } from '../../support/recording-client.ts';
import { client, createTable, putAll } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

const contact: NewContact = {
  fields: { email: 'ada@example.com', message: 'one\r\ntwo\tthree 😀\u2028\u{10ffff}' },
  spam: false,
  createdAt: noon,
};

const start = async () => {
  const table = await createTable(contactsTable);
  const store = contactStore(client, table);
  return {
    ...store,
    idsIn: async (query: { now?: Date; spam?: boolean } = {}) => {
      const { items } = await contactListStore(client, table).list({ limit: 200, spam: false, now: noon, ...query });
      return items.map(({ id }) => id);
    },
    /** Creates what has to be new. @returns its id */
    add: async (input: Partial<NewContact> = {}) => {
      const result = await store.create({ ...contact, ...input });
      expect(result.outcome).toBe('created');
      return result.outcome === 'conflict' ? '' : result.contact.id;
    },
  };
};

it('gives back what it was given, every character of it', async () => {
  const store = await start();
  const whole = { id: expect.any(String), createdAt: '2026-03-01T12:00:00.000Z', ...contact.fields };
  expect(await store.create(contact)).toStrictEqual({ outcome: 'created', contact: whole });
  const id = await store.add();
  expect(await store.get(id, noon)).toStrictEqual({ ...whole, id });
});

// The embedded store knows no other reads: only the request shows it.
it('asks for what was written last', async () => {
  const recording = createRecordingClient();
  const store = contactStore(recording.client, await createTable(contactsTable));
  await store.get('x', noon);
  await store.delete('x', noon);
  expect(recording.calls).toMatchObject([{ input: { ConsistentRead: true } }, { input: { ConsistentRead: true } }]);
});

it('knows nothing of other ids', async () => {
  const store = await start();
  expect(await store.get('00000000-0000-4000-8000-000000000000', noon)).toBeUndefined();
  expect(await store.delete('00000000-0000-4000-8000-000000000000', noon)).toBe(false);
});

it('deletes what cannot be read', async () => {
  const table = await createTable(contactsTable);
  await putAll(table, [{ id: 'broken', expiresAt: 'never' }]);
  const store = contactStore(client, table);
  expect(await store.delete('broken', noon)).toBe(true);
  expect(await store.delete('broken', noon)).toBe(false);
});

it('deletes once', async () => {
  const store = await start();
  const id = await store.add();
  const answers = await Promise.all(Array.from({ length: 10 }, () => store.delete(id, noon)));
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await store.get(id, noon)).toBeUndefined();
  expect(await store.idsIn()).toStrictEqual([]);
});

describe('an idempotency key', () => {
  const keyed = { ...contact, idempotencyKey: 'key' };

  it('makes a UUID of version 8, the same for the same key', async () => {
    const [one, other] = [await start(), await start()];
    const id = await one.add(keyed);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await other.add(keyed)).toBe(id);
  });

  it('finds the first for the same content, conflicts for other', async () => {
    const store = await start();
    const id = await store.add(keyed);
    expect(await store.create({ ...keyed, createdAt: later(60) })).toStrictEqual({
      outcome: 'replayed',
      contact: { id, createdAt: '2026-03-01T12:00:00.000Z', ...contact.fields },
    });
    expect(await store.create({ ...keyed, fields: { ...contact.fields, company: 'x' } })).toStrictEqual({
      outcome: 'conflict',
    });
  });

  it('lets one of many win', async () => {
    const store = await start();
    const results = await Promise.all(Array.from({ length: 10 }, () => store.create(keyed)));
    expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(9);
  });

  it('is free again once what had it has expired, though it was not yet removed', async () => {
    const store = await start();
    const id = await store.add({ ...keyed, expiresAt: later(60) });
    expect(await store.create({ ...keyed, createdAt: later(59) })).toMatchObject({ outcome: 'replayed' });
    const other = { ...contact.fields, message: 'another' };
    expect(await store.add({ ...keyed, fields: other, createdAt: later(60) })).toBe(id);
    expect(await store.get(id, later(60))).toMatchObject(other);
  });
});

it('hides what has expired, to the second', async () => {
  const store = await start();
  const id = await store.add({ expiresAt: later(60) });
  const stays = await store.add();
  expect((await store.idsIn({ now: later(59) })).toSorted()).toStrictEqual([id, stays].toSorted());
  expect(await store.get(id, later(59))).toBeDefined();
  expect(await store.idsIn({ now: later(60) })).toStrictEqual([stays]);
  expect(await store.get(id, later(60))).toBeUndefined();
  expect(await store.delete(id, later(60))).toBe(false);
});

it('lists what is marked as spam by itself', async () => {
  const store = await start();
  const [kept, marked] = [await store.add(), await store.add({ spam: true })];
  expect(await store.idsIn()).toStrictEqual([kept]);
  expect(await store.idsIn({ spam: true })).toStrictEqual([marked]);
});

it('lists the newest first, unless it is asked otherwise', async () => {
  const store = await start();
  const ids: string[] = [];
  for (const seconds of [0, 1, 2, 3]) ids.unshift(await store.add({ createdAt: later(seconds) }));
  expect(await store.idsIn()).toStrictEqual(ids);
});

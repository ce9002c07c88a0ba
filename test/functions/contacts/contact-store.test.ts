import { describe, expect, it } from 'vitest';
import { contactListStore, contactStore, type NewContact } from '../../../functions/contacts/contact-store.ts';
import { contactsTable, listKeys } from '../../../functions/contacts/contacts-table.ts';
import { createRecordingClient } from '../../support/recording-client.ts';
import { client, createTable, putAll } from '../../support/tables.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

const contact: NewContact = {
  fields: { email: 'ada@example.com', message: 'Hello' },
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
    /** Creates a new contact request. @returns its id */
    add: async (input: Partial<NewContact> = {}) => {
      const result = await store.create({ ...contact, ...input });
      expect(result.outcome).toBe('created');
      return result.outcome === 'conflict' ? '' : result.contact.id;
    },
  };
};

it('reads what a stricter rule would refuse today', async () => {
  const { add, get } = await start();
  expect(await get(await add({ fields: { email: 'nobody' } }), noon)).toMatchObject({ email: 'nobody' });
});

it('lists spam whose reason is not stored', async () => {
  const table = await createTable(contactsTable);
  const stored = { id: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11', createdAt: noon.toISOString(), message: 'Hello' };
  await putAll(table, [{ ...stored, ...listKeys(stored, true) }]);
  const list = await contactListStore(client, table).list({ limit: 10, spam: true, now: noon });
  expect(list).toStrictEqual({ items: [stored], unreadable: [] });
});

// Every read of the embedded store is consistent: only the request shows the option.
it('reads and deletes with consistent reads', async () => {
  const recording = createRecordingClient();
  const store = contactStore(recording.client, await createTable(contactsTable));
  await store.get('x', noon);
  await store.delete('x', noon);
  expect(recording.calls).toMatchObject([{ input: { ConsistentRead: true } }, { input: { ConsistentRead: true } }]);
});

it('deletes an unreadable item', async () => {
  const table = await createTable(contactsTable);
  await putAll(table, [{ id: 'broken', expiresAt: 'never' }]);
  const store = contactStore(client, table);
  expect(await store.delete('broken', noon)).toBe(true);
  expect(await store.delete('broken', noon)).toBe(false);
});

describe('an idempotency key', () => {
  const keyed = { ...contact, storageKey: 'key' };

  // Keys live as long as their contact requests.
  it('gives the same id in every table and every version', async () => {
    expect(await (await start()).add({ ...keyed, storageKey: 'k' })).toBe('8fda5eb3-6278-8087-ab51-99b110d6ef9d');
  });

  it('is free again after expiry, even if DynamoDB has not removed the item yet', async () => {
    const store = await start();
    const id = await store.add({ ...keyed, expiresAt: later(60) });
    expect(await store.create({ ...keyed, createdAt: later(59) })).toMatchObject({ outcome: 'replayed' });
    const other = { ...contact.fields, message: 'another' };
    expect(await store.add({ ...keyed, fields: other, createdAt: later(60) })).toBe(id);
    expect(await store.get(id, later(60))).toMatchObject(other);
  });
});

it('hides expired contact requests, to the second', async () => {
  const store = await start();
  const id = await store.add({ expiresAt: later(60) });
  const stays = await store.add();
  expect((await store.idsIn({ now: later(59) })).toSorted()).toStrictEqual([id, stays].toSorted());
  expect(await store.get(id, later(59))).toBeDefined();
  expect(await store.idsIn({ now: later(60) })).toStrictEqual([stays]);
  expect(await store.get(id, later(60))).toBeUndefined();
  expect(await store.delete(id, later(60))).toBe(false);
});

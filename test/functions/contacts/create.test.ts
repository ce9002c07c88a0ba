import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { handler } from '../../../functions/create-contact.ts';
import { callerOf } from '../../support/call.ts';
import { idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines } from '../../support/log.ts';
import { client, createTable } from '../../support/tables.ts';

const json = { 'Content-Type': 'application/json' };

describe('what is counted and what is said', () => {
  const spam = { ...minimal, _gotcha: 'x' };
  const key = { 'Idempotency-Key': 'k' };

  it('counts what is no spam, where somebody wants to hear when none comes', async () => {
    const contacts = await startContacts(undefined, { countsReceived: true });
    const counted = async (body: unknown, headers?: Record<string, string>) => {
      contacts.counts.length = 0;
      await contacts.post(body, headers);
      return [...contacts.counts];
    };
    expect(await counted(minimal, key)).toStrictEqual([['ContactsReceived']]);
    expect(await counted(minimal, key)).toStrictEqual([]);
    expect(await counted(spam)).toStrictEqual([]);
    expect(await counted({})).toStrictEqual([]);
  });

  it('counts nothing elsewhere, since a metric costs', async () => {
    const contacts = await startContacts();
    await contacts.post(minimal);
    expect(contacts.counts).toStrictEqual([]);
  });

  it('says in the log what was marked as spam, and what was sent again', async () => {
    const contacts = await startContacts();
    await contacts.post(minimal);
    await contacts.post(spam, key);
    await contacts.post(spam, key);
    const line = (message: string) =>
      expect.objectContaining({ level: 'info', message, requestId: expect.any(String) });
    expect(logLines()).toStrictEqual(['marked as spam', 'sent again'].map(line));
  });

  it('has the name of the environment', async () => {
    await createTable(contactsTable, process.env['CONTACTS_TABLE']);
    await callerOf('POST /api/v1/contact', handler)({ headers: json, body: JSON.stringify(minimal) });
    expect(logLines()).toContainEqual(expect.objectContaining({ Environment: 'test', ContactsReceived: 1 }));
  });
});

it("marks what fills any of the honeypot fields, a form's earlier one, too, and keeps none of them", async () => {
  const contacts = await startContacts(undefined, { traps: ['fax', '_gotcha'] });
  const body = { ...minimal, fax: '', _gotcha: '', other: 'kept' };
  const posted = async (filled: object) => {
    const answer = await contacts.post({ ...body, ...filled });
    expect(answer.body).toHaveProperty('extra', { other: 'kept' });
    return idIn(answer);
  };
  const marked = [await posted({ fax: 'x' }), await posted({ _gotcha: 'x' }), await posted({ fax: 'x', _gotcha: 'x' })];
  const unmarked = await posted({});
  expect(idsIn(await contacts.list())).toEqual([unmarked]);
  expect(idsIn(await contacts.list({ query: [['spam', 'true']] })).toSorted()).toEqual(marked.toSorted());
});

it('shows no contact request whose days of retention are over, though it was not yet removed', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now, { retentionDays: 30 });
  const [one, other] = [idIn(await contacts.post(minimal)), idIn(await contacts.post(minimal))];
  const { Item: item } = await client.send(new GetCommand({ TableName: contacts.table, Key: { id: one } }));
  // DynamoDB removes it by this, in seconds since 1970.
  expect(item?.['expiresAt']).toBe(Date.UTC(2026, 2, 31, 12) / 1000);
  const get = async () => (await contacts.get({ pathParameters: { id: one } })).status;
  now = new Date('2026-03-31T11:59:59.999Z');
  expect(idsIn(await contacts.list()).toSorted()).toStrictEqual([one, other].toSorted());
  expect(await get()).toBe(200);
  expect(await contacts.delete({ pathParameters: { id: other } })).toMatchObject({ status: 204, text: '' });

  now = new Date('2026-03-31T12:00:00.000Z');
  expect(idsIn(await contacts.list())).toStrictEqual([]);
  expect(await get()).toBe(404);
  expect((await contacts.delete({ pathParameters: { id: one } })).status).toBe(404);
});

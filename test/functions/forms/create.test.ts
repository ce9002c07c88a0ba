import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { handler } from '../../../functions/create-contact.ts';
import { callerOf } from '../../support/call.ts';
import { idIn, minimal, startContacts, startForms } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';
import { client, createTable } from '../../support/tables.ts';

const json = { 'Content-Type': 'application/json' };

describe('metrics and logs', () => {
  const spam = { ...minimal, _gotcha: 'x' };
  const key = { 'Idempotency-Key': 'k' };

  it('count each new contact request, spam as zero, if an alarm needs it', async () => {
    const contacts = await startContacts(undefined, { countsReceived: true });
    const counted = async (body: unknown, headers?: Record<string, string>) => {
      contacts.counts.length = 0;
      await contacts.post(body, headers);
      return [...contacts.counts];
    };
    expect(await counted(minimal, key)).toStrictEqual([['ContactsReceived', { value: 1 }]]);
    expect(await counted(minimal, key)).toStrictEqual([]);
    expect(await counted(spam)).toStrictEqual([['ContactsReceived', { value: 0 }]]);
    expect(await counted({})).toStrictEqual([]);
  });

  it('count nothing otherwise, because each metric costs', async () => {
    const { post, counts } = startForms();
    await post(minimal);
    expect(counts).toStrictEqual([]);
  });

  it('mention spam and replays', async () => {
    const contacts = await startContacts();
    await contacts.post(minimal);
    await contacts.post(spam, key);
    await contacts.post(spam, key);
    const line = { timestamp: expect.any(String), level: 'info', requestId: expect.any(String) };
    expect(logLines()).toStrictEqual([
      { ...line, message: 'marked as spam', reason: 'trap' },
      { ...line, message: 'sent again' },
    ]);
  });

  it('say why a contact request was refused, by codes and the names of the fields of a contact request alone', async () => {
    await startForms().post({
      'E-Mail': 'secret at example.com',
      company: 'x'.repeat(201),
      'a secret': { a: 1 },
      'another secret': { a: 1 },
    });
    expect(logLines()).toContainEqual({
      timestamp: expect.any(String),
      level: 'info',
      message: 'contact request refused',
      requestId: expect.any(String),
      errors: ['email invalid_email', 'company too_long', 'other field not_text'],
    });
    expect(logText()).not.toMatch(/secret|E-Mail/);
  });

  it('name the environment', async () => {
    await createTable(contactsTable, process.env['CONTACTS_TABLE']);
    await callerOf('POST /api/v1/contact', handler)({ headers: json, body: JSON.stringify(minimal) });
    expect(logLines()).toContainEqual(expect.objectContaining({ Environment: 'test', ContactsReceived: 1 }));
  });
});

it.each([
  ['of the environment', { retentionDays: 30 }],
  ['of its form, if they are fewer', { retentionDays: 60, forms: new Map([['jobs', { retentionDays: 30 }]]) }],
  ['of its form, if they are more', { retentionDays: 7, forms: new Map([['jobs', { retentionDays: 30 }]]) }],
  ['of its form, if the environment has none', { forms: new Map([['jobs', { retentionDays: 30 }]]) }],
  [
    'of the environment, if only another form has some',
    { retentionDays: 30, forms: new Map([['sales', { retentionDays: 1 }]]) },
  ],
])('expires after the days of retention %s', async (_, settings) => {
  const contacts = await startContacts(() => new Date('2026-03-01T12:00:00.000Z'), settings);
  const id = idIn(await contacts.post({ ...minimal, 'form-name': 'jobs' }));
  const { Item: item } = await client.send(new GetCommand({ TableName: contacts.table, Key: { id } }));
  // DynamoDB's time to live, in seconds since 1970.
  expect(item?.['expiresAt']).toBe(Date.UTC(2026, 2, 31, 12) / 1000);
});

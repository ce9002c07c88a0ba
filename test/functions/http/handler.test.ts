import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { getContact } from '../../../functions/contacts/by-id.ts';
import { contactStore } from '../../../functions/contacts/store.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { type Call, callerOf } from '../../support/call.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import type { RequestParts } from '../../support/event.ts';
import { logLines, logText } from '../../support/log.ts';
import { client, createTable } from '../../support/tables.ts';

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

const person = {
  email: 'secret.ada@example.com',
  phone: '+49 30 5550199',
  company: 'Secret Engines',
  message: 'Secret message',
  firstName: 'Secretada',
  lastName: 'Secretlace',
};

const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

it('has one line for each request, and none of what was sent', async () => {
  const contacts = await startContacts();
  const campaigns = await startCampaigns();
  const id = idIn(await contacts.post(person, { 'Idempotency-Key': 'secret-key' }));
  const before = logLines().length;

  const body = JSON.stringify(person);
  const idempotent = { ...json, 'Idempotency-Key': 'secret-key' };
  const requests: [status: number, route: string, call: Call, parts: RequestParts][] = [
    [201, 'POST /api/v1/contact', contacts.create, { headers: json, body }],
    [201, 'POST /api/v1/contact', contacts.create, { headers: form, body: new URLSearchParams(person).toString() }],
    [
      201,
      'POST /api/v1/contact',
      contacts.create,
      { headers: json, body: JSON.stringify({ ...person, _gotcha: 'secret' }) },
    ],
    [201, 'POST /api/v1/contact', contacts.create, { headers: idempotent, body }],
    [
      422,
      'POST /api/v1/contact',
      contacts.create,
      { headers: idempotent, body: JSON.stringify({ ...person, company: '' }) },
    ],
    [400, 'POST /api/v1/contact', contacts.create, { headers: { ...json, 'Idempotency-Key': 'secret key' }, body }],
    [400, 'POST /api/v1/contact', contacts.create, { headers: json, body: `${body}secret` }],
    [
      400,
      'POST /api/v1/contact',
      contacts.create,
      { headers: json, body: JSON.stringify({ ...person, email: 'secret' }) },
    ],
    [400, 'POST /api/v1/contact', contacts.create, { headers: form, body: `message=secret%FF` }],
    [403, 'POST /api/v1/contact', contacts.create, { headers: { ...json, Origin: 'https://evil.example' }, body }],
    [413, 'POST /api/v1/contact', contacts.create, { headers: json, body: 'secret'.repeat(20_000) }],
    [415, 'POST /api/v1/contact', contacts.create, { headers: { 'Content-Type': 'text/secret' }, body }],
    [200, 'GET /api/v1/contact', contacts.list, { headers: { Authentication: 'secret-token' } }],
    [
      400,
      'GET /api/v1/contact',
      contacts.list,
      {
        query: [
          ['cursor', 'secret'],
          ['secret', 'x'],
        ],
      },
    ],
    [200, 'GET /api/v1/contact/{id}', contacts.get, { pathParameters: { id } }],
    [404, 'GET /api/v1/contact/{id}', contacts.get, { pathParameters: { id: 'secret' } }],
    [204, 'DELETE /api/v1/contact/{id}', contacts.delete, { pathParameters: { id } }],
    [404, 'DELETE /api/v1/contact/{id}', contacts.delete, { pathParameters: { id } }],
    [200, 'GET /v1/campaigns', campaigns.list, {}],
    [404, 'GET /v1/campaigns/{id}', campaigns.get, { pathParameters: { id } }],
  ];
  const expected: object[] = [];
  for (const [index, [status, route, call, parts]] of requests.entries()) {
    const requestId = `request-${index}`;
    expect((await call({ ...parts, requestId })).status).toBe(status);
    if (status >= 400) expected.push({ timestamp, level: 'info', message: 'request', requestId, route, status });
  }

  // A refused origin has a line of its own besides, and so has who read or deleted what (contacts/log-access.test.ts).
  const lines = logLines().slice(before);
  const isBesides = (line: unknown) =>
    /origin refused|sent again|marked as spam|"message":"contact request/.test(JSON.stringify(line));
  expect(lines.filter((line) => !isBesides(line))).toStrictEqual(expected);
  expect(logText()).not.toMatch(/secret/i);
  expect(logText()).not.toContain('5550199');
});

it('tells of a fault by names and frames', async () => {
  const table = await createTable(contactsTable);
  const id = '00000000-0000-4000-8000-000000000000';
  const broken = { id, message: person.message, expiresAt: `\n    at ${person.email}` };
  await client.send(new PutCommand({ TableName: table, Item: broken }));
  const get = callerOf(
    'GET /api/v1/contact/{id}',
    getContact({ store: contactStore(client, table), now: () => new Date(0) }),
  );
  await get({ requestId: 'r', pathParameters: { id } });
  expect(logLines()).toStrictEqual([
    {
      timestamp,
      level: 'error',
      message: 'Internal Server Error',
      requestId: 'r',
      route: 'GET /api/v1/contact/{id}',
      error: 'ValiError',
      stack: expect.arrayContaining([expect.stringMatching(/^at .*functions\/contacts\/store\.ts:\d+:\d+/)]),
    },
    { timestamp, level: 'info', message: 'request', requestId: 'r', route: 'GET /api/v1/contact/{id}', status: 500 },
  ]);
  expect(logText()).not.toMatch(/secret/i);
  expect(logText()).not.toContain(id);
});

it('writes each line at once, whole, and ended', async () => {
  const contacts = await startContacts();
  await contacts.post(minimal, { Origin: 'https://evil.example' });
  expect(logText().endsWith('}\n')).toBe(true);
  expect(logText().split('\n')).toHaveLength(3);
});

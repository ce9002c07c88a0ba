import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { getContact } from '../../../functions/contacts/by-id.ts';
import { contactStore } from '../../../functions/contacts/contact-store.ts';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import type { HttpError } from '../../../functions/http/errors.ts';
import { httpHandler } from '../../../functions/http/handler.ts';
import type { HttpRequest } from '../../../functions/http/request.ts';
import { errorResponse, noContent } from '../../../functions/http/response.ts';
import { type Call, callerOf } from '../../support/call.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { idIn, startContacts } from '../../support/contacts.ts';
import { lambdaContext, type RequestParts } from '../../support/event.ts';
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

it('logs one line for each failed request, and nothing that was sent', async () => {
  const contacts = await startContacts();
  const campaigns = await startCampaigns();
  const id = idIn(await contacts.post(person, { 'Idempotency-Key': 'secret-key' }));
  const before = logLines().length;

  const body = JSON.stringify(person);
  const post = (status: number, parts: RequestParts) =>
    [status, 'POST /api/v1/contact', contacts.create, parts] as const;
  const postJson = (status: number, sent: object, headers: object = {}) =>
    post(status, { headers: { ...json, ...headers }, body: JSON.stringify(sent) });
  const key = { 'Idempotency-Key': 'secret-key' };
  const requests: (readonly [status: number, route: string, call: Call, parts: RequestParts])[] = [
    postJson(201, person),
    post(201, { headers: form, body: new URLSearchParams(person).toString() }),
    postJson(201, { ...person, _gotcha: 'secret' }),
    postJson(201, person, key),
    postJson(422, { ...person, company: '' }, key),
    postJson(400, person, { 'Idempotency-Key': 'secret key' }),
    postJson(400, { ...person, email: 'secret' }),
    postJson(403, person, { Origin: 'https://evil.example' }),
    post(400, { headers: json, body: `${body}secret` }),
    post(400, { headers: json, body: Buffer.from('{"message":"secret\xff"}', 'latin1') }),
    post(413, { headers: json, body: 'secret'.repeat(20_000) }),
    post(415, { headers: { 'Content-Type': 'text/secret' }, body }),
    [200, 'GET /api/v1/contact', contacts.list, { headers: { Authentication: 'secret-token' } }],
    [400, 'GET /api/v1/contact', contacts.list, { query: Object.entries({ cursor: 'secret', secret: 'x' }) }],
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

  // Refused origins and access to contact requests have lines of their own (contacts/log-access.test.ts).
  const lines = logLines().slice(before);
  const isOwnLine = (line: unknown) =>
    /origin refused|sent again|marked as spam|"message":"contact request/.test(JSON.stringify(line));
  expect(lines.filter((line) => !isOwnLine(line))).toStrictEqual(expected);
  expect(logText()).not.toMatch(/secret/i);
  expect(logText()).not.toContain('5550199');
});

it('responds with 500 for an unreadable contact request, and logs the error by its name and stack frames', async () => {
  const table = await createTable(contactsTable);
  const id = '00000000-0000-4000-8000-000000000000';
  const broken = { id, message: person.message, expiresAt: `\n    at ${person.email}` };
  await client.send(new PutCommand({ TableName: table, Item: broken }));
  const get = callerOf(
    'GET /api/v1/contact/{id}',
    getContact({ store: contactStore(client, table), now: () => new Date(0) }),
  );
  expect(await get({ requestId: 'r', pathParameters: { id } })).toMatchObject({
    status: 500,
    text: '{"error":"Internal Server Error"}',
  });
  expect(logLines()).toStrictEqual([
    {
      timestamp,
      level: 'error',
      message: 'Internal Server Error',
      requestId: 'r',
      route: 'GET /api/v1/contact/{id}',
      error: expect.any(String),
      stack: expect.arrayContaining([expect.stringMatching(/^at .*functions\/.+\.ts:\d+:\d+/)]),
    },
    { timestamp, level: 'info', message: 'request', requestId: 'r', route: 'GET /api/v1/contact/{id}', status: 500 },
  ]);
  expect(logText()).not.toMatch(/secret/i);
  expect(logText()).not.toContain(id);
});

it.each([{}, { body: 'secret', headers: { accept: 'text/html' } }])(
  'responds with 500 to %o, which is no event of a REST API, and logs the error',
  async (event) => {
    // Like that of forms, whose language depends on the request.
    const responseTo = (error: HttpError, { headers }: HttpRequest) =>
      errorResponse(error, () => String(headers.get('accept-language')));
    const handler = httpHandler(async () => noContent(), [], responseTo);
    expect(await handler(event, lambdaContext())).toMatchObject({
      statusCode: 500,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: '{"error":"Internal Server Error"}',
    });
    expect(logLines()).toStrictEqual([
      {
        timestamp,
        level: 'error',
        message: 'not an event of a REST API',
        error: expect.any(String),
        stack: expect.arrayContaining([expect.stringMatching(/^at .*functions\/.+\.ts:\d+:\d+/)]),
      },
    ]);
  },
);

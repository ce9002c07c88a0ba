import { expect, test } from 'vitest';
import { absentId, campaignsPath, contactPath, send, sendAsStaff } from './client.ts';
import { expectError } from './expect-error.ts';
import { requestHead, sendRaw } from './raw-http.ts';
import { requires, target } from './target.ts';

test.for([
  '/nothing',
  '/api',
  '/api/v1',
  '/api/v1/contacts',
  '/api/v1/campaigns',
  '/v1/contact',
  '/v1/campaign',
  '/API/V1/CONTACT',
  `${contactPath}/${absentId}/notes`,
  `${campaignsPath}/${absentId}/${absentId}`,
  '/__proto__',
  '/.env',
  '/?limit=1',
])('responds with 404 to the path %s, with and without a token', async (path, context) => {
  requires(context, 'gateway-responses');
  for (const response of [await send(path), await sendAsStaff(path)]) {
    expectError(response, 404);
    expect(response.text).toBe('{"error":"Not Found"}');
  }
});

test('responds with 404 to a path with a trailing slash', async () => {
  for (const path of [contactPath, campaignsPath]) {
    expectError(await sendAsStaff(`${path}/`), 404);
  }
  expectError(await send(`${contactPath}/`, { method: 'POST' }), 404);
});

test.for([
  ['PUT', contactPath],
  ['PATCH', contactPath],
  ['DELETE', contactPath],
  ['POST', `${contactPath}/${absentId}`],
  ['PUT', `${contactPath}/${absentId}`],
  ['POST', campaignsPath],
  ['DELETE', campaignsPath],
  ['PUT', `${campaignsPath}/${absentId}`],
  ['DELETE', `${campaignsPath}/${absentId}`],
] as const)('responds with 404 to %s %s', async ([method, path], context) => {
  requires(context, 'gateway-responses');
  expectError(await send(path, { method }), 404);
  expectError(await sendAsStaff(path, { method }), 404);
});

const withoutTriage = target.lacks.includes('triage') ? test : () => {};

withoutTriage('without triage, responds with 404 to PATCH, and knows no parameter of it', async (context) => {
  requires(context, 'gateway-responses');
  expectError(await sendAsStaff(`${contactPath}/${absentId}`, { method: 'PATCH' }), 404);
  expectError(await sendAsStaff(`${contactPath}?answered=true`), 400, ['answered']);
});

test('responds with 404 without a body to HEAD', async (context) => {
  requires(context, 'gateway-responses');
  for (const path of [contactPath, `${contactPath}/${absentId}`, campaignsPath, '/nothing']) {
    const response = await sendAsStaff(path, { method: 'HEAD' });
    expect(response.status).toBe(404);
    expect(response.text).toBe('');
  }
});

test.for(['TRACE', 'PROPFIND', 'SEARCH'])('responds with 404 to %s', async (method, context) => {
  requires(context, 'gateway-responses');
  const head = requestHead(method, contactPath, `Authentication: ${target.staffToken}`);
  expectError(await sendRaw(head), 404);
});

import { beforeAll, expect, test } from 'vitest';
import { send } from '../http.ts';
import { type Served, serve } from '../test-host.ts';

let served: Served;

beforeAll(async () => {
  served = await serve((stack) => {
    // Answers with what the request's body holds.
    const answer = stack.function('Answer', 'export const handler = async ({ body }) => JSON.parse(body);');
    stack.api({ 'POST /': answer }, { binaryMediaTypes: ['image/png'] });
  });
  return served.stop;
});

const post = (answer: unknown, headers: readonly (readonly [string, string])[] = []) =>
  send(`${served.baseUrl}/`, { method: 'POST', headers, body: JSON.stringify(answer) });

test("a function's answer becomes the response", async () => {
  const { status, headers, text } = await post({
    statusCode: '201',
    headers: { Location: '/things/1', Vary: 'Origin', 'X-Flag': true },
    multiValueHeaders: { Vary: ['Accept', 'Origin'], 'X-Many': ['1', '2'] },
    body: 'é',
  });
  expect(status).toBe(201);
  expect(text).toBe('é');
  expect(headers).toMatchObject({
    'content-length': '2',
    'content-type': 'application/json',
    location: '/things/1',
    vary: 'Accept, Origin',
    'x-amzn-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-flag': 'true',
    'x-many': '1, 2',
  });
});

test("the function's own content type wins, and the gateway's own headers are renamed", async () => {
  const { headers } = await post({ statusCode: 200, headers: { 'content-type': 'text/html', Server: 'mine' } });
  expect(headers).toMatchObject({
    'content-type': 'text/html',
    'x-amzn-remapped-server': 'mine',
    'content-length': '0',
  });
  expect(headers['server']).toBeUndefined();
});

test.each([204, 304])('%s has no body', async (statusCode) => {
  const { status, text, headers } = await post({ statusCode, headers: { ETag: '"x"' }, body: 'lost' });
  expect([status, text, headers['content-length'], headers['etag']]).toEqual([statusCode, '', undefined, '"x"']);
});

test('a body in base64 is decoded for a client that accepts a binary media type first', async () => {
  const answer = { statusCode: 200, body: 'aGVsbG8=', isBase64Encoded: true };
  expect((await post(answer, [['Accept', 'image/png, */*']])).text).toBe('hello');
  expect((await post(answer, [['Accept', '*/*']])).text).toBe('aGVsbG8=');
});

test.each([
  ['no object', 'OK'],
  ['null', null],
  ['no status', { body: '' }],
  ['a status below 200', { statusCode: 199 }],
  ['a status above 599', { statusCode: 600 }],
  ['a body that is no text', { statusCode: 200, body: { id: 1 } }],
  ['a header that is a number', { statusCode: 200, headers: { 'Retry-After': 1 } }],
  ['a field that is not known', { statusCode: 200, cookies: [] }],
])('a malformed answer is an error of the gateway: %s', async (_, answer) => {
  const { status, text } = await post(answer);
  expect([status, text]).toEqual([502, '{"message":"Internal server error"}']);
  expect(await served.logged('malformed proxy response')).toMatch(/^gateway: /);
});

test('a header that cannot be sent is an error of the gateway', async () => {
  const { status, text } = await post({ statusCode: 200, headers: { Location: '/a\nb' } });
  expect([status, text]).toEqual([502, '{"message":"Internal server error"}']);
  expect(await served.logged('Location')).toMatch(/^gateway: .*Invalid character/);
});

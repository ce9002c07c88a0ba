import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import { campaignsPath, contactPath, sendAsStaff } from './client.ts';
import { expectError } from './expect-error.ts';
import { requestHead, sendMalformed, sendRaw } from './raw-http.ts';
import { requires, target } from './target.ts';

const token = `Authentication: ${target.staffToken}`;
const { host } = new URL(target.baseUrl);
const get = (...headers: string[]) => requestHead('GET', campaignsPath, token, ...headers);
const post = (...headers: string[]) => requestHead('POST', contactPath, 'Content-Type: application/json', ...headers);

test.for([
  ['a malformed request line', 'nonsense\r\n\r\n'],
  ['a malformed method', get().replace('GET', 'G@T')],
  ['an unknown method', get().replace('GET', 'FETCH')],
  ['an unknown version', get().replace('HTTP/1.1', 'HTTP/9.9')],
  ['no Host', get().replace(/Host: .*\r\n/, '')],
  ['a header without a colon', get('no colon here')],
  ['a space in a header name', get('a name: value')],
  ['a NUL in a header', get('X-Note: a\0b')],
  ['a header of 20 KiB', get(`X-Note: ${'x'.repeat(20 * 1024)}`)],
  ['a header of 500 KiB', get(`X-Note: ${'x'.repeat(500 * 1024)}`)],
  ['2,000 headers', get(...Array.from({ length: 2000 }, (_, number) => `X-Note-${number}: some value`))],
  ['a token of 20 KiB', requestHead('GET', campaignsPath, `Authentication: ${'x'.repeat(20 * 1024)}`)],
  ['a path of 20 KiB', requestHead('GET', `${campaignsPath}/${'x'.repeat(20 * 1024)}`, token)],
  ['a percent sign without digits', requestHead('GET', `${campaignsPath}/%zz`, token)],
  ['percent-encoded bytes that are not UTF-8', requestHead('GET', `${campaignsPath}/%ff%fe`, token)],
  ['raw bytes in the path', requestHead('GET', `${campaignsPath}/\xff\xfe`, token)],
  ['a percent sign without digits in the query', requestHead('GET', `${campaignsPath}?limit=%zz`, token)],
  ['two lengths', `${post('Content-Length: 2', 'Content-Length: 3')}{}`],
  ['a length below zero', `${post('Content-Length: -1')}{}`],
  ['a length in words', `${post('Content-Length: two')}{}`],
  ['a length and chunks', `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`],
  ['a malformed chunk size', `${post('Transfer-Encoding: chunked')}two\r\n{}\r\n0\r\n\r\n`],
  ['an unknown transfer coding', `${post('Transfer-Encoding: nonsense')}{}`],
  ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`],
] as const)('responds to %s with a 4xx in the usual form', async ([, request], context) => {
  requires(context, 'malformed-http');
  const response = await sendMalformed(request);
  expect(response.status, response.text).toBeGreaterThanOrEqual(400);
  expect(response.status, response.text).toBeLessThan(500);
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  const phrase = response.status === 413 ? 'Content Too Large' : STATUS_CODES[response.status];
  expect(response.body).toMatchObject({ error: phrase });
  expect((await sendAsStaff(campaignsPath)).status).toBe(200);
});

test('accepts a chunked body', async () => {
  const response = await sendRaw(`${post('Transfer-Encoding: chunked')}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`);
  expectError(response, 400, ['email', 'message']);
});

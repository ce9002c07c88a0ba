import { expect, test } from 'vitest';
import type { Exchange, Header } from '../../lib/local/host/gateway/http-message.ts';
import { createRequestLines } from '../../lib/local/request-lines.ts';

/** The line of a GET request to the address of forms, which has no token. */
const lineOf = (headers: readonly Header[]): string => {
  const lines: string[] = [];
  const { observe } = createRequestLines(
    (line) => lines.push(line),
    () => {},
    (_, text) => text,
  );
  const exchange: Exchange = {
    request: { id: 'request', httpMethod: 'GET', path: '/api/v1/contact', headers },
    response: { statusCode: 401, headers: [], body: '{"details":[{"code":"invalid_token"}]}' },
    isGatewayError: true,
    milliseconds: 1,
  };
  observe(exchange);
  return lines.join('\n');
};

test('the line of a form that a browser sends by GET says what the form lacks', () => {
  const headers = [
    ['sec-fetch-mode', 'navigate'],
    ['sec-fetch-site', 'cross-site'],
  ] as const;
  expect(lineOf(headers)).toBe('GET /api/v1/contact 401 1 ms  a form was sent by GET: it needs method="post"');
});

test.each<[string, readonly Header[]]>([
  ['a script', []],
  [
    'the address bar',
    [
      ['Sec-Fetch-Mode', 'navigate'],
      ['Sec-Fetch-Site', 'none'],
    ],
  ],
  [
    'the script of a page',
    [
      ['Sec-Fetch-Mode', 'cors'],
      ['Sec-Fetch-Site', 'cross-site'],
    ],
  ],
])('the line of a GET request by %s names the code', (_, headers) => {
  expect(lineOf(headers)).toBe('GET /api/v1/contact 401 1 ms  invalid_token');
});

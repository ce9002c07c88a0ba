import { expect, test } from 'vitest';
import type { Exchange, Header } from '../../lib/local/host/gateway/http-message.ts';
import { createRequestLines } from '../../lib/local/request-lines.ts';

test('a target that fails has a line only when its reason changes, and when it works again', () => {
  const lines: string[] = [];
  const { log } = createRequestLines(
    (line) => lines.push(line),
    () => {},
    (_, text) => text,
  );
  const say = (level: string, message: string, fields: object) =>
    log('Notify', JSON.stringify({ timestamp: '2026-01-31T12:00:00Z', level, message, ...fields }));
  const fail = (target: string, reason: string) => say('warn', 'notification failed', { target, reason });
  for (let n = 0; n < 960; n += 1) fail('Webhook1', 'ECONNREFUSED');
  fail('Webhook2', 'ECONNREFUSED');
  fail('Webhook1', 'HTTP 500');
  fail('Webhook1', 'HTTP 500');
  say('info', 'notification delivered', { target: 'Webhook1' });
  say('info', 'notification delivered', { target: 'Webhook1' });
  fail('Webhook1', 'HTTP 500');
  expect(lines).toEqual([
    'notification failed (target: Webhook1, reason: ECONNREFUSED)',
    'notification failed (target: Webhook2, reason: ECONNREFUSED)',
    'notification failed (target: Webhook1, reason: HTTP 500)',
    'notification delivered (target: Webhook1)',
    'notification delivered (target: Webhook1)',
    'notification failed (target: Webhook1, reason: HTTP 500)',
  ]);
});

/** The line of a GET request; by default, to the address of forms, and without a token. */
const lineOf = (
  headers: readonly Header[],
  path = '/api/v1/contact',
  response: Exchange['response'] = { statusCode: 401, headers: [], body: '{"details":[{"code":"invalid_token"}]}' },
): string => {
  const lines: string[] = [];
  const { observe } = createRequestLines(
    (line) => lines.push(line),
    () => {},
    (_, text) => text,
  );
  const exchange: Exchange = {
    request: { id: 'request', httpMethod: 'GET', path, headers },
    response,
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

test("the line of a file's URL says why it is of no use", () => {
  const body = '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
  expect(lineOf([], '/files/a/b/0', { statusCode: 403, headers: [], body })).toBe(
    'GET /files/a/b/0 403 1 ms  Request has expired',
  );
});

import { expect, test } from 'vitest';
import { createJsonLog } from '../../lib/local/json-log.ts';

const logging = () => {
  const lines: string[] = [];
  const now = new Date('2026-03-04T19:15:17.135Z');
  return {
    lines,
    timestamp: now.toISOString(),
    ...createJsonLog(
      (line) => lines.push(line),
      () => now,
    ),
  };
};

test('passes on what functions log as JSON, apart from counts for CloudWatch', () => {
  const { lines, log } = logging();
  const line = '{"timestamp":"2026-03-04T19:15:17.135Z","level":"info","message":"sent again"}';
  log('CreateContact', line);
  log('CreateContact', '{"_aws":{},"ContactsReceived":1}');
  expect(lines).toEqual([line]);
});

test('wraps any other line', () => {
  const { lines, log, timestamp } = logging();
  log('store', 'stopped ("x")');
  log('functions', '42');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { timestamp, level: 'error', message: 'stopped ("x")', source: 'store' },
    { timestamp, level: 'error', message: '42', source: 'functions' },
  ]);
});

test.each([
  ['GET', '/api/v1/contact/0b5e6a3c-2f4d-4c53-9e5e-0a64f7a4d8f1', 'GET /api/v1/contact/{id}'],
  ['OPTIONS', '/api/v1/contact', 'OPTIONS /api/v1/contact'],
  ['GET', '/ada@example.com', undefined],
  ['ADA_LOVELACE', '/api/v1/contact', undefined],
])('the line of %s %s says the route, and nothing that the sender wrote', (httpMethod, path, route) => {
  const { lines, observe, timestamp } = logging();
  const headers = [['Authentication', 'secret']] as const;
  observe({
    request: { id: 'the-id', httpMethod, path, headers },
    response: { statusCode: 404, headers: [], body: 'body' },
    isGatewayError: true,
    milliseconds: 3,
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      timestamp,
      level: 'info',
      message: 'access',
      requestId: 'the-id',
      ...(route && { route }),
      status: 404,
      milliseconds: 3,
    },
  ]);
});

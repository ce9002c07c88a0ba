import { expect, it } from 'vitest';
import { httpHandler } from '../../../functions/http/handler.ts';
import { json } from '../../../functions/http/response.ts';
import { callerOf } from '../../support/call.ts';
import { lambdaContext, proxyEvent } from '../../support/event.ts';
import '../../support/log.ts';

it('builds the URL from scheme, host, and path with stage', async () => {
  const ask = callerOf(
    'GET /v1/campaigns/{id}',
    httpHandler(async ({ url }) => json(200, url)),
  );
  const parts = { query: [['a', 'b']], pathParameters: { id: 'x' } } as const;
  expect((await ask(parts)).body).toBe('https://api.example.com/test/v1/campaigns/x');
  expect((await ask({ ...parts, headers: { Host: '127.0.0.1:3000', 'X-Forwarded-Proto': 'http' } })).body).toBe(
    'http://127.0.0.1:3000/test/v1/campaigns/x',
  );
});

it('responds to a request without headers, as the console of API Gateway sends it', async () => {
  const handler = httpHandler(async ({ url }) => json(200, url));
  const event = { ...proxyEvent('GET /v1/campaigns'), multiValueHeaders: null };
  expect((await handler(event, lambdaContext())).body).toBe('"https:///test/v1/campaigns"');
});

it('reads two spellings of a header name as one repeated header', async () => {
  const ask = callerOf(
    'GET /v1/campaigns/{id}',
    httpHandler(async ({ headers }) => json(200, headers.get('origin'))),
  );
  const headers = { Origin: 'https://evil.example', origin: 'https://www.example.com' };
  expect((await ask({ headers, pathParameters: { id: 'x' } })).body).toBe(
    'https://evil.example, https://www.example.com',
  );
});

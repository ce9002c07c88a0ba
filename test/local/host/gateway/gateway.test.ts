import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import type { TokenAuthorizer } from '../../../../lib/local/host/template/rest-api.ts';
import { type RequestOptions, send } from '../../../support/http.ts';
import { method, serveApi } from './serve-api.ts';

const succeed = (body: unknown) => ({ ok: true, payload: { statusCode: 200, body: JSON.stringify(body) } }) as const;

const functions = { echo: succeed };

const serve = async (...args: Parameters<typeof serveApi>) => {
  const served = await serveApi(...args);
  onTestFinished(served.stop);
  return {
    ...served,
    get: (path: string, options?: RequestOptions) => send(served.baseUrl + path, options),
    statuses: async (count: number, path: string, options?: RequestOptions) => {
      const statuses: number[] = [];
      for (let sent = 0; sent < count; sent += 1) {
        statuses.push((await send(served.baseUrl + path, options)).status);
      }
      return statuses;
    },
  };
};

test('passes the request to the function, and its response to the client', async () => {
  const { baseUrl, get } = await serve([method('POST /things/{id}', 'echo')], functions);
  const { status, headers, text } = await get('/things/a%2Fb?x=1&x=2&y=%C3%A9+z&flag??1', {
    method: 'POST',
    headers: [
      ['X-Twice', 'first'],
      ['X-Twice', 'last'],
      ['content-TYPE', 'Image/PNG; q=1'],
      ['x-forwarded-proto', 'https'],
    ],
    body: Buffer.from([0xff, 0x00]),
  });
  expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(text)).toEqual({
    resource: '/things/{id}',
    path: '/things/a%2Fb',
    httpMethod: 'POST',
    multiValueHeaders: {
      Host: [new URL(baseUrl).host],
      'X-Twice': ['first', 'last'],
      'content-TYPE': ['Image/PNG; q=1'],
      'Content-Length': ['2'],
      Connection: ['close'],
      'X-Forwarded-Proto': ['http'],
    },
    multiValueQueryStringParameters: { x: ['1', '2'], y: ['é z'], 'flag??1': [''] },
    pathParameters: { id: 'a/b' },
    requestContext: { path: '/things/a%2Fb', extendedRequestId: headers['x-amz-apigw-id'] },
    body: '/wA=',
    isBase64Encoded: true,
  });
});

const found = (resource: string, id?: string) => ({ resource, pathParameters: id === undefined ? null : { id } });
const missing = { message: 'Forbidden' };

test.each([
  ['GET /things/latest', found('/things/latest')],
  ['GET /things/1', found('/things/{id}', '1')],
  ['DELETE /things/latest', found('/things/{id}', 'latest')],
  ['GET /things/latest/parts', found('/things/{id}/parts', 'latest')],
  ['GET /things/', found('/things')],
  ['POST /things', missing],
  ['GET /', missing],
  ['GET /Things', missing],
  ['GET /things//parts', missing],
  ['GET /things/1/2', missing],
  ['GET /things%2F1', missing],
  ['GET /things/%ff', { message: 'Bad Request' }],
])('routes %s', async (request, expected) => {
  const routes = [
    'GET /things',
    'GET /things/{id}',
    'GET /things/latest',
    'DELETE /things/{id}',
    'GET /things/{id}/parts',
  ];
  const { get } = await serve(
    routes.map((route) => method(route, 'echo')),
    functions,
  );
  const [name = '', path = ''] = request.split(' ');
  expect(JSON.parse((await get(path, { method: name })).text)).toMatchObject(expected);
});

test('throttles each method by its own bucket, which refills with time', async () => {
  const throttle = { rate: 1, burst: 2 };
  const { statuses, clock } = await serve(
    [method('GET /a', 'echo', { throttle }), method('POST /a', 'echo', { throttle }), method('GET /b', 'echo')],
    functions,
  );
  expect(await statuses(3, '/a')).toEqual([200, 200, 429]);
  expect(await statuses(3, '/a', { method: 'POST' })).toEqual([200, 200, 429]);
  expect(await statuses(3, '/b')).toEqual([200, 200, 200]);
  // A refused request takes nothing out of the bucket.
  clock.advance(600);
  expect(await statuses(2, '/a')).toEqual([429, 429]);
  clock.advance(400);
  expect(await statuses(2, '/a')).toEqual([200, 429]);
  // Neither does a clock that is set back.
  clock.advance(-3_600_000);
  expect(await statuses(1, '/a')).toEqual([429]);
  clock.advance(1000);
  expect(await statuses(2, '/a')).toEqual([200, 429]);
});

test('responds to an error with the response for its type, or else for its class', async () => {
  const response = (statusCode: number, error: string) => ({
    statusCode,
    headers: [['X-A', 'b']] as const,
    body: error,
  });
  const { get } = await serve(
    [method('GET /failing', 'none'), method('GET /throttled', 'echo', { throttle: { rate: 0, burst: 0 } })],
    functions,
    new Map([
      ['MISSING_AUTHENTICATION_TOKEN', response(404, 'missing')],
      ['DEFAULT_4XX', response(418, '4XX')],
      ['DEFAULT_5XX', response(500, '5XX')],
    ]),
  );
  for (const [path, status, text] of [
    ['/nothing', 404, 'missing'],
    ['/throttled', 418, '4XX'],
    ['/failing', 500, '5XX'],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'x-a': 'b', 'x-amz-apigw-id': expect.any(String) };
    expect(await get(path)).toMatchObject({ status, text, headers });
  }
});

test.each([
  ['no object', 'OK'],
  ['a header that cannot be sent', { statusCode: 200, headers: { Location: '/a\nb' } }],
  ['an unknown field', { statusCode: 200, cookies: [] }],
])('responds with 502 to a malformed response of a function: %s', async (_, payload) => {
  const { get, lines } = await serve([method('GET /', 'malformed')], { malformed: () => ({ ok: true, payload }) });
  expect((await get('/')).status).toBe(502);
  expect(lines.join()).toMatch(/malformed proxy response|Invalid character/);
});

test('responds to a preflight from its template, and refuses another content type', async () => {
  const template = `#set($origin = $input.params().header.get("Origin"))#if($origin == "https://a.example")
#set($context.responseOverride.header.X-Allowed = $origin)#end`;
  const integration = { statusCode: 204, headers: [['Vary', 'Origin']] as const, body: template };
  const { get } = await serve([method('OPTIONS /', '', { integration })], {});
  const preflight = (origin: string, type?: string) =>
    get('/', { method: 'OPTIONS', headers: [['Origin', origin], ...(type ? [['Content-Type', type] as const] : [])] });
  const allowed = await preflight('https://a.example');
  expect(allowed).toMatchObject({
    status: 204,
    text: '',
    headers: { vary: 'Origin', 'x-allowed': 'https://a.example' },
  });
  expect((await preflight('https://b.example')).headers).not.toHaveProperty('x-allowed');
  expect((await preflight('https://a.example', 'text/plain')).status).toBe(415);
});

const authorizer: TokenAuthorizer = {
  functionArn: 'judge',
  header: 'Authentication',
  tokenPattern: /^(?:[\w+/=-]+)$/,
  ttlSeconds: 30,
};

const eventSchema = v.object({ authorizationToken: v.string(), methodArn: v.string() });

/** Serves methods behind an authorizer. The token holds its result. */
const serveAuthorized = async () => {
  const asked: v.InferOutput<typeof eventSchema>[] = [];
  const judge = (event: unknown) => {
    const parsed = v.parse(eventSchema, event);
    asked.push(parsed);
    return JSON.parse(Buffer.from(parsed.authorizationToken, 'base64').toString());
  };
  const routes = ['GET /things', 'DELETE /things/{id}'];
  const served = await serve(
    routes.map((route) => method(route, 'echo', { authorizer })),
    { ...functions, judge },
  );
  const ask = (token: string, path = '/things', name = 'GET') =>
    served.get(path, { method: name, headers: token === '' ? [] : [['AUTHENTICATION', token]] });
  return { ...served, asked, ask };
};

const tokenOf = (result: unknown) => Buffer.from(JSON.stringify(result)).toString('base64');

const tokenWith = (Effect: string, Resource: string | readonly string[]) =>
  tokenOf({
    ok: true,
    payload: {
      principalId: 'ada',
      context: { tokenName: 'Ada' },
      policyDocument: { Version: '2012-10-17', Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }] },
    },
  });

const arn = 'arn:aws:execute-api:us-east-1:000000000000:api/live';

test('passes the token and the method to the authorizer, and its principal and context to the function', async () => {
  const { ask, asked } = await serveAuthorized();
  const token = tokenWith('Allow', '*');
  const { text } = await ask(token, '/things/a%20b', 'DELETE');
  expect(JSON.parse(text).requestContext.authorizer).toEqual({ principalId: 'ada', tokenName: 'Ada' });
  expect(asked).toEqual([{ authorizationToken: token, methodArn: `${arn}/DELETE/things/a%20b` }]);
});

test('refuses missing and malformed tokens without calling the authorizer', async () => {
  const { ask, asked } = await serveAuthorized();
  for (const token of ['', `${tokenWith('Allow', '*')}!`]) expect((await ask(token)).status).toBe(401);
  expect(asked).toEqual([]);
});

test("caches the authorizer's policy, and evaluates it for each method", async () => {
  const { ask, asked, clock } = await serveAuthorized();
  const token = tokenWith('Allow', `${arn}/GET/things`);
  expect((await ask(token)).status).toBe(200);
  expect((await ask(token, '/things/1', 'DELETE')).status).toBe(403);
  clock.advance(29_999);
  expect((await ask(token)).status).toBe(200);
  expect(asked).toHaveLength(1);
  clock.advance(1);
  expect((await ask(token)).status).toBe(200);
  expect(asked).toHaveLength(2);
});

test('asks the authorizer again after the clock was set back', async () => {
  const { ask, asked, clock } = await serveAuthorized();
  const token = tokenWith('Allow', '*');
  await ask(token);
  clock.advance(-1);
  expect((await ask(token)).status).toBe(200);
  expect(asked).toHaveLength(2);
});

test.each<[Effect: string, Resource: string | readonly string[], status: number]>([
  ['Allow', `${arn}/GET/things`, 200],
  ['Allow', ['arn:x', `${arn}/GET/thing*`], 200],
  ['Allow', `${arn}/POST/things`, 403],
  ['Allow', `${arn}/GET/thing`, 403],
  ['Allow', `${arn}/GET/thing.`, 403],
  ['Deny', '*', 403],
])('responds to a policy with %s for %j: %i', async (Effect, Resource, status) => {
  const { ask } = await serveAuthorized();
  expect((await ask(tokenWith(Effect, Resource))).status).toBe(status);
});

test.each([
  ['fails with "Unauthorized"', 401, { ok: false, errorMessage: 'Unauthorized' }],
  ['fails otherwise', 500, { ok: false, errorMessage: 'Task timed out' }],
  ['gives no policy', 500, { ok: true, payload: { principalId: 'ada' } }],
])('responds without caching if an authorizer %s: %i', async (_, status, result) => {
  const { ask, asked } = await serveAuthorized();
  expect((await ask(tokenOf(result))).status).toBe(status);
  expect((await ask(tokenOf(result))).status).toBe(status);
  expect(asked).toHaveLength(2);
});

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import * as v from 'valibot';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Admits } from '../../../../lib/local/host/gateway/gateway-server.ts';
import { send, sendRaw } from '../../../support/http.ts';
import { method, serveApi } from './serve-api.ts';

const eventSchema = v.object({ body: v.nullable(v.string()) });

let baseUrl: string;
/** Resolved when a request to `/slow` has arrived, and by the test to let it get its response. */
let arrived: PromiseWithResolvers<void>;
let released: PromiseWithResolvers<void>;

beforeAll(async () => {
  const count = (event: unknown) => {
    const body = String(v.parse(eventSchema, event).body?.length);
    return { ok: true, payload: { statusCode: 200, body } } as const;
  };
  const slow = async (event: unknown) => {
    arrived.resolve();
    await released.promise;
    return count(event);
  };
  const headers = [['X-Form', 'template']] as const;
  const response = (type: string) =>
    [type, { statusCode: undefined, headers, body: JSON.stringify({ error: type }) }] as const;
  const served = await serveApi(
    [method('POST /', 'count'), method('POST /slow', 'slow')],
    { count, slow },
    new Map([response('REQUEST_TOO_LARGE'), response('DEFAULT_4XX'), response('THROTTLED')]),
  );
  ({ baseUrl } = served);
  return served.stop;
});

const maxBody = 10 * 1024 * 1024;
const tooLarge = /^HTTP\/1.1 413 .*\r\nX-Form: template\r\n.*\r\n\r\n{"error":"REQUEST_TOO_LARGE"}$/s;

test('accepts a body of 10 MB', async () => {
  const { status, text } = await send(`${baseUrl}/`, { method: 'POST', body: 'x'.repeat(maxBody) });
  expect([status, text]).toEqual([200, String(maxBody)]);
});

test('refuses a larger Content-Length before the body is sent', async () => {
  const response = new Promise<string>((resolve) => {
    const outgoing = request(baseUrl, { method: 'POST', headers: { 'Content-Length': maxBody + 1 } }, (incoming) => {
      resolve(`${incoming.statusCode} ${incoming.headers['x-form']} ${incoming.headers['connection']}`);
      outgoing.destroy();
    });
    outgoing.on('error', () => {});
    outgoing.flushHeaders();
  });
  expect(await response).toBe('413 template close');
});

/** Sends a body but for its last byte. @returns a function that hangs up */
const sendSlowly = (bytes: number): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Length': bytes };
    const outgoing = request(baseUrl, { method: 'POST', agent: false, headers }, (incoming) =>
      reject(new Error(`${incoming.statusCode}`)),
    );
    outgoing.on('error', () => {});
    outgoing.write(Buffer.alloc(bytes - 1), () => resolve(() => outgoing.destroy()));
  });

test('slow uploads take no more than 100 MB, and hold up no small bodies', async () => {
  const post = async (bytes: number) => (await send(`${baseUrl}/`, { method: 'POST', body: 'x'.repeat(bytes) })).status;
  const hangUps: (() => void)[] = [];
  for (let each = 0; each < 10; each += 1) hangUps.push(await sendSlowly(maxBody));
  await expect.poll(() => post(5_000_000)).toBe(429);
  expect(await post(64 * 1024)).toBe(200);
  for (const hangUp of hangUps) hangUp();
  await expect.poll(() => post(5_000_000)).toBe(200);
});

test('refuses a body that grows larger, and the client can read the response', async () => {
  const response = new Promise<string>((resolve, reject) => {
    const outgoing = request(baseUrl, { method: 'POST', agent: false }, async (incoming) => {
      const text = Buffer.concat(await incoming.toArray()).toString();
      resolve(`${incoming.statusCode} ${text} ${incoming.headers['connection']}`);
    });
    outgoing.on('error', reject);
    for (let sent = 0; sent < 24; sent += 1) outgoing.write(Buffer.alloc(1024 * 1024));
    outgoing.end();
  });
  expect(await response).toBe('413 {"error":"REQUEST_TOO_LARGE"} close');
});

test('accepts 10,240 bytes of request line and header values', async () => {
  const { host } = new URL(baseUrl);
  const sendHead = (bytes: number) => {
    const counted = ['POST / HTTP/1.1', host, 'close'].join('').length;
    const filler = 'x'.repeat(bytes - counted);
    return sendRaw(baseUrl, `POST / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nX-Filler: ${filler}\r\n\r\n`);
  };
  expect(await sendHead(10_240)).toMatch(/^HTTP\/1.1 200 /);
  expect(await sendHead(10_241)).toMatch(tooLarge);
  expect(await sendHead(100_000)).toMatch(tooLarge);
});

test('responds to an incomplete request once', async () => {
  const received = await sendRaw(baseUrl, 'GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\n', true);
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test('responds to a request with an absolute URL and an Expect header', async () => {
  const head = 'Host: x\r\nExpect: something\r\nContent-Length: 2\r\nConnection: close\r\n';
  expect(await sendRaw(baseUrl, `POST http://x/?a HTTP/1.1\r\n${head}\r\nab`)).toMatch(/^HTTP\/1.1 200 .*\r\n\r\n2$/s);
});

test.each([
  ['rubbish', 'rubbish\r\n\r\n'],
  ['a broken request', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('responds to complete requests before it refuses %s that follow', async (_, rest) => {
  arrived = Promise.withResolvers();
  released = Promise.withResolvers();
  const head = 'Host: x\r\nContent-Length: 2\r\n\r\n';
  const received = sendRaw(baseUrl, `POST /slow HTTP/1.1\r\n${head}abPOST / HTTP/1.1\r\n${head}cd${rest}`);
  await arrived.promise;
  // By this response, the server has read the rest.
  expect((await send(`${baseUrl}/`, { method: 'POST', body: 'x' })).text).toBe('1');
  released.resolve();
  expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
});

test.each([
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\nab'],
  [
    'a length and chunks',
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
  ],
  ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['a blank before the colon', 'Content-Length : 2\r\n\r\nab'],
  ['a bare line feed', 'X: y\nContent-Length: 2\r\n\r\nab'],
  ['a folded header', 'X: y\r\n Content-Length: 2\r\n\r\nab'],
  ['a chunk whose length is no number', 'Transfer-Encoding: chunked\r\n\r\n+2\r\nab\r\n0\r\n\r\n'],
])('refuses a request that a proxy could read differently: %s', async (_, rest) => {
  const received = await sendRaw(baseUrl, `POST / HTTP/1.1\r\nHost: x\r\n${rest}`);
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

/** Holds its requests until it is released. */
const holding = async (admits?: Parameters<typeof serveApi>[3]) => {
  let held = 0;
  const released = Promise.withResolvers<void>();
  const hold = async () => {
    held += 1;
    await released.promise;
    return { ok: true, payload: { statusCode: 200, body: '' } } as const;
  };
  const api = await serveApi([method('POST /', 'hold')], { hold }, new Map(), admits);
  onTestFinished(api.stop);
  return { ...api, held: () => held, release: released.resolve };
};

test('lets a thousand requests wait for their responses, however they come, and no more', async () => {
  const { baseUrl, held, release } = await holding();
  const line = 'POST / HTTP/1.1\r\nHost: x\r\n\r\n';
  const pipelined = Array.from({ length: 20 }, () =>
    sendRaw(baseUrl, `${line.repeat(50)}POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
  );
  await expect.poll(held).toBe(1_000);
  expect((await send(baseUrl, { method: 'POST' })).status).toBe(429);
  release();
  const statuses = (await Promise.all(pipelined)).flatMap((text) => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []);
  expect(statuses.filter((status) => status === '200')).toHaveLength(1_000);
  // A refusal ends its connection.
  expect(statuses).toContain('429');
  expect((await send(baseUrl, { method: 'POST' })).status).toBe(200);
});

test('refuses what the web ACL does not admit, with the response of the template', async () => {
  const gatewayResponses = new Map([['WAF_FILTERED', { statusCode: 403, headers: [], body: 'filtered' }]]);
  const admits: Admits = (_, { path }) => path !== '/no';
  const { baseUrl, stop } = await serveApi([], {}, gatewayResponses, { admits });
  onTestFinished(stop);
  expect(await send(`${baseUrl}/no`, { method: 'POST', body: 'x' })).toMatchObject({ status: 403, text: 'filtered' });
  expect((await send(`${baseUrl}/yes`)).text).not.toBe('filtered');
});

test('keeps room for requests although a client only holds on to connections', async () => {
  const { baseUrl, server, release } = await holding();
  release();
  server.maxConnections = 3;
  const { hostname, port } = new URL(baseUrl);
  const idle = Array.from({ length: 3 }, () => connect(Number(port), hostname));
  for (const socket of idle) socket.write('POST / HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all(idle.map((socket) => once(socket, 'data')));
  // The one that finds no room makes it.
  await expect
    .poll(() =>
      send(baseUrl, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});

test('URLs name the public one, whatever a client or a proxy says', async () => {
  const headers = v.object({ multiValueHeaders: v.looseObject({}) });
  const show = (event: unknown) => {
    const { multiValueHeaders } = v.parse(headers, event);
    return { ok: true, payload: { statusCode: 200, body: JSON.stringify(multiValueHeaders) } } as const;
  };
  const { baseUrl, stop } = await serveApi([method('GET /', 'show')], { show }, new Map(), {
    publicUrl: new URL('https://forms.example.com:8443'),
  });
  onTestFinished(stop);
  const sent = [
    ['Host', 'evil.example'],
    ['x-forwarded-proto', 'http'],
    ['X-Forwarded-Host', 'evil.example'],
  ] as const;
  expect(JSON.parse((await send(baseUrl, { headers: sent })).text)).toEqual({
    Connection: ['close'],
    Host: ['forms.example.com:8443'],
    'X-Forwarded-Proto': ['https'],
    'X-Forwarded-Host': ['evil.example'],
  });
});

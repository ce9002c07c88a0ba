import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import type { InvocationResult } from '../../../../lib/local/host/lambda/function-pool.ts';
import { send, sendRaw } from '../../../support/http.ts';
import { method, serveApi } from './serve-api.ts';

const eventSchema = v.object({ body: v.nullable(v.string()) });

let baseUrl: string;
/** A request to `/slow` has arrived, and may be answered. */
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
    new Map([response('REQUEST_TOO_LARGE'), response('DEFAULT_4XX')]),
  );
  ({ baseUrl } = served);
  return served.stop;
});

const maxBody = 10 * 1024 * 1024;
const tooLarge = /^HTTP\/1.1 413 .*\r\nX-Form: template\r\n.*\r\n\r\n{"error":"REQUEST_TOO_LARGE"}$/s;

test('a body of 10 MB passes', async () => {
  const { status, text } = await send(`${baseUrl}/`, { method: 'POST', body: 'x'.repeat(maxBody) });
  expect([status, text]).toEqual([200, String(maxBody)]);
});

test('a body that says that it is larger is refused before it is sent', async () => {
  const answered = new Promise<string>((resolve) => {
    const outgoing = request(baseUrl, { method: 'POST', headers: { 'Content-Length': maxBody + 1 } }, (incoming) => {
      resolve(`${incoming.statusCode} ${incoming.headers['x-form']} ${incoming.headers['connection']}`);
      outgoing.destroy();
    });
    outgoing.on('error', () => {});
    outgoing.flushHeaders();
  });
  expect(await answered).toBe('413 template close');
});

test('a body that turns out larger is refused, and its client gets to read it', async () => {
  const answered = new Promise<string>((resolve, reject) => {
    const outgoing = request(baseUrl, { method: 'POST', agent: false }, async (incoming) => {
      const text = Buffer.concat(await incoming.toArray()).toString();
      resolve(`${incoming.statusCode} ${text} ${incoming.headers['connection']}`);
    });
    outgoing.on('error', reject);
    for (let sent = 0; sent < 24; sent += 1) outgoing.write(Buffer.alloc(1024 * 1024));
    outgoing.end();
  });
  expect(await answered).toBe('413 {"error":"REQUEST_TOO_LARGE"} close');
});

test('the request line and the values of the headers may take 10,240 bytes together', async () => {
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

test('a request that is refused before it is whole gets one answer, though its rest never comes', async () => {
  const received = await sendRaw(baseUrl, 'GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\n', true);
  expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});

test('a target with scheme and host, and an expectation, are served', async () => {
  const head = 'Host: x\r\nExpect: something\r\nContent-Length: 2\r\nConnection: close\r\n';
  expect(await sendRaw(baseUrl, `POST http://x/?a HTTP/1.1\r\n${head}\r\nab`)).toMatch(/^HTTP\/1.1 200 .*\r\n\r\n2$/s);
});

test.each([
  ['rubbish', 'rubbish\r\n\r\n'],
  ['a broken request', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('answers whole requests before it refuses %s behind them', async (_, rest) => {
  arrived = Promise.withResolvers();
  released = Promise.withResolvers();
  const head = 'Host: x\r\nContent-Length: 2\r\n\r\n';
  const received = sendRaw(baseUrl, `POST /slow HTTP/1.1\r\n${head}abPOST / HTTP/1.1\r\n${head}cd${rest}`);
  await arrived.promise;
  // Answered after the rest was read.
  expect((await send(`${baseUrl}/`, { method: 'POST', body: 'x' })).text).toBe('1');
  released.resolve();
  expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('ends once the open requests are answered, and waits for no idle connection', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<InvocationResult>();
  const slow = () => {
    asked.resolve();
    return answer.promise;
  };
  const { baseUrl, stop } = await serveApi([method('GET /', 'slow')], { slow });
  const idle = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(idle, 'connect');
  const open = send(`${baseUrl}/`);
  await asked.promise;
  const stopped = stop();
  answer.resolve({ ok: true, payload: { statusCode: 200 } });
  expect((await open).status).toBe(200);
  await stopped;
  idle.destroy();
  await expect(send(`${baseUrl}/`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

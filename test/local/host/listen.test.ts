import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, createServer as createNetServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../lib/local/host/listen.ts';
import { send } from '../../support/http.ts';

const respondingWith = (text: string) => createServer((_, response) => response.end(text));

const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));

describe.skipIf(!addresses.includes('::1'))('on a machine with IPv6', () => {
  test('serves localhost on both addresses', async () => {
    const { port, stop } = await listen(respondingWith('here'), 0);
    onTestFinished(stop);
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      expect((await send(`http://${host}:${port}`)).text).toBe('here');
    }
  });

  test.each(['127.0.0.1', '::1'])('refuses a port that is taken on %s, and opens neither address', async (address) => {
    const somebody = createNetServer().listen(0, address);
    await once(somebody, 'listening');
    const bound = somebody.address();
    const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0;
    onTestFinished(() => void somebody.close());
    const server = respondingWith('here');
    await expect(listen(server, port)).rejects.toThrow(
      `Port ${port} of ${address} is taken: write another into .env, as in PORT=3001 (PORT, SITE_PORT or INBOX_PORT, whichever is ${port})`,
    );
    expect(server.listening).toBe(false);
  });

  test('stops on both addresses without waiting for idle connections', async () => {
    const { port, stop } = await listen(respondingWith('here'), 0);
    const sockets = ['127.0.0.1', '::1'].map((host) => connect(port, host));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    // By these responses, the server has accepted the connections.
    for (const host of ['127.0.0.1', '[::1]']) await send(`http://${host}:${port}`);
    await stop();
    for (const host of ['127.0.0.1', '[::1]']) {
      await expect(send(`http://${host}:${port}`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
    for (const socket of sockets) socket.destroy();
  });
});

test('responds to open requests before it stops, but ends one with an endless body', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const whole = Promise.withResolvers<void>();
  const server = createServer(async ({ method }, response) => {
    await whole.promise;
    if (method === 'GET') response.end('here');
  });
  const { port, stop } = await listen(server, 0);
  const response = send(`http://127.0.0.1:${port}`);
  await once(server, 'request');
  const stalled = connect(port, '127.0.0.1').on('error', () => {});
  stalled.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nHel');
  await once(server, 'request');

  const stopped = stop();
  vi.advanceTimersByTime(1000);
  await once(stalled, 'close');
  whole.resolve();
  expect((await response).text).toBe('here');
  await stopped;
});

test('responds to all requests that the system has accepted before it stops', async () => {
  const { port, stop } = await listen(respondingWith('here'), 0);
  const sockets = Array.from({ length: 30 }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const responses = sockets.map(text);
  await stop();
  for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1\.1 200 [\s\S]*here/);
});

/** Stops a server, with a manual timer, while it sends a large response that its client does not read yet. */
const stopWhileSending = async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  // More than the buffers of both ends hold.
  const size = 16 * 1024 * 1024;
  const server = createServer((_, response) => response.end(Buffer.alloc(size)));
  const { port, stop } = await listen(server, 0);
  const incoming = await new Promise<IncomingMessage>((resolve) =>
    get({ port, host: '127.0.0.1', agent: false }, resolve),
  );
  return { size, incoming, stopped: stop() };
};

test('sends the rest of a response before it stops', async () => {
  const { size, incoming, stopped } = await stopWhileSending();
  vi.advanceTimersByTime(9_000);
  expect(Buffer.concat(await incoming.toArray())).toHaveLength(size);
  await stopped;
});

test('cuts off a response that its client does not read within ten seconds', async () => {
  const { incoming, stopped } = await stopWhileSending();
  vi.advanceTimersByTime(11_000);
  await stopped;
  await expect(incoming.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
});

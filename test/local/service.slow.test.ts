import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../lib/local/host/listen.ts';
import { testOnPosix } from '../support/posix.ts';
import { send } from '../support/http.ts';
import { temporaryFolder } from './host/test-host.ts';

const script = join(import.meta.dirname, '..', '..', 'bin', 'local.cjs');

/** Starts the service: by a command line, or as `npm start` does in the end. */
const startService = (variables: NodeJS.ProcessEnv, command = [process.execPath, script]) => {
  const { folder, remove } = temporaryFolder();
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: { DATA_DIR: join(folder, 'data'), PORT: '0', SITE_PORT: '0', ...variables },
    // A group of its own: what npm has started can be ended with it.
    detached: true,
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    try {
      process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
    } catch {
      // All of it has ended, or there are no groups (Windows).
      child.kill('SIGKILL');
    }
    await ended;
    remove();
  });
  return { child, ended };
};

test('a wrong setting is one line, and exit 1', async () => {
  const { child, ended } = startService({ SITE_PORT: 'here' });
  const errors = await child.stderr.toArray();
  expect(errors.join('')).toBe('SITE_PORT: "here" is no port (0 to 65535)\n');
  expect(await ended).toEqual([1, null]);
});

/** Its base URL, once it has printed that. */
const baseUrlOf = async ({ child }: ReturnType<typeof startService>) => {
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text;
    const [baseUrl] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    if (baseUrl) return baseUrl;
  }
  throw new Error(`No base URL in: ${printed}${(await child.stderr.toArray()).join('')}`);
};

testOnPosix('the first signal waits for what is under way, the second does not', async () => {
  const service = startService({});
  const { child, ended } = service;
  const baseUrl = await baseUrlOf(service);
  const { hostname, port } = new URL(baseUrl);

  const unfinished = connect(Number(port), hostname);
  unfinished.on('error', () => {});
  unfinished.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
  // Answered after the unfinished request was taken.
  expect((await send(`${baseUrl}/nothing`)).status).toBe(404);

  child.kill('SIGINT');
  await expect.poll(() => send(baseUrl).catch(({ code }) => code)).toBe('ECONNREFUSED');
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
});

/** A port that nobody listens on. */
const freePort = async () => {
  const { port, stop } = await listen(createServer(), 0, '127.0.0.1');
  await stop();
  return port;
};

test('output that nobody reads, or that is closed, stops nothing', async () => {
  const port = await freePort();
  const { child } = startService({ PORT: String(port) });
  child.stdout.destroy();
  // Each is logged.
  const refused = async () => {
    const headers = [
      ['Origin', 'https://elsewhere.example.com'],
      ['Content-Type', 'application/json'],
    ] as const;
    return (await send(`http://127.0.0.1:${port}/api/v1/contact`, { method: 'POST', headers, body: '{}' })).status;
  };
  await expect.poll(() => refused().catch(({ code }) => code)).toBe(403);
  // Far more than a pipe holds.
  for (let count = 0; count < 500; count += 1) expect(await refused()).toBe(403);

  child.stderr.destroy();
  for (let count = 0; count < 5; count += 1) expect(await refused()).toBe(403);
});

testOnPosix('SIGTERM to npm ends the service, which npm does not tell of it', async () => {
  const service = startService({ PATH: process.env['PATH'] }, ['npm', 'start']);
  const baseUrl = await baseUrlOf(service);
  service.child.kill('SIGTERM');
  // All that could print has ended.
  await service.ended;
  await expect(send(baseUrl)).rejects.toThrow('ECONNREFUSED');
});

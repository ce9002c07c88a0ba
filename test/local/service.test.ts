import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { send } from './host/http.ts';
import { temporaryFolder } from './host/test-host.ts';

const script = join(import.meta.dirname, '..', '..', 'bin', 'local.ts');

/** Starts the service as `npm start` does. */
const startService = (variables: Readonly<Record<string, string>>) => {
  const { folder, remove } = temporaryFolder();
  const child = spawn(process.execPath, [script], {
    env: { DATA_DIR: join(folder, 'data'), PORT: '0', SITE_PORT: '0', ...variables },
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
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

test('the first signal waits for what is under way, the second does not', async () => {
  const { child, ended } = startService({});
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes('Base URL: ')) break;
  }
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
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

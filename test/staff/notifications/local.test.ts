import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { localEnvironment } from '../../../lib/local/environment.ts';
import { startHost } from '../../../lib/local/host/host.ts';
import { synthesizeLocal } from '../../../lib/local/synthesize.ts';
import { openNotifications } from '../../../lib/staff/notifications/open.ts';
import { send } from '../../local/host/http.ts';
import { serve } from '../../support/server.ts';
import { runCommand } from '../staff.ts';

const run = (...args: readonly string[]) => runCommand(['notifications', ...args], { openNotifications });

/** A folder of its own for the local service; nothing is in it. */
const useDataDir = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'staff-'));
  const dataDir = join(folder, 'data');
  vi.stubEnv('DATA_DIR', dataDir);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    // The thread that synthesized may still be writing its cache.
    await rm(folder, { recursive: true, maxRetries: 9 });
  });
  return dataDir;
};

/** The local service, and a way to wait for a line that a function logs. */
const startService = async (notify: { readonly NOTIFY_EMAIL?: string; readonly NOTIFY_WEBHOOK?: string }) => {
  const dataDir = await useDataDir();
  const waiting = new Set<{ readonly text: string; readonly done: () => void }>();
  const service = await startHost({
    dataDir,
    synthesize: () => synthesizeLocal(dataDir, localEnvironment({}, { SITE_ORIGINS: [], ...notify })),
    port: 0,
    log: (_, line) => {
      for (const each of waiting) if (line.includes(each.text)) each.done();
    },
  });
  onTestFinished(() => service.close());
  const logged = (text: string) => new Promise<void>((done) => waiting.add({ text, done }));
  return { ...service, dataDir, logged };
};

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook's receiver, and what it got. */
const startReceiver = async () => {
  const received: Received[] = [];
  let status = 204;
  const server = await serve(({ headers }, response, body) => {
    received.push({ headers, body: body.toString() });
    response.writeHead(status).end();
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    url: `${server.url}/hooks/contact`,
    received,
    answer: (next: number) => {
      status = next;
    },
  };
};

/** What a signature holds against, one of several. */
const verify = (secret: string, { headers, body }: Received) =>
  new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  });

it.each([['test'], ['redrive'], ['secret'], ['rotate', 'Webhook00000000']])(
  'says how to start the local service, where none runs, and makes no data: %s',
  async (...args) => {
    const dataDir = await useDataDir();
    expect(await run(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `No local service runs in ${dataDir}: set DATA_DIR, or start it with NOTIFY_WEBHOOK or NOTIFY_EMAIL, as in "NOTIFY_EMAIL=me@example.com npm start" (docs/settings.md).\n`,
    });
    expect(existsSync(dataDir)).toBe(false);
  },
);

it('says how to start the local service anew, where the one that runs tells nobody', async () => {
  await startService({});
  expect(await run('test')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The local service tells nobody of contact requests: start it anew with NOTIFY_WEBHOOK or NOTIFY_EMAIL, as in "NOTIFY_EMAIL=me@example.com npm start" (docs/settings.md).\n',
  });
});

it('has the local service tell a sample by mail, and by a request that holds with the secret before and a new one', async () => {
  const receiver = await startReceiver();
  const { dataDir } = await startService({ NOTIFY_WEBHOOK: receiver.url, NOTIFY_EMAIL: 'office@example.com' });
  const [{ target, secret }] = JSON.parse((await run('secret', '--json')).stdout);
  // The function has not asked for its secret yet.
  const { stdout: made } = await run('rotate', target);
  expect((await run('secret')).stdout).toContain(`secret  ${made}before  ${secret}\n`);
  expect((await run('rotate', target)).stderr).toMatch(/^Webhook\w{8} was rotated less than a day ago: /);

  const { code, stdout, stderr } = await run('test');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^TARGET .*\nEmail\w{8} +office@example\.com +told +\d+\nWebhook\w{8} +http:\/\/127\.0\.0\.1:\d+\/hooks\/contact +told +\d+\n$/,
  );
  const [mail = ''] = await readdir(join(dataDir, 'mail'));
  expect(await readFile(join(dataDir, 'mail', mail), 'utf8')).toContain('office@example.com');
  const [sample] = receiver.received;
  for (const each of [made.trim(), secret]) {
    expect(sample && verify(each, sample)).toMatchObject({ type: 'contact.created' });
  }
});

it('sends once more what a receiver did not want, as the same notification', async () => {
  const receiver = await startReceiver();
  receiver.answer(410);
  const { baseUrl, logged } = await startService({ NOTIFY_WEBHOOK: receiver.url });
  const givenUp = logged('notification given up');
  const contact = { email: 'ada@example.com', message: 'Hello!' };
  const headers = [['Content-Type', 'application/json']] as const;
  await send(`${baseUrl}/api/v1/contact`, { method: 'POST', headers, body: JSON.stringify(contact) });
  await givenUp;

  receiver.answer(204);
  const told = logged('notification told');
  const { code, stdout, stderr } = await run('redrive');
  await told;
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Sent 1 notification again.\n' });
  expect(stdout).toMatch(/\nWebhook\w{8} +1 +1 +HTTP 410 \(1\)\n$/);
  const [first, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(JSON.parse(second?.body ?? '')).toMatchObject({ type: 'contact.created', data: contact });
  expect((await run('redrive')).stderr).toBe('There is nothing to send again.\n');
});

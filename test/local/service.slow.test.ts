import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runStaffCommand } from '../acceptance/local/service.ts';
import { send } from '../support/http.ts';
import { testOnPosix } from '../support/posix.ts';
import { makeProject, projectWithoutEnv } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Start {
  /** @defaultValue what npm starts */
  readonly command?: readonly string[];
  readonly dataDir?: string;
  /** The folder whose .env it reads. @defaultValue one without */
  readonly folder?: string;
}

const startService = async ({
  folder = projectWithoutEnv(),
  command = [process.execPath, join(folder, 'bin', 'run.cjs'), 'bin/local.ts'],
  dataDir = join(temporaryFolder(), 'data'),
}: Start = {}) => {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      PORT: '0',
      SITE_PORT: '0',
      INBOX_PORT: '0',
    },
    // A group of its own, so that the children of npm can be killed with it.
    detached: true,
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    try {
      process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
    } catch {
      // The group has ended, or the system has no groups (Windows).
      child.kill('SIGKILL');
    }
    await ended;
  });
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text;
    const [, baseUrl] = /^Base URL: (\S+)$/m.exec(printed) ?? [];
    if (baseUrl !== undefined && printed.includes('Ctrl-C')) return { child, ended, baseUrl, dataDir, printed };
  }
  throw new Error(`No base URL in: ${printed}${(await child.stderr.toArray()).join('')}`);
};

test('prints requests that work, and the inbox with the token, which no page can frame', async () => {
  const { printed } = await startService();
  const requests = printed.matchAll(/curl -i (\S+) -H '([\w-]+): ([^']+)'(?: -d '([^']+)')?/g);
  const statuses: number[] = [];
  for (const [, url = '', name = '', value = '', body] of requests) {
    const method = body === undefined ? 'GET' : 'POST';
    statuses.push((await send(url, { method, headers: [[name, value]], body })).status);
  }
  expect(statuses).toEqual([201, 200, 200]);
  const [, inbox = '', token] = /^Inbox: (http:\/\/localhost:\d+)\/#token=(\S+)$/m.exec(printed) ?? [];
  expect(printed).toContain(`Staff token: ${token}\n`);
  expect((await send(inbox)).headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
});

test('takes variables from .env', async () => {
  const folder = makeProject(temporaryFolder());
  await writeFile(join(folder, '.env'), 'NOTIFY_EMAIL=me@example.com\n');
  const { printed, dataDir } = await startService({ folder });
  expect(printed).toContain(`Emails: ${join(dataDir, 'mail')}, to me@example.com\n`);
  expect(printed).toMatch(/^Settings: dev of \S*environments\.ts\nSites: http:\/\/localhost:\d+/m);
});

test('prints a line for each request, with what its function found', async () => {
  const { child, baseUrl, dataDir } = await startService();
  const issue = ['tokens', 'issue', '--name', 'small', '--allow', 'contacts:read'];
  const { output, closed } = runStaffCommand({ DATA_DIR: dataDir }, ...issue);
  await closed;
  const contact = `${baseUrl}/api/v1/contact`;
  const form = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
  const plainForm = [...form, ['Accept', 'text/html']] as const;
  await send(contact, { method: 'POST', headers: plainForm, body: `Email=ada&motto=secret&${'x'.repeat(201)}=x` });
  await send(contact, { method: 'POST', headers: form, body: 'email=ada@example.com&_gotcha=x' });
  await send(`${contact}?cursor=secret`);
  await send(`${baseUrl}/v1/campaigns`, { headers: [['Authentication', output.stdout.trim()]] });
  await send(`${baseUrl}/last`);

  let printed = '';
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes('/last')) break;
  }
  expect(
    printed
      .replaceAll(/\d+ ms/g, '1 ms')
      .trim()
      .split('\n'),
  ).toEqual([
    'POST /api/v1/contact 400 1 ms  contact request refused (errors: email invalid_email, other field invalid_name)',
    'POST /api/v1/contact 201 1 ms  marked as spam (reason: trap)',
    'GET /api/v1/contact 401 1 ms  invalid_token',
    'GET /v1/campaigns 403 1 ms  the token lacks campaigns:read',
    'GET /last 404 1 ms  no such path or id',
  ]);
});

test('docs/troubleshooting.md shows the lines of requests', async () => {
  const { child, baseUrl } = await startService();
  const contact = `${baseUrl}/api/v1/contact`;
  const form = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
  await send(contact, { method: 'POST', headers: form, body: 'email=ada@example.com' });
  await send(contact, { method: 'POST', headers: form, body: 'email=ada' });
  await send(`${contact}/`, { method: 'POST', headers: form, body: 'email=ada@example.com' });
  const navigation = [
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Site', 'cross-site'],
  ] as const;
  await send(`${contact}?email=ada@example.com`, { headers: navigation });

  let printed = '';
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes('GET')) break;
  }
  const withoutTimes = (text: string) => text.replaceAll(/\d+ ms/g, '1 ms');
  const document = await readFile('docs/troubleshooting.md', 'utf8');
  const [, shown = ''] = /^```\n(.*?)^```$/ms.exec(document) ?? [];
  expect(withoutTimes(printed)).toContain(withoutTimes(shown));
});

testOnPosix('waits for open requests after the first signal, and ends at the second', async () => {
  const { child, ended, baseUrl } = await startService();
  const { hostname, port } = new URL(baseUrl);
  const unfinished = connect(Number(port), hostname);
  unfinished.on('error', () => {});
  unfinished.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
  // This response comes after the service has accepted the unfinished request.
  expect((await send(`${baseUrl}/nothing`)).status).toBe(404);

  child.kill('SIGINT');
  await expect.poll(() => send(baseUrl).catch(({ code }) => code)).toBe('ECONNREFUSED');
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
});

test('continues when its output is closed', async () => {
  const { child, baseUrl } = await startService();
  child.stdout.destroy();
  child.stderr.destroy();
  const headers = [
    ['Origin', 'https://elsewhere.example.com'],
    ['Content-Type', 'application/json'],
  ] as const;
  // Each of these requests writes to both streams or one.
  for (let count = 0; count < 5; count += 1) {
    expect((await send(`${baseUrl}/api/v1/contact`, { method: 'POST', headers, body: '{}' })).status).toBe(403);
  }
});

testOnPosix('ends with one line when its store fails', async () => {
  const { child, ended, baseUrl, dataDir } = await startService();
  const headers = [['Content-Type', 'application/json']] as const;
  const body = '{"email":"ada@example.com","message":"Hello"}';
  expect((await send(`${baseUrl}/api/v1/contact`, { method: 'POST', headers, body })).status).toBe(201);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const store = new DatabaseSync(join(dataDir, 'store.db'));
  store.exec(`UPDATE entries SET value = '{"id":null}' WHERE key LIKE 'index-%'`);
  store.close();

  const again = await startService({ dataDir });
  const [, token = ''] = /^Staff token: (\S+)$/m.exec(again.printed) ?? [];
  const stderr = again.child.stderr.setEncoding('utf8').toArray();
  await send(`${again.baseUrl}/api/v1/contact`, { headers: [['Authentication', token]] }).catch(() => {});
  expect(await again.ended).toEqual([1, null]);
  expect((await stderr).join('')).toMatch(/^store: stopped \(.*\): start again\..*\n$/);
});

testOnPosix('ends with one line when its data folder is deleted, before the first request', async () => {
  const { child, ended, dataDir } = await startService();
  const stderr = child.stderr.setEncoding('utf8').toArray();
  await rm(dataDir, { recursive: true });
  expect(await ended).toEqual([1, null]);
  expect((await stderr).join('')).toMatch(
    // A function may just be starting.
    /^(?:\w+: crashed: Cannot find module .*\n)?store: stopped \(.*was deleted or moved\): start again\..*\n$/,
  );
});

testOnPosix('ends when npm gets SIGTERM, which npm does not pass on', async () => {
  const { child, ended, baseUrl } = await startService({ command: ['npm', 'start'] });
  child.kill('SIGTERM');
  // All processes that share the output have ended.
  await ended;
  await expect(send(baseUrl)).rejects.toThrow('ECONNREFUSED');
});

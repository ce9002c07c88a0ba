// `npm run test:server`: a server of one's own, as docs/server.md builds it. Debian's Caddy with a CA of its own stands in front, a
// mail server with TLS and a receiver of webhooks behind; curl, Chromium and scripts are the visitors, and the service is killed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { contactList, createdContact } from '../acceptance/contact.ts';
import { runNpmStart, runStaffCommand } from '../acceptance/local/service.ts';
import { launchOptions } from '../browser/launch-options.ts';
import { isolateTests } from '../support/isolation.ts';
import { formIn } from '../support/markdown.ts';
import { startReceiver } from '../support/receiver.ts';
import { unusedUrl } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startCaddy } from './caddy.ts';
import { startMailServer } from './mail-server.ts';

isolateTests();
const signal = AbortSignal.timeout(5 * 60_000);
const folder = await mkdtemp(join(tmpdir(), 'contact-service-server-'));
const opened = new AsyncDisposableStack();
opened.defer(() => rm(folder, { recursive: true, force: true }));

const freePort = async () => Number(new URL(await unusedUrl()).port);

const step = (what: string) => console.log(what);

const main = async () => {
  const [httpPort, httpsPort, port, inboxPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const receiver = await startReceiver();
  opened.use(receiver);
  const site = join(folder, 'site');
  const publicUrl = `https://forms.example.com:${httpsPort}`;
  const inboxUrl = `https://inbox.example.com:${httpsPort}`;
  const siteOrigin = `https://www.example.com:${httpsPort}`;
  const form = formIn(await readFile('README.md', 'utf8')).replace('http://127.0.0.1:3000', publicUrl);
  await promisify(execFile)('mkdir', ['-p', site]);
  await writeFile(join(site, 'index.html'), `<!doctype html><meta charset="utf-8" />${form}`);

  const caddy = await startCaddy(
    folder,
    { http: httpPort, https: httpsPort },
    {
      ofExample: new Map([
        ['127.0.0.1:3000', `127.0.0.1:${port}`],
        ['127.0.0.1:8081', `127.0.0.1:${inboxPort}`],
      ]),
      more: {
        'www.example.com': `root * ${site}\nfile_server`,
        localhost: `reverse_proxy ${receiver.url}`,
      },
    },
    signal,
  );
  opened.defer(caddy.stop);
  const ca = await readFile(caddy.caFile);
  const mailUser = { name: 'contact@example.com', password: 'p@ss:w/rd' };
  const mails = await startMailServer(caddy.certificateOf('localhost'), mailUser);
  opened.use(mails);

  const settingsFile = join(folder, 'settings.json');
  const prod = {
    sites: [{ origin: siteOrigin }],
    webAcl: true,
    triage: true,
    notifications: {
      from: 'contact@example.com',
      emails: ['owner@example.com'],
      webhooks: [{ url: `https://localhost:${httpsPort}/hook` }],
    },
  };
  await writeFile(settingsFile, JSON.stringify({ prod }));
  const dataDir = join(folder, 'data');
  const variables = {
    PUBLIC_URL: publicUrl,
    INBOX_URL: inboxUrl,
    PORT: String(port),
    INBOX_PORT: String(inboxPort),
    DATA_DIR: dataDir,
    CRCS_SETTINGS: settingsFile,
    SMTP_URL: `smtps://${encodeURIComponent(mailUser.name)}:${encodeURIComponent(mailUser.password)}@localhost:${mails.port}`,
    NODE_EXTRA_CA_CERTS: caddy.caFile,
  };

  /** Sends a request through the proxy. @param from the visitor's address, of the loopback interface */
  const ask = (
    url: string,
    { from = '127.0.0.1', method = 'GET', headers = {}, body = '' }: Ask = {},
  ): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const outgoing = https.request(url, {
        method,
        headers,
        ca,
        agent: false,
        family: 4,
        localAddress: from,
        lookup: (_name, _options, found) => found(null, '127.0.0.1', 4),
      });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        text(incoming).then((said) => resolve({ status: incoming.statusCode ?? 0, text: said }), reject);
      });
      outgoing.end(body);
    });

  const start = async () => {
    const service = runNpmStart(variables);
    process.on('exit', () => service.child.kill('SIGKILL'));
    const isHealthy = async () => {
      if (service.child.exitCode !== null) throw new Error(service.output.stderr + service.output.stdout);
      const { status } = await ask(`${inboxUrl}/health`).catch(() => ({ status: 0 }));
      return status === 200 || undefined;
    };
    await until('a healthy service', isHealthy, signal, { limit: 90_000, pause: 100 });
    return service;
  };

  const staff = async (...args: readonly string[]): Promise<string> => {
    const { child, output, closed } = runStaffCommand(variables, ...args);
    await closed;
    assert.equal(child.exitCode, 0, output.stderr);
    return output.stdout;
  };

  let service = await start();
  opened.defer(async () => {
    service.child.kill('SIGKILL');
    await service.closed;
  });
  step('The service is healthy behind Caddy');
  assert(!/crcs_|whsec_/.test(service.output.stdout + service.output.stderr), 'a secret is in the output');
  const token = (await staff('tokens', 'issue', '--name', 'test', '--allow', 'all')).trim();

  const list = async () => {
    const { status, text: found } = await ask(`${publicUrl}/api/v1/contact?limit=200`, {
      headers: { Authentication: token },
    });
    assert.equal(status, 200, found);
    return v.parse(contactList, JSON.parse(found));
  };

  // A visitor without JavaScript.
  const { stdout: curled } = await promisify(execFile)('curl', [
    ...['--silent', '--show-error', '--include', '--http1.1', '--cacert', caddy.caFile],
    ...['--resolve', `forms.example.com:${httpsPort}:127.0.0.1`],
    ...['--header', `Origin: ${siteOrigin}`, '--header', 'Accept: text/html'],
    ...['--data-urlencode', 'email=curl@example.com', '--data-urlencode', 'message=By curl'],
    `${publicUrl}/api/v1/contact`,
  ]);
  assert.match(curled, /^HTTP\/1\.1 20[01] /);
  assert.match(curled, /Thank you/);
  step('curl got the success page over TLS');

  const browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP *.example.com 127.0.0.1'],
  });
  opened.defer(() => browser.close());
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(siteOrigin);
  await page.getByLabel('Email address').fill('chromium@example.com');
  await page.getByLabel('Message').fill('By Chromium');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await page.goto(inboxUrl);
  await page.getByLabel('Staff token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('By Chromium').first().waitFor();
  step('Chromium sent the form of the README, and the inbox shows the message');

  // Both of before, each once: nothing was killed yet.
  const mailsAbout = (message: string) => mails.arrived.filter((mail) => mail.text.includes(message));
  for (const message of ['By curl', 'By Chromium']) {
    await until(`an email about ${message}`, () => mailsAbout(message).length > 0 || undefined, signal);
  }

  /** A visitor sends again, with the same key, until it gets a response. */
  const visit = async (number: number) => {
    const message = `Visitor ${number}: ${randomUUID()}`;
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
    const body = JSON.stringify({ email: `visitor-${number}@example.com`, message });
    const from = `127.0.1.${number}`;
    for (let tries = 0; tries < 300; tries += 1) {
      const response = await ask(`${publicUrl}/api/v1/contact`, { method: 'POST', headers, body, from }).catch(() => ({
        status: 0,
        text: '',
      }));
      if (response.status === 201) return { message, id: v.parse(createdContact, JSON.parse(response.text)).id };
      // While the service is down, Caddy responds with 502.
      assert([0, 502, 503].includes(response.status), response.text);
      await setTimeout(200);
    }
    throw new Error('A visitor gave up.');
  };

  const kills = 2;
  const visitors: Promise<{ readonly message: string; readonly id: string }>[] = [];
  mails.isDown = true;
  for (let kill = 0; kill < kills; kill += 1) {
    const before = visitors.length;
    for (let number = 1; number <= 60; number += 1) {
      visitors.push(visit(before + number));
      await setTimeout(10);
      if (number === 30) {
        service.child.kill('SIGKILL');
        await service.closed;
      }
    }
    service = await start();
  }
  const killed = await Promise.all(visitors);
  mails.isDown = false;
  // Without a kill, each email comes once.
  const calm = await Promise.all(Array.from({ length: 10 }, (_, number) => visit(kills * 60 + 1 + number)));
  const sent = [...killed, ...calm];
  const stored = await list();
  for (const { id, message } of sent) {
    assert.deepEqual(
      stored.filter((one) => one.message === message).map((one) => one.id),
      [id],
      'a message is lost or doubled',
    );
  }
  step(`${sent.length} visitors, ${kills} kills: every message is stored once`);

  // The mail server was out of order. The next try is up to a minute and a half later.
  const isTold = () =>
    sent.every(
      ({ id, message }) => mailsAbout(message).length > 0 && receiver.received.some(({ body }) => body.includes(id)),
    ) || undefined;
  await until('an email and a webhook about each', isTold, signal, { limit: 200_000, pause: 500 });
  for (const message of ['By curl', 'By Chromium', ...calm.map((one) => one.message)]) {
    assert.equal(mailsAbout(message).length, 1, `emails about ${message}`);
  }
  // What was under way at a kill is done again.
  for (const { message } of killed) assert(mailsAbout(message).length <= 1 + kills, `emails about ${message}`);
  const [secret] = v.parse(
    v.tupleWithRest([v.object({ secret: v.string() })], v.unknown()),
    JSON.parse(await staff('notifications', 'secret', '--json')),
  );
  const webhook = new Webhook(secret.secret);
  for (const { headers, body } of receiver.received) {
    webhook.verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
  }
  step('An email about each, after the mail server was out of order, and a signed webhook');

  const flood = async (number: number) =>
    (
      await ask(`${publicUrl}/api/v1/contact`, {
        method: 'POST',
        from: '127.0.2.1',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${number}` },
        body: '{}',
      })
    ).status;
  const statuses: number[] = [];
  for (let number = 0; number < 110; number += 1) statuses.push(await flood(number));
  assert.equal(statuses.filter((status) => status === 403).length >= 10, true, statuses.join());
  assert.equal((await ask(`${publicUrl}/api/v1/contact`, { method: 'POST', from: '127.0.2.2' })).status === 403, false);
  step('A flood from one address is refused, whatever its X-Forwarded-For says; others are served');

  service.child.kill('SIGTERM');
  await service.closed;
  assert.equal(service.child.exitCode, 0);
};

interface Ask {
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

try {
  await main();
} finally {
  await opened.disposeAsync();
}

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environments } from '../../support/environments.ts';
import { sendDocumented } from '../documented.ts';
import { type Body, sendTo } from '../http.ts';
import { type LocalService, makeDataDir, removeDataDir, runNpmStart, startService } from './service.ts';

const thankYouUrl = 'https://www.example.com/thank-you?from=form#top';
const otherOrigins = ['https://www.example.com', 'https://shop.example.com'];

let dataDir: string;
let service: LocalService;

beforeAll(async () => {
  dataDir = await makeDataDir();
  service = await startService(dataDir, { THANK_YOU_URL: thankYouUrl, SITE_ORIGINS: otherOrigins.join(', ') });
});

afterAll(async () => {
  await service.end('SIGKILL');
  await removeDataDir(dataDir);
});

const post = (body: Body, headers: Readonly<Record<string, string>> = {}) =>
  sendDocumented(service.baseUrl, '/api/v1/contact', { method: 'POST', headers, body });

const foreign = 'https://foreign.example.net';

const fields = { email: 'ada@example.com', message: 'Hello' };

test('THANK_YOU_URL sets the success page of every site', async () => {
  for (const origin of [service.siteOrigin, ...otherOrigins]) {
    const response = await post(new URLSearchParams(fields), { Accept: 'text/html', Origin: origin });
    expect([response.status, response.headers.get('location')]).toEqual([303, thankYouUrl]);
  }
  expect((await post(new URLSearchParams(fields), { Accept: 'text/html', Origin: 'null' })).status).toBe(201);
});

const sitesOfDev = environments.dev.sites.map(({ origin }) => origin);

test('SITE_ORIGINS adds sites to those of dev and the example site', async () => {
  for (const origin of [service.siteOrigin, ...sitesOfDev, ...otherOrigins]) {
    const preflight = await sendTo(`${service.baseUrl}/api/v1/contact`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
    const unknownPath = await sendTo(`${service.baseUrl}/nothing`, { headers: { Origin: origin } });
    const created = await post(new URLSearchParams(fields), { Origin: origin });
    for (const [response, allowed] of [
      [preflight, origin],
      [created, origin],
      // With several origins, the gateway responds with `*`.
      [unknownPath, '*'],
    ] as const) {
      expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
      expect(response.headers.get('vary')).toMatch(/\borigin\b/i);
    }
  }
  const response = await sendTo(`${service.baseUrl}/api/v1/contact`, {
    method: 'OPTIONS',
    headers: { Origin: foreign, 'Access-Control-Request-Method': 'POST' },
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

test.for([
  ['PORT', () => service.baseUrl],
  ['SITE_PORT', () => service.siteOrigin],
  ['INBOX_PORT', () => service.inboxOrigin],
] as const)('exits with 1 and one line if the %s is taken', async ([name, url]) => {
  const { port } = new URL(url());
  const ownDataDir = await makeDataDir();
  const { child, output, closed } = runNpmStart({
    PORT: '0',
    SITE_PORT: '0',
    DATA_DIR: ownDataDir,
    [name]: port,
  });
  await closed;
  await removeDataDir(ownDataDir);
  expect(child.exitCode).toBe(1);
  expect(output.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(output.stderr).toContain(port);
  expect(output.stderr).toContain(name);
  expect(output.stdout).not.toContain('Base URL');
});

test('the log has a line for each request, without anything that visitors or staff sent', async () => {
  const secret = `secret-${randomUUID()}`;
  const email = `${secret}@example.com`;
  const json = { 'Content-Type': 'application/json' };
  const form = new FormData();
  form.append('email', email);
  form.append('message', secret);
  form.append('unknown', secret);
  const { status } = await post(JSON.stringify({ email, phone: '555 0100', message: secret, unknown: secret }), json);
  expect(status).toBe(201);
  await post(form);
  await post(new URLSearchParams({ email, message: `${secret}\u0000`, _gotcha: secret }), { Accept: 'text/html' });
  await post(`{"email":"${secret}`, json);
  await post(secret, { 'Content-Type': secret });
  await post('{}', {
    ...json,
    Origin: foreign,
    Referer: `https://example.com/${secret}`,
    'User-Agent': secret,
    'Idempotency-Key': `${secret} ${secret}`,
    'X-Forwarded-For': secret,
    Cookie: secret,
  });

  const asStaff = { headers: { Authentication: service.staffToken } };
  for (const path of [
    ...['/api/v1/contact', `/api/v1/contact?since=${secret}&${secret}=1`, `/api/v1/contact?cursor=${secret}`],
    ...[`/api/v1/contact/${email}`, `/v1/campaigns/${secret}`, `/${secret}`],
  ]) {
    await sendTo(service.baseUrl + path, asStaff);
    await sendTo(service.baseUrl + path, { headers: { Authentication: secret } });
    await sendTo(service.baseUrl + path, { headers: { Authentication: `crcs_${secret}`.padEnd(48, 'x') } });
  }
  await service.end('SIGTERM');

  const { stdout, stderr } = service.output;
  const [welcome, requestLines = ''] = stdout.split('Press Ctrl-C to stop.\n');
  expect(requestLines).toMatch(/^POST \/api\/v1\/contact 201 \d+ ms$/m);
  expect(requestLines).toMatch(
    /^GET \/api\/v1\/contact 200 \d+ ms {2}contact requests listed \(tokenId: [0-9a-f]{12}, count: \d+\)$/m,
  );
  // The origin of a refused site is no personal data.
  expect(requestLines).toContain(`origin refused (origin: ${foreign})\n`);
  // A line begins with the path as it was sent.
  const behindPaths = requestLines.replaceAll(/^(?:GET|POST) \S+/gm, '');
  expect(`${welcome}${behindPaths}${stderr}`).not.toContain(secret);
  expect(`${requestLines}${stderr}`).not.toContain(service.staffToken);
  expect(stderr).toBe('');
});

test('uses the spam settings of dev, finds the secret of a captcha, and says what is spam and who is not notified', async () => {
  const folder = await makeDataDir();
  const file = join(folder, 'settings.json');
  const spam = { proofOfWork: 'off', captcha: { provider: 'turnstile', secret: 'captcha-key' } };
  const notifications = { webhooks: [{ format: 'slack', secret: 'slack-url' }] };
  await writeFile(file, JSON.stringify({ dev: { sites: environments.dev.sites, spam, notifications } }));
  const own = await startService(join(folder, 'data'), { CRCS_SETTINGS: file });
  const send = (token: object) =>
    sendTo(`${own.baseUrl}/api/v1/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...fields, ...token }),
    });
  const marks = /mark it as spam.* npx --no-install crcs contacts list --spam$/m;
  expect(own.output.stdout).toMatch(marks);
  expect(service.output.stdout).not.toMatch(marks);
  const uncalled = '\nWebhooks and chats of dev: not called from this machine\n';
  expect(own.output.stdout).toContain(uncalled);
  expect(service.output.stdout).not.toContain(uncalled);
  expect((await send({ company: 'missing' })).status).toBe(201);
  expect((await send({ company: 'accepted', 'cf-turnstile-response': 'XXXX.DUMMY.TOKEN.XXXX' })).status).toBe(201);
  for (const [isSpam, company] of [
    [true, 'missing'],
    [false, 'accepted'],
  ]) {
    const headers = { Authentication: own.staffToken };
    const { body } = await sendTo(`${own.baseUrl}/api/v1/contact?spam=${isSpam}`, { headers });
    expect(body).toMatchObject([{ company }]);
  }
  await own.end('SIGTERM');
  await removeDataDir(folder);
  // Only the provider knows whether the test key is right, and a test must not need it.
  expect(own.output.stderr).not.toMatch(/"reason":"secret/);
});

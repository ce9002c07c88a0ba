import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { runNpmStart, runStaffCommand } from '../acceptance/local/service.ts';
import { send } from '../support/http.ts';
import { type MailServer, smtpError, startMailServer, trustedCertificate } from '../support/mail-server.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PUBLIC_URL = 'https://forms.example.com';
const INBOX_URL = 'https://inbox.example.com';

let folder: string;
let mailServer: MailServer;
let receiver: Receiver;
let running: ReturnType<typeof runNpmStart> | undefined;

beforeEach(async () => {
  folder = temporaryFolder();
  mailServer = await startMailServer();
  receiver = await startReceiver();
  const prod = {
    sites: [{ origin: 'https://www.example.com' }],
    webAcl: true,
    retentionDays: 30,
    alarmEmails: ['ops@example.com'],
    notifications: {
      from: 'Büro <contact@example.com>',
      emails: ['me@example.com'],
      webhooks: [{ url: `${receiver.url}/contact` }, { format: 'slack', secret: 'slack-url', forms: ['chat'] }],
    },
  } satisfies EnvironmentInput;
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ prod }));
});

afterEach(async () => {
  await stop('SIGKILL');
  await mailServer[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
  running?.child.kill(signal);
  await running?.closed;
  running = undefined;
};

const run = (variables: Record<string, string>) =>
  runNpmStart({
    CRCS_SETTINGS: join(folder, 'settings.json'),
    NODE_EXTRA_CA_CERTS: trustedCertificate,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    INBOX_PORT: '0',
    PUBLIC_URL,
    INBOX_URL,
    ...variables,
  });

const lineSchema = v.looseObject({ level: v.string(), message: v.string() });

/** Every line of its log is JSON. */
const linesOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(lineSchema, JSON.parse(line)));

const start = async (variables: Record<string, string> = {}) => {
  const service = run({ SMTP_URL: mailServer.url, ...variables });
  running = service;
  const { output } = service;
  const printed = (label: string) => new RegExp(`^${label}: (http:\\S+)$`, 'm').exec(output.stderr)?.[1];
  await expect.poll(() => printed('Health') ?? service.child.exitCode).not.toBe(null);
  const [api, health] = [printed('API'), printed('Health')];
  if (api === undefined || health === undefined) throw new Error(output.stderr);
  const logged = (message: string) =>
    expect.poll(() => linesOf(output.stdout).map((line) => line.message)).toContain(message);
  return { api, health, inbox: new URL(health).origin, output, logged };
};

/** Sends a form, by default from one visitor behind a proxy on this machine. */
const sendForm = (api: string, message: string, client = '203.0.113.1') =>
  send(`${api}/api/v1/contact`, {
    method: 'POST',
    headers: [
      ['Content-Type', 'application/json'],
      ['Host', 'localhost'],
      ['X-Forwarded-For', `198.51.100.7, ${client}`],
    ],
    body: JSON.stringify({ email: 'ada@example.com', message }),
  });

test('serves visitors: emails by SMTP, signed webhooks, URLs of PUBLIC_URL, JSON lines without personal data', async () => {
  const { api, health, inbox, output, logged } = await start();
  const response = await sendForm(api, 'Hello from Ada');
  const { id } = v.parse(v.object({ id: v.string() }), JSON.parse(response.text));
  expect([response.status, response.headers['location']]).toEqual([201, `${PUBLIC_URL}/api/v1/contact/${id}`]);

  await expect.poll(() => mailServer.received.length).toBe(1);
  const [email] = mailServer.received;
  expect(email).toMatchObject({ from: 'contact@example.com', to: ['me@example.com'] });
  const parsed = await PostalMime.parse(email?.content ?? '');
  expect(parsed).toMatchObject({
    from: { name: 'Büro', address: 'contact@example.com' },
    replyTo: [{ address: 'ada@example.com' }],
    messageId: expect.stringMatching(/@forms\.example\.com>$/),
  });
  expect(parsed.text).toContain(`${INBOX_URL}/#${id}`);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ headers = {}, body = '' } = {}] = receiver.received;
  const { closed, output: secret } = runStaffCommand({ DATA_DIR: join(folder, 'data') }, 'notifications', 'secret');
  await closed;
  const signed = v.parse(v.record(v.string(), v.string()), headers);
  expect(new Webhook(secret.stdout.trim().split(/\s/).at(-1) ?? '').verify(body, signed)).toMatchObject({
    data: { id },
  });

  expect(await send(health)).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  expect((await send(inbox)).text).toContain(`connect-src ${PUBLIC_URL}/;`);
  expect((await send(`${api}/health`)).status).toBe(404);
  await logged('the mail server accepts us');
  expect(linesOf(output.stdout)).toContainEqual(
    expect.objectContaining({ message: 'access', route: 'POST /api/v1/contact', status: 201 }),
  );
  expect(output.stdout + output.stderr).not.toMatch(/ada@|me@|Hello from Ada|203\.0\.113|crcs_\w{20}|whsec_/);
  expect(output.stderr).toMatch(/^Base URL: https:\/\/forms\.example\.com\nInbox: https:\/\/inbox\.example\.com\n/);
  expect(output.stderr).toContain('npx --no-install crcs secrets set slack-url');
  expect(output.stderr).toContain('X-Forwarded-For is believed from 127.0.0.0/8, ::1 only');
});

test('refuses the 101st form of an address in five minutes, and nobody else', async () => {
  const { api } = await start();
  const statuses: number[] = [];
  for (let count = 0; count < 105; count += 1) statuses.push((await sendForm(api, `Hello ${count}`)).status);
  expect(statuses).toEqual([...Array(100).fill(201), ...Array(5).fill(403)]);
  expect((await sendForm(api, 'Hello', '203.0.113.2')).status).toBe(201);
});

test('a mail server that greylists, refuses or is away loses nothing, and nothing comes twice', async () => {
  const first = await start();
  mailServer.judgeBy(() => Promise.reject(smtpError(450, '4.7.1 ada@example.com: come again')));
  await sendForm(first.api, 'greylisted');
  await first.logged('notification failed');
  mailServer.judgeBy(() => Promise.reject(smtpError(554, '5.7.1 no')));
  await sendForm(first.api, 'refused');
  await expect.poll(() => mailServer.tries()).toBe(2);
  const { port } = mailServer;
  await mailServer[Symbol.asyncDispose]();
  await sendForm(first.api, 'away');
  await expect
    .poll(() => linesOf(first.output.stdout).filter(({ message }) => message === 'notification failed').length)
    .toBe(3);
  expect(first.output.stdout).not.toContain('ada@');

  // A start tries again at once what would wait for a minute and a half.
  await stop('SIGKILL');
  mailServer = await startMailServer({}, port);
  await start();
  await expect.poll(() => mailServer.received.length).toBe(3);
  const texts = mailServer.received.map(({ content }) => /\| (\w+)/.exec(content)?.[1]);
  expect(texts.toSorted()).toEqual(['away', 'greylisted', 'refused']);
});

test.each([
  [{}, /^SMTP_URL is missing, but prod of .*settings\.json sends emails .*\n$/],
  [{ ENVIRONMENT: 'shop' }, /^ENVIRONMENT: .*settings\.json has no "shop": .* prod\n$/],
  [
    { PUBLIC_URL: 'http://forms.example.com' },
    /^PUBLIC_URL: "http:\/\/forms\.example\.com" must begin with https:.*\n$/,
  ],
])('does not start with %j, and says why in one line', async (variables, message) => {
  const { child, output, closed } = run(variables);
  await closed;
  expect([child.exitCode, output.stdout]).toEqual([1, '']);
  expect(output.stderr).toMatch(message);
});

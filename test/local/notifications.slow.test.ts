import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { createdContact } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import { type LocalService, runStaffCommand, startService } from '../acceptance/local/service.ts';
import { mailsIn } from '../support/mails.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { serve, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dataDir: string;
let receiver: Receiver;
/** The server to which every setting of the machine leads. */
let elsewhere: TestServer;
let callsElsewhere = 0;
let machine: Record<string, string>;
let service: LocalService | undefined;

beforeAll(async () => {
  receiver = await startReceiver();
  elsewhere = await serve((_, response) => {
    callsElsewhere += 1;
    response.writeHead(500).end();
  });
  const folder = temporaryFolder();
  dataDir = join(folder, 'data');
  mkdirSync(join(folder, '.aws'));
  const profile = `[default]\nregion = eu-west-1\nendpoint_url = ${elsewhere.url}\nuse_fips_endpoint = true\n`;
  for (const name of ['config', 'credentials']) writeFileSync(join(folder, '.aws', name), profile);
  machine = {
    HOME: folder,
    USERPROFILE: folder,
    AWS_PROFILE: 'nobody',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL: elsewhere.url,
    AWS_ENDPOINT_URL_DYNAMODB: elsewhere.url,
    AWS_USE_FIPS_ENDPOINT: 'true',
    AWS_MAX_ATTEMPTS: '1',
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: '',
    HTTP_PROXY: elsewhere.url,
    HTTPS_PROXY: elsewhere.url,
  };
  return async () => {
    await service?.end('SIGKILL');
    await receiver[Symbol.asyncDispose]();
    await elsewhere[Symbol.asyncDispose]();
  };
});

const start = async (settings: Record<string, string>): Promise<LocalService> => {
  await service?.end('SIGTERM');
  service = await startService(dataDir, { ...machine, ...settings });
  return service;
};

const startNotifying = () => start({ NOTIFY_EMAIL: 'staff@example.com', NOTIFY_WEBHOOK: receiver.url });

/** The running service, if it has targets. */
const notifyingService = async () => (service?.output.stdout.includes('\nEmails: ') ? service : startNotifying());

const runCrcs = async (...args: string[]) => {
  const { child, output, closed } = runStaffCommand({ ...machine, DATA_DIR: dataDir }, ...args);
  await closed;
  return { code: child.exitCode, ...output };
};

const secretOf = ({ output }: LocalService) =>
  /^Webhook secret: (whsec_[A-Za-z0-9]{44})$/m.exec(output.stdout)?.[1] ?? '';

/** A page's form, as a browser posts it. */
const postForm = async ({ baseUrl, siteOrigin }: LocalService, fields: Record<string, string>) => {
  const body = new URLSearchParams({ email: 'ada@example.com', firstName: 'Ada', ...fields });
  const response = await sendOnce(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { Origin: siteOrigin },
    body,
  });
  expect(response.status).toBe(201);
  return v.parse(createdContact, response.body);
};

const webhookSchema = v.object({ type: v.string(), data: v.looseObject({ message: v.string() }) });

const webhooksOf = (message: string) =>
  receiver.received.filter(({ body }) => v.parse(webhookSchema, JSON.parse(body)).data.message === message);

/** Waits for the webhook about a message, and verifies it with the library of Standard Webhooks. */
const webhookOf = async (message: string, secret: string) => {
  await expect.poll(() => webhooksOf(message)).toHaveLength(1);
  const [{ headers = {}, body = '' } = {}] = webhooksOf(message);
  return new Webhook(secret).verify(body, v.parse(v.record(v.string(), v.string()), headers));
};

test('sends an email with the visitor as reply address, and a signed webhook', async () => {
  const notifying = await startNotifying();
  const message = '„Hello“ & <b>welcome</b>\nBcc: victim@example.com';
  const contact = await postForm(notifying, { message });
  expect(await webhookOf(message, secretOf(notifying))).toEqual({
    type: 'contact.created',
    timestamp: contact.createdAt,
    data: contact,
  });

  expect(notifying.output.stdout).toContain(`\nEmails: ${join(dataDir, 'mail')}, to staff@example.com\n`);
  await expect.poll(() => mailsIn(dataDir).length).toBe(1);
  const [head = ''] = (mailsIn(dataDir)[0] ?? '').split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'From: contact-service@localhost.example',
      'To: staff@example.com',
      'Reply-To: ada@example.com',
    ]),
  );
  const [written = ''] = mailsIn(dataDir);
  const { text, html } = await PostalMime.parse(written);
  const link = `${notifying.inboxOrigin}/#${contact.id}`;
  expect(text).toContain(`\n${link}\n`);
  expect(html).toContain(`<a href="${link}"`);
});

test('notifies of spam only after its release', async () => {
  const notifying = await notifyingService();
  const { id } = await postForm(notifying, { message: 'caught', _gotcha: 'https://spam.example' });
  await postForm(notifying, { message: 'not caught' });
  await webhookOf('not caught', secretOf(notifying));
  expect(webhooksOf('caught')).toEqual([]);

  expect(await runCrcs('contacts', 'release', id)).toMatchObject({ code: 0 });
  expect(await webhookOf('caught', secretOf(notifying))).toMatchObject({ type: 'contact.released' });
  await expect.poll(() => mailsIn(dataDir).filter((mail) => mail.includes('| caught')).length).toBe(1);
});

test("sends nothing without targets, even later, and keeps the webhook's secret", async () => {
  const secret = secretOf(await notifyingService());
  const silent = await start({});
  expect(silent.output.stdout).not.toMatch(/Webhook secret|Emails:/);
  expect(silent.output.stdout).toMatch(
    /^To be notified of each contact request, write NOTIFY_EMAIL=\S+ into .env and start again\.$/m,
  );
  await postForm(silent, { message: 'without targets' });

  const again = await startNotifying();
  expect(secretOf(again)).toBe(secret);
  await postForm(again, { message: 'with targets again' });
  await webhookOf('with targets again', secret);
  expect(webhooksOf('without targets')).toEqual([]);
  expect(await runCrcs('notifications', 'secret')).toMatchObject({ code: 0, stdout: expect.stringContaining(secret) });
});

test('connects only to this machine, whatever the settings for AWS and proxies', async () => {
  await notifyingService();
  const listed = await runCrcs('campaigns', 'list');
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('spring-sale') });
  // Counts what the other tests of this file called, too.
  expect(callsElsewhere).toBe(0);
});

import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { beforeAll, expect, test } from 'vitest';
import { type LocalService, startService } from '../../acceptance/local/service.ts';
import { outcome, start as startStaff } from '../../staff/process.ts';
import { send } from '../host/http.ts';
import { temporaryFolder } from '../host/test-host.ts';
import { mailsIn } from './mails.ts';
import { type Arrival, createReceiver, type Receiver } from './receiver.ts';

let dataDir: string;
let receiver: Receiver;
let service: LocalService | undefined;

beforeAll(async () => {
  receiver = await createReceiver();
  const { folder, remove } = temporaryFolder();
  dataDir = join(folder, 'data');
  return async () => {
    await service?.end('SIGKILL');
    await receiver.goAway();
    remove();
  };
});

const start = async (settings: Record<string, string>): Promise<LocalService> => {
  await service?.end('SIGTERM');
  service = await startService(dataDir, settings);
  return service;
};

const startNotifying = () => start({ NOTIFY_EMAIL: 'staff@example.com', NOTIFY_WEBHOOK: receiver.url });

/** The one that runs, if it has targets. */
const serviceNotifying = async () => (service?.output.stdout.includes('\nMails: ') ? service : startNotifying());

const secretOf = ({ output }: LocalService) =>
  /^Webhook secret: (whsec_[A-Za-z0-9]{44})$/m.exec(output.stdout)?.[1] ?? '';

/** Verified as receivers do: https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries/javascript */
const verify = ({ body, headers }: Arrival, secret: string): unknown =>
  new Webhook(secret).verify(body, v.parse(v.record(v.string(), v.string()), headers));

/** A page's form, as a browser posts it. */
const postForm = async ({ baseUrl, siteOrigin }: LocalService, fields: Record<string, string>) => {
  const headers = [
    ['Origin', siteOrigin],
    ['Content-Type', 'application/x-www-form-urlencoded'],
  ] as const;
  const body = new URLSearchParams({ email: 'ada@example.com', firstName: 'Ada', ...fields }).toString();
  const { status, text } = await send(`${baseUrl}/api/v1/contact`, { method: 'POST', headers, body });
  expect(status).toBe(201);
  return v.parse(v.looseObject({ id: v.string(), createdAt: v.string() }), JSON.parse(text));
};

test('targets get a mail whose reply goes to the visitor, and a webhook that verifies', async () => {
  const notifying = await startNotifying();
  const message = '„Hello“ & <b>welcome</b>\r\nBcc: victim@example.com';
  const contact = await postForm(notifying, { message });
  const [arrival] = await receiver.arrived(message.replace('\r', ''));
  expect(verify(arrival as Arrival, secretOf(notifying))).toEqual({
    type: 'contact.created',
    timestamp: contact.createdAt,
    data: contact,
  });
  expect(() => verify(arrival as Arrival, `whsec_${'A'.repeat(44)}`)).toThrow('signature');

  expect(notifying.output.stdout).toContain(`\nMails: ${join(dataDir, 'mail')}\n`);
  await expect.poll(() => mailsIn(dataDir).length).toBe(1);
  const [head = ''] = (mailsIn(dataDir)[0] ?? '').split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'From: contact-service@localhost.example',
      'To: staff@example.com',
      'Reply-To: ada@example.com',
    ]),
  );
  expect(head).not.toContain('Bcc');
});

test('spam triggers no notification until it is released', async () => {
  const notifying = await serviceNotifying();
  const { id } = await postForm(notifying, { message: 'caught', _gotcha: 'https://spam.example' });
  await postForm(notifying, { message: 'not caught' });
  await receiver.arrived('not caught');
  expect(receiver.arrivals.map(({ message }) => message)).not.toContain('caught');

  const released = await outcome(startStaff(['contacts', 'release', id], { DATA_DIR: dataDir }));
  expect(released).toMatchObject({ code: 0 });
  const [arrival] = await receiver.arrived('caught');
  expect(arrival?.type).toBe('contact.released');
  await expect.poll(() => mailsIn(dataDir).filter((mail) => mail.includes('| caught')).length).toBe(1);
});

test('a later start signs with the same secret, and the commands about notifications reach it', async () => {
  const secret = secretOf(await serviceNotifying());
  const again = await startNotifying();
  expect(secretOf(again)).toBe(secret);
  await postForm(again, { message: 'after the restart' });
  const [arrival] = await receiver.arrived('after the restart');
  verify(arrival as Arrival, secret);

  const printed = await outcome(startStaff(['notifications', 'secret'], { DATA_DIR: dataDir }));
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining(secret) });
  expect(await outcome(startStaff(['notifications', 'test'], { DATA_DIR: dataDir }))).toMatchObject({ code: 1 });
});

test('without targets the service notifies nobody, and says how to add one', async () => {
  await serviceNotifying();
  const mailsBefore = mailsIn(dataDir).length;
  const silent = await start({});
  expect(silent.output.stdout).not.toMatch(/Webhook secret|Mails:/);
  expect(silent.output.stdout).toMatch(
    /^Get notified of each contact request: start with NOTIFY_EMAIL=\S+ or NOTIFY_WEBHOOK=\S+$/m,
  );
  await postForm(silent, { message: 'without targets' });
  const notifying = await startNotifying();
  await postForm(notifying, { message: 'with targets again' });
  await receiver.arrived('with targets again');
  expect(receiver.arrivals.map(({ message }) => message)).not.toContain('without targets');
  await expect.poll(() => mailsIn(dataDir).length).toBe(mailsBefore + 1);
});

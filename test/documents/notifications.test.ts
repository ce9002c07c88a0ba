import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type Contact, storedContact } from '../../functions/contacts/contact.ts';
import { chats } from '../../functions/notify/chats.ts';
import { conditionNames, unmetConditions } from '../../functions/notify/conditions.ts';
import { notificationOf } from '../../functions/notify/deliver.ts';
import { deliverByEmail } from '../../functions/notify/email.ts';
import { createPost } from '../../functions/notify/post.ts';
import { chatKinds } from '../../functions/notify/target.ts';
import { deliverToWebhook } from '../../functions/notify/webhook.ts';
import { warningsOfConditions } from '../../lib/infrastructure/notification-conditions.ts';
import { emailTarget } from '../../lib/infrastructure/notification-targets.ts';
import { senderHeader } from '../../lib/infrastructure/sender.ts';
import { parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { loadSettings } from '../../lib/shared/settings-file.ts';
import { startFakeAws } from '../support/fake-aws.ts';
import { blocksIn, codesIn, formIn, sectionOf, tablesIn } from '../support/markdown.ts';
import { noTimeout } from '../support/notifications.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { exampleContact } from '../support/stored-contacts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const document = ['notifications', 'webhooks'].map((page) => readFileSync(`docs/${page}.md`, 'utf8')).join('\n');

/** The block of code in the two documents that begins so. */
const blockOf = (beginning: string) => blocksIn(document).find((code) => code.startsWith(beginning));

const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3tMaq1mYvB7e';
const otherSecret = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g';

/** The example without what the documents need not show. */
const { phone, company, extra, ...fields } = exampleContact;
const shownContact: Contact = { ...fields, form: 'contact', extra: { topic: 'Sales' } };

/** Delivers a contact request as a webhook. @returns what the receiver got */
const receive = async (contact: Contact, { secrets = [secret], time = new Date() } = {}): Promise<Received> => {
  await using receiver = await startReceiver();
  const deliver = deliverToWebhook(
    receiver.url,
    async () => secrets,
    createPost(noTimeout),
    () => time,
  );
  await deliver(notificationOf(contact));
  const [received] = receiver.received;
  return received ?? expect.fail();
};

test('docs/notifications.md shows the actual email', async () => {
  await using aws = await startFakeAws(() => ({ status: 200, body: { MessageId: 'x' } }));
  const options = {
    from: senderHeader('Contact form <contact@example.com>'),
    to: 'sales@example.com',
    configurationSet: undefined,
    wording: { environment: 'prod', inboxOrigin: 'https://inbox.example.com', subjects: new Map() },
  };
  await deliverByEmail(new SESv2Client({ endpoint: aws.url }), options, noTimeout)(notificationOf(shownContact));
  const { FromEmailAddress, Destination, ReplyToAddresses, Content } = Object(aws.calls[0]?.input);
  const { Subject, Body } = Content.Simple;
  const shown = [
    `From: ${FromEmailAddress}`,
    `To: ${Destination.ToAddresses}`,
    `Reply-To: ${ReplyToAddresses}`,
    `Subject: ${Subject.Data}`,
    '',
    Body.Text.Data,
  ];
  expect(blockOf('From:')).toBe(shown.join('\n'));
});

test('the form of docs/notifications.md sends each topic to the person of its table, and a new one to the last', async () => {
  const section = sectionOf(document, 'Each topic to the right person');
  const [emails = ''] = blocksIn(section, 'ts');
  const file = join(temporaryFolder(), 'environments.ts');
  const settings = `{ dev: { sites: [], notifications: { from: 'contact@example.com', ${emails} } } }`;
  writeFileSync(file, `export const environments = ${settings};`);
  const { environments } = await loadSettings({ CRCS_SETTINGS: file });
  const environment = parseEnvironment('dev', environments['dev'] ?? {});
  const targets = new Map(environment.notifications?.emails.map((email) => [email.to, emailTarget(email).conditions]));
  const reachedBy = (topic: string) =>
    [...unmetConditions(targets, { extra: { topic } }, false)].flatMap(([to, unmet]) => (unmet ? [] : [to]));

  const [rows = []] = tablesIn(section);
  const shown = rows.flatMap(([topics = '', to]) => codesIn(topics).map((topic) => [topic, [to]]));
  const options = [...formIn(section).matchAll(/<option value="(.+?)"/g)].map(([, value = '']) => value);
  expect(shown).toEqual([...options].map((topic) => [topic, reachedBy(topic)]));
  expect(reachedBy('New')).toEqual([rows.at(-1)?.[1]]);
  expect(warningsOfConditions(environment)).toEqual([]);
});

test('docs/notifications.md names every condition', () => {
  expect(conditionNames.filter((name) => !document.includes(`\`${name}`))).toEqual([]);
});

test.each(['README.md', 'docs/notifications.md'])('%s names every chat product', (file) => {
  const text = readFileSync(file, 'utf8');
  const missing = chatKinds.filter((kind) => !text.includes(chats[kind].product));
  expect(missing).toEqual([]);
});

test('docs/notifications.md says where the URL of each chat comes from', () => {
  const [rows = []] = tablesIn(sectionOf(document, 'Chats').replaceAll(/^ +/gm, ''));
  expect(rows.flatMap(([format]) => codesIn(format))).toEqual(chatKinds.map((kind) => `'${kind}'`));
});

test('docs/webhooks.md shows the actual webhook', async () => {
  const { method, headers, body } = await receive(shownContact, { time: new Date('2026-03-01T12:00:01.000Z') });
  const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const shown = [
    `${method} /contact HTTP/1.1`,
    ...names.map((name) => `${name}: ${headers[name]}`),
    '',
    JSON.stringify(JSON.parse(body), null, 2),
    '',
  ];
  expect(blockOf('POST')).toBe(shown.join('\n'));
});

test('docs/webhooks.md has a webhook to test receivers with, signed as the service signs', async () => {
  const shown = blockOf('secret:') ?? '';
  const { data } = v.parse(v.object({ data: storedContact }), JSON.parse(shown.split('\n').at(-2) ?? ''));
  const { headers, body } = await receive(data, { time: new Date('2026-03-01T12:00:01.000Z') });
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => `${name}: ${headers[name]}`);
  expect(shown).toBe([`secret: whsec_${secret}`, ...signed, '', body, ''].join('\n'));
});

test('a webhook of the longest contact request is smaller than 128 KiB', async () => {
  const longest = {
    message: '😀'.repeat(5_000),
    company: '😀'.repeat(200),
    firstName: '😀'.repeat(100),
    lastName: '😀'.repeat(100),
    extra: { a: Array(16 * 1024 - 1).fill('"') },
  };
  const { body } = await receive({ ...exampleContact, ...longest });
  expect(Buffer.byteLength(body)).toBeGreaterThan(64 * 1024);
  expect(Buffer.byteLength(body)).toBeLessThan(128 * 1024);
});

/** Starts the receiver of docs/webhooks.md on a free port, with a database of its own. */
const startDocumentedReceiver = async () => {
  const file = join(temporaryFolder(), 'webhooks.db').replaceAll(sep, '/');
  const code = (blockOf('import { createServer }') ?? '')
    .replace('webhooks.db', file)
    .replace(/9000, ('[\d.]+')/, '0, $1, function () { console.log(this.address().port); }');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, WEBHOOK_SECRET: `whsec_${secret}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => v.parse(v.string(), (await lines.next()).value);
  const url = `http://127.0.0.1:${await nextLine()}/`;
  const send = async ({ headers, body }: Received) => {
    const signed = Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('webhook-') ? [[name, String(value)]] : [],
    );
    return (await fetch(url, { method: 'POST', headers: Object.fromEntries(signed), body })).status;
  };
  const stored = () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare('SELECT id, body FROM messages').all();
    database.close();
    return rows.map((row) => ({ ...row }));
  };
  const stop = async () => {
    child.kill();
    await once(child, 'close');
  };
  return { nextLine, send, stored, [Symbol.asyncDispose]: stop };
};

test('the receiver of docs/webhooks.md stores each webhook once if it was signed with the secret, in the last five minutes', async () => {
  await using receiver = await startDocumentedReceiver();
  const message = 'quotes " and \\, breaks\n\u2028, 😀, שלום, \u202e, <!channel>, \r\nBcc: eve@example.com';
  const contact = { ...exampleContact, message };
  const signed = await receive(contact);
  const refused = {
    'another secret': await receive(contact, { secrets: [otherSecret] }),
    'another body': { ...signed, body: signed.body.replace('Grace', 'Eve') },
    'another id': { ...signed, headers: { ...signed.headers, 'webhook-id': 'x' } },
    'six minutes old': await receive(contact, { time: new Date(Date.now() - 6 * 60 * 1000) }),
    'no signature': { ...signed, headers: {} },
  };
  for (const [name, received] of Object.entries(refused))
    expect({ [name]: await receiver.send(received) }).toEqual({ [name]: 400 });
  expect(receiver.stored()).toEqual([]);

  const accepted = {
    signed,
    repeated: signed,
    'signed with a newer secret, too': await receive(contact, { secrets: [otherSecret, secret] }),
    'signed with a former secret, too': await receive(contact, { secrets: [secret, otherSecret] }),
  };
  for (const [name, received] of Object.entries(accepted))
    expect({ [name]: await receiver.send(received) }).toEqual({ [name]: 204 });
  expect(receiver.stored()).toEqual([{ id: signed.headers['webhook-id'], body: signed.body }]);

  const shown = blockOf('$ WEBHOOK_SECRET=');
  expect(shown?.split('\n').at(1)).toBe(await receiver.nextLine());
  expect(await receiver.nextLine()).toBe(`repeated contact.created ${contact.id}`);
});

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, test } from 'vitest';
import type { Contact } from '../../functions/contacts/contact.ts';
import { notificationOf } from '../../functions/notify/deliver.ts';
import { deliverByEmail } from '../../functions/notify/email.ts';
import { createPost } from '../../functions/notify/post.ts';
import { deliverToWebhook } from '../../functions/notify/webhook.ts';
import { senderHeader } from '../../lib/infrastructure/sender.ts';
import { startFakeAws } from '../support/fake-aws.ts';
import { noLimit } from '../support/notifications.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { exampleContact } from '../support/stored-contacts.ts';

const document = ['notifications', 'webhooks'].map((page) => readFileSync(`docs/${page}.md`, 'utf8')).join('\n');

/** The first block of code in the two documents of that language, and with that beginning. */
const blockOf = (language: string, beginning = '') =>
  [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].find(
    ([, itsLanguage, code = '']) => itsLanguage === language && code.startsWith(beginning),
  )?.[2];

const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3tMaq1mYvB7e';
const otherSecret = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g';

/** The example without what the documents need not show. */
const { phone, company, extra, ...fields } = exampleContact;
const shownContact: Contact = { ...fields, extra: { topic: extra.topic } };

/** Delivers a contact request as a webhook. @returns what the receiver got */
const receive = async (contact: Contact, { secrets = [secret], time = new Date() } = {}): Promise<Received> => {
  await using receiver = await startReceiver();
  const deliver = deliverToWebhook(
    receiver.url,
    async () => secrets,
    createPost(noLimit),
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
  await deliverByEmail(new SESv2Client({ endpoint: aws.url }), options, noLimit)(notificationOf(shownContact));
  const { FromEmailAddress, Destination, ReplyToAddresses, Content } = Object(aws.calls[0]?.input);
  const { Subject, Body, Headers } = Content.Simple;
  const shown = [
    `From: ${FromEmailAddress}`,
    `To: ${Destination.ToAddresses}`,
    `Reply-To: ${ReplyToAddresses}`,
    `Subject: ${Subject.Data}`,
    ...Headers.map(({ Name, Value }: { Name: string; Value: string }) => `${Name}: ${Value}`),
    '',
    Body.Text.Data,
  ];
  expect(blockOf('', 'From:')).toBe(shown.join('\n'));
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
  expect(blockOf('', 'POST')).toBe(shown.join('\n'));
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

/** Reads a list of webhooks from standard input, and prints the content of each, or null if the verifier refuses it. */
const verifying = `${blockOf('js')}
import { json } from 'node:stream/consumers';
const verify = ({ headers, body }) => { try { return readNotification(headers, body); } catch { return null; } };
console.log(JSON.stringify((await json(process.stdin)).map(verify)));`;

test('the verifier of docs/webhooks.md accepts only webhooks signed with the secret, in the last five minutes', async () => {
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
  const accepted = {
    signed,
    'signed with a newer secret, too': await receive(contact, { secrets: [otherSecret, secret] }),
    'signed with a former secret, too': await receive(contact, { secrets: [secret, otherSecret] }),
  };
  const given = { ...accepted, ...refused };

  const child = spawn(process.execPath, ['--input-type=module', '--eval', verifying], {
    env: { ...process.env, WEBHOOK_SECRET: `whsec_${secret}` },
  });
  child.stdin.end(JSON.stringify(Object.values(given)));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stderr).toBe('');

  const verdicts: unknown[] = JSON.parse(stdout);
  expect(Object.fromEntries(Object.keys(given).map((name, index) => [name, verdicts[index]]))).toEqual({
    ...Object.fromEntries(Object.keys(accepted).map((name) => [name, JSON.parse(signed.body)])),
    ...Object.fromEntries(Object.keys(refused).map((name) => [name, null])),
  });
});

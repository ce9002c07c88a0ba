import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient, SendTemplatedEmailCommand, type SendTemplatedEmailCommandInput } from '@aws-sdk/client-ses';
import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { EmailError, type EmailFailure, type OutgoingEmail } from '../../../../lib/local/host/aws/outgoing-email.ts';
import { readSavedSecret, saveSecret } from '../../../../lib/local/host/aws/secrets-manager.ts';
import { serveServices } from '../../../../lib/local/host/aws/services.ts';
import { send } from '../../../support/http.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createManualClock } from '../manual-clock.ts';

const secretOf = (name: string) => ({ name, arn: `arn:aws:secretsmanager:us-east-1:0:secret:${name}`, length: 44 });

const queue = { name: 'Queue', arn: 'arn', visibilityTimeoutSeconds: 90 };

const template = { name: 'Template', subject: 'From {{site}}', text: '{{site}} {{time}}', html: '<p>{{site}}</p>' };

const credentials = { accessKeyId: 'credential', secretAccessKey: 'secret' };

/** The services on a data directory, with clients of the SDK. */
const start = async (dataDir = temporaryFolder(), options: Partial<Parameters<typeof serveServices>[1]> = {}) => {
  const clock = createManualClock();
  const lines: string[] = [];
  const sent: unknown[] = [];
  const sendMessage = async (...message: readonly unknown[]) => {
    sent.push(message);
    return 'the-id';
  };
  const server = await serveServices(
    { secrets: [secretOf('One'), secretOf('Other')], queues: [queue], emailTemplates: [template] },
    {
      dataDir,
      credentials,
      secrets: { Given: 'given' },
      sendMessage,
      buckets: new Map(),
      clock,
      log: (source, line) => void lines.push(`${source}: ${line}`),
      ...options,
    },
  );
  onTestFinished(server.close);
  const clientOptions = {
    endpoint: server.endpoint,
    region: 'eu-central-1',
    credentials,
    maxAttempts: 1,
  };
  const folder = join(dataDir, 'mail');
  return {
    clock,
    dataDir,
    folder,
    lines,
    sent,
    endpoint: server.endpoint,
    secrets: new SecretsManagerClient(clientOptions),
    ses: new SESv2Client(clientOptions),
    olderSes: new SESClient(clientOptions),
    sqs: new SQSClient(clientOptions),
    /** The mails, in the order of their names. */
    mails: () => readdirSync(folder).map((name) => join(folder, name)),
  };
};

test('gives each secret its own value, and keeps it across starts, readable only by the owner', async () => {
  const { secrets, dataDir } = await start();
  const { arn } = secretOf('One');
  const one = await secrets.send(new GetSecretValueCommand({ SecretId: arn }));
  expect(one).toMatchObject({
    SecretString: expect.stringMatching(/^[A-Za-z0-9]{44}$/),
    CreatedDate: new Date(0),
  });
  const other = await secrets.send(new GetSecretValueCommand({ SecretId: 'Other' }));
  expect(other.SecretString).not.toBe(one.SecretString);
  if (process.getuid) expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);

  const again = await start(dataDir);
  expect((await again.secrets.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString).toBe(one.SecretString);
  expect(await readSavedSecret(dataDir, arn)).toBe(one.SecretString);
  expect(await readSavedSecret(dataDir, `${arn}s`)).toBeUndefined();
});

test('gives a secret that is not in the template the value that it got', async () => {
  const { secrets } = await start();
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: 'Given' }));
  expect(SecretString).toBe('given');
});

test('finds a secret that an operator has stored meanwhile, readable only by the owner, beside those of before', async () => {
  const { secrets, dataDir } = await start();
  const one = await readSavedSecret(dataDir, 'One');
  await saveSecret(dataDir, 'Stored', 'by hand');
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: 'Stored' }));
  expect(SecretString).toBe('by hand');
  expect(await readSavedSecret(dataDir, 'One')).toBe(one);
  if (process.getuid) expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('refuses to read an unknown secret', async () => {
  const { secrets } = await start();
  await expect(secrets.send(new GetSecretValueCommand({ SecretId: 'nothing' }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('explains an unreadable file of secrets', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'secrets.json'), '{"One":1}');
  await expect(start(dataDir)).rejects.toThrow(
    `${join(dataDir, 'secrets.json')} is damaged, or from another version of the service: restore it from a copy, or delete it`,
  );
});

test('puts messages only into queues of the template', async () => {
  const { sqs, sent, clock, endpoint } = await start();
  const send = (name: string) =>
    sqs.send(new SendMessageCommand({ QueueUrl: `${endpoint}/000000000000/${name}`, MessageBody: 'body' }));
  expect((await send('Queue')).MessageId).toBe('the-id');
  await expect(send('Other')).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  expect(sent).toEqual([['Queue', 'body', clock.now()]]);
});

const mail = (changes: { readonly text?: string; readonly subject?: string } & Partial<SendEmailCommandInput> = {}) => {
  const { text = 'Hello!', subject = 'Contact request from Ada', ...others } = changes;
  return new SendEmailCommand({
    FromEmailAddress: 'Office <office@example.com>',
    ConfigurationSetName: 'any',
    Destination: { ToAddresses: ['staff@example.org'] },
    ReplyToAddresses: ['ada@example.com'],
    Content: {
      Simple: {
        Subject: { Data: subject, Charset: 'UTF-8' },
        Body: { Text: { Data: text, Charset: 'UTF-8' } },
        Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      },
    },
    ...others,
  });
};

test('writes an email to a file that only the owner can read, named by time and id', async () => {
  const { ses, folder, mails, clock } = await start();
  const { MessageId: id } = await ses.send(mail());
  clock.advance(1000);
  await ses.send(mail());
  const [file = '', later] = mails();
  expect(file).toBe(join(folder, `2026-03-04T19-15-17.135Z-${id}.eml`));
  expect(later).toContain('2026-03-04T19-15-18.135Z-');
  if (process.getuid) expect([folder, file].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  const [head = '', body] = readFileSync(file, 'latin1').split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'From: Office <office@example.com>',
      'To: staff@example.org',
      'Reply-To: ada@example.com',
      'Subject: Contact request from Ada',
      'Date: Wed, 04 Mar 2026 19:15:17 +0000',
      'Auto-Submitted: auto-generated',
      `Message-ID: <${id}@email.amazonses.com>`,
    ]),
  );
  expect(body).toBe('Hello!\r\n');
});

test.each([
  { FromEmailAddress: 'Büro <office@example.com>' },
  { FromEmailAddress: 'Office <office@example.com>\r\nBcc: victim@example.com' },
  { ReplyToAddresses: ['ådå@example.com'] },
])('refuses an address that is not ASCII, as Amazon SES does: %j', async (addresses) => {
  const { ses } = await start();
  await expect(ses.send(mail(addresses))).rejects.toMatchObject({ name: 'BadRequestException' });
});

const templated = (changes: Partial<SendTemplatedEmailCommandInput> = {}) =>
  new SendTemplatedEmailCommand({
    Source: 'Office <office@example.com>',
    ConfigurationSetName: 'any',
    Destination: { ToAddresses: ['ada@example.com'] },
    ReplyToAddresses: ['office@example.org'],
    Template: 'Template',
    TemplateData: JSON.stringify({ site: 'a < b', time: 'noon' }),
    ...changes,
  });

test('fills in a template of the stack, and writes it as an email', async () => {
  const { olderSes, mails } = await start();
  const { MessageId: id } = await olderSes.send(templated());
  const [file = ''] = mails();
  expect(file).toContain(id);
  const content = readFileSync(file, 'utf8');
  expect(content).toMatch(/^From: Office <office@example.com>\r\nTo: ada@example.com\r\n/);
  expect(content).toContain('Reply-To: office@example.org');
  for (const text of ['Subject: From a < b', 'a < b noon', '<p>a < b</p>']) expect(content).toContain(text);
});

test.each([
  [{ Template: 'Other' }, 'TemplateDoesNotExistException'],
  [{ Destination: { ToAddresses: ['ådå@example.com'] } }, 'InvalidParameterValue'],
])('refuses what SES refuses: %j', async (changes, name) => {
  const { olderSes } = await start();
  await expect(olderSes.send(templated(changes))).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
});

test('hands each email over with bare addresses, and an id of our own host', async () => {
  const emails: OutgoingEmail[] = [];
  const sendEmail = async (email: OutgoingEmail) => void emails.push(email);
  const { ses, olderSes } = await start(undefined, { sendEmail, messageHost: 'forms.example.com' });
  const { MessageId: id } = await ses.send(mail());
  await olderSes.send(templated());
  expect(emails.map(({ from, to }) => [from, to])).toEqual([
    ['office@example.com', ['staff@example.org']],
    ['office@example.com', ['ada@example.com']],
  ]);
  expect(emails[0]?.content.toString()).toContain(`\r\nMessage-ID: <${id}@forms.example.com>\r\n`);
});

test.each<[EmailFailure, string, string, number]>([
  ['refused', 'EMESSAGE 550 5.1.1', 'MessageRejected', 400],
  ['not sent', 'EAUTH 535 5.7.8', 'EAUTH', 400],
  ['not sent', 'ESOCKET: connect ECONNREFUSED', 'ESOCKET', 400],
  ['unknown', 'ETIMEDOUT: Timeout', 'ETIMEDOUT', 500],
])('says of an email that was %s (%s): %s', async (failure, reason, name, httpStatusCode) => {
  const sendEmail = () => Promise.reject(new EmailError(failure, reason));
  const { ses, olderSes, lines } = await start(undefined, { sendEmail });
  for (const sending of [() => ses.send(mail()), () => olderSes.send(templated())]) {
    await expect(sending()).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
  }
  expect(lines).toEqual(Array.from({ length: 2 }, () => `email: not accepted: ${reason}`));
});

test('sends an email once if its sender gives up and tries again, but again after a failure', async () => {
  const tries: PromiseWithResolvers<void>[] = [];
  const sendEmail = () => {
    const next = Promise.withResolvers<void>();
    tries.push(next);
    return next.promise;
  };
  const { ses, clock } = await start(undefined, { sendEmail });
  const giveUp = new AbortController();
  const first = ses.send(mail(), { abortSignal: giveUp.signal }).catch(({ name }) => name);
  await expect.poll(() => tries.length).toBe(1);
  giveUp.abort();
  expect(await first).toBe('AbortError');
  clock.advance(90_000);
  tries[0]?.resolve();
  await ses.send(mail());
  expect(tries).toHaveLength(1);

  const other = ses.send(mail({ text: 'Other' })).catch(({ name }) => name);
  await expect.poll(() => tries.length).toBe(2);
  tries[1]?.reject(new EmailError('not sent', 'ESOCKET'));
  expect(await other).toBe('ESOCKET');
  const again = ses.send(mail({ text: 'Other' }));
  await expect.poll(() => tries.length).toBe(3);
  tries[2]?.resolve();
  await again;
});

test('writes no header that a text contains', async () => {
  const { ses, mails } = await start();
  await ses.send(mail({ subject: 'Hello\r\nBcc: victim@example.com', text: 'Grüße\r\nBcc: victim@example.com' }));
  const [head = ''] = readFileSync(mails()[0] ?? '', 'latin1').split('\r\n\r\n');
  expect(head).toContain('\r\nSubject: Hello Bcc: victim@example.com\r\n');
  expect(head).not.toMatch(/^Bcc/m);
});

test('logs no address when it cannot write an email', async () => {
  const { ses, folder, lines } = await start();
  writeFileSync(folder, 'in the way');
  await expect(ses.send(mail())).rejects.toMatchObject({ name: 'InternalFailure', $metadata: { httpStatusCode: 500 } });
  expect(lines).toEqual([expect.stringMatching(/^services: (?!.*@example)/)]);
});

test('names an unsupported operation', async () => {
  const { ses, sqs, secrets } = await start();
  const message = (what: string) => `The local host does not serve ${what}`;
  await expect(ses.send(mail({ Content: { Raw: { Data: new Uint8Array() } } }))).rejects.toThrow(
    message('this form of SendEmail'),
  );
  await expect(sqs.send(new ReceiveMessageCommand({ QueueUrl: 'Queue' }))).rejects.toThrow(
    message('AmazonSQS.ReceiveMessage'),
  );
  await expect(secrets.send(new GetSecretValueCommand({ SecretId: 'One', VersionId: 'a'.repeat(32) }))).rejects.toThrow(
    message('secretsmanager.GetSecretValue'),
  );
});

test('refuses clients without the credential', async () => {
  const { endpoint } = await start();
  expect((await send(endpoint, { method: 'POST', body: '{}' })).status).toBe(403);
});

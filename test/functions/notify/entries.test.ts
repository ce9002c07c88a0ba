import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import type * as fanOut from '../../../functions/fan-out.ts';
import { fanOutSettings, notifySettings } from '../../../functions/notify/notify-settings.ts';
import type { Target } from '../../../functions/notify/target.ts';
import type * as notify from '../../../functions/notify.ts';
import { toVariables } from '../../../functions/shared/variables.ts';
import { idIn, minimal, siteOrigin, startContacts } from '../../support/contacts.ts';
import { lambdaContext } from '../../support/event.ts';
import { type AwsCall, type AwsResponse, awsError, type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { logLines, logText } from '../../support/log.ts';
import { again, done, queueEvent, recordOf } from '../../support/notifications.ts';
import { startReceiver } from '../../support/receiver.ts';

const services = ['SQS', 'SECRETS_MANAGER', 'SESV2'];

/** A secret without prefix, as the stack makes it. */
const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3tMaq1mYvB7e';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Sets the function's environment variables, and imports its entry file again. */
const start = async (entry: string, table: string, { url }: FakeAws, variables: Readonly<Record<string, string>>) => {
  vi.stubEnv(contactsTable.variable, table);
  for (const service of services) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, url);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const file = join(import.meta.dirname, '..', '..', '..', 'functions', `${entry}.ts`);
  // The query makes a new module of the entry file only.
  return import(/* @vite-ignore */ `${file}?${randomUUID()}`);
};

/** The function `notify` with one target. */
const startNotify = async (target: Target, aws: FakeAws) => {
  const contacts = await startContacts(() => new Date());
  const variables = toVariables(notifySettings, {
    environment: 'test',
    targets: { one: target },
    mailFrom: 'contact@example.com',
    configurationSet: 'events',
    subjects: [['sales', 'An order']],
    inboxOrigin: 'https://inbox.example.com',
  });
  const { handler }: typeof notify = await start('notify', contacts.table, aws, variables);
  return {
    deliver: async () => {
      const { id, createdAt } = Object((await contacts.post({ ...minimal, 'form-name': 'sales' })).body);
      const message = JSON.stringify({ target: 'one', id, listedAt: createdAt });
      return { id, response: await handler(queueEvent(message, { sentAt: new Date() }), lambdaContext()) };
    },
  };
};

const ok = (body: unknown = {}): AwsResponse => ({ status: 200, body });

const givesSecret =
  (value: string) =>
  ({ operation, input }: AwsCall): AwsResponse => {
    if (operation !== 'secretsmanager.GetSecretValue') return ok();
    return JSON.stringify(input).includes('AWSCURRENT')
      ? ok({ SecretString: value, CreatedDate: Date.now() / 1000 })
      : awsError(400, 'ResourceNotFoundException');
  };

it("notify signs a webhook with its target's secret", async () => {
  await using receiver = await startReceiver();
  await using aws = await startFakeAws(givesSecret(secret));
  const lambda = await startNotify({ kind: 'webhook', url: receiver.url, secret: 'arn:secret' }, aws);
  const { id, response } = await lambda.deliver();
  expect(response).toStrictEqual(done);
  expect(aws.calls.map(({ operation, input }) => [operation, input])).toStrictEqual([
    ['secretsmanager.GetSecretValue', { SecretId: 'arn:secret', VersionStage: 'AWSCURRENT' }],
    ['secretsmanager.GetSecretValue', { SecretId: 'arn:secret', VersionStage: 'AWSPREVIOUS' }],
  ]);
  const [{ body = '', headers = {} } = {}] = receiver.received;
  expect(new Webhook(`whsec_${secret}`).verify(body, Object(headers))).toMatchObject({
    type: 'contact.created',
    data: { id, ...minimal },
  });
});

it("notify sends a mail with the form's subject, a link into the inbox, and the configuration set that reports bounces", async () => {
  await using aws = await startFakeAws(() => ok({ MessageId: 'x' }));
  const lambda = await startNotify({ kind: 'email', to: 'staff@example.com' }, aws);
  const { id, response } = await lambda.deliver();
  expect(response).toStrictEqual(done);
  expect(aws.calls).toMatchObject([
    {
      operation: 'POST /v2/email/outbound-emails',
      input: {
        FromEmailAddress: 'contact@example.com',
        Destination: { ToAddresses: ['staff@example.com'] },
        ConfigurationSetName: 'events',
        ReplyToAddresses: ['ada@example.com'],
        Content: {
          Simple: {
            Subject: { Data: 'An order: ada@example.com' },
            Body: { Text: { Data: expect.stringContaining(`\nhttps://inbox.example.com/#${id}\n`) } },
          },
        },
      },
    },
  ]);
});

it('notify reads the URL of Slack from the named secret', async () => {
  await using aws = await startFakeAws(givesSecret('https://127.0.0.1:9/'));
  const lambda = await startNotify({ kind: 'slack', secret: 'slack-url' }, aws);
  expect((await lambda.deliver()).response).toStrictEqual(again);
  expect(aws.calls).toMatchObject([{ input: { SecretId: 'slack-url' } }]);
  expect(logLines()).toContainEqual(
    expect.objectContaining({ message: 'notification failed', reason: 'ECONNREFUSED' }),
  );
  expect(logText()).not.toContain('127.0.0.1');
});

/** The client checks the MD5. */
const takesMessages = ({ input }: AwsCall): AwsResponse => {
  const { MessageBody: body } = v.parse(v.object({ MessageBody: v.string() }), input);
  return ok({ MessageId: 'x', MD5OfMessageBody: createHash('md5').update(body).digest('hex') });
};

const sqs = 'https://sqs.eu-central-1.amazonaws.com/123456789012';
const queues = { one: `${sqs}/one`, other: `${sqs}/other` };
const targets = {
  one: { url: queues.one },
  other: { url: queues.other, sites: [siteOrigin] },
  unmatched: { url: `${sqs}/unmatched`, forms: ['sales'] },
};

/** Passes a new contact request to `fan-out`. @returns its id, and the response */
const fanOutNew = async (aws: FakeAws) => {
  const contacts = await startContacts(() => new Date());
  const variables = toVariables(fanOutSettings, { environment: 'test', queues: targets });
  const { handler }: typeof fanOut = await start('fan-out', contacts.table, aws, variables);
  const id = idIn(await contacts.post(minimal, { Origin: siteOrigin }));
  const record = await recordOf(contacts.table, id, new Date());
  return { id, response: await handler({ Records: [record] }, lambdaContext()) };
};

it('fan-out sends a message to the queue of each matching target', async () => {
  await using aws = await startFakeAws(takesMessages);
  const { id, response } = await fanOutNew(aws);
  expect(response).toStrictEqual(done);
  const sent = aws.calls.map(({ operation, input }) => {
    const { QueueUrl, MessageBody } = Object(input);
    return [operation, QueueUrl, JSON.parse(MessageBody)];
  });
  const byUrl = ([, one]: unknown[], [, other]: unknown[]) => String(one).localeCompare(String(other));
  expect(sent.toSorted(byUrl)).toStrictEqual(
    Object.entries(queues).map(([target, url]) => [
      'AmazonSQS.SendMessage',
      url,
      { target, id, listedAt: expect.any(String) },
    ]),
  );
});

it('fan-out counts messages to a deleted queue, and does not retry', async () => {
  await using aws = await startFakeAws(() => awsError(400, 'com.amazonaws.sqs#QueueDoesNotExist'));
  expect((await fanOutNew(aws)).response).toStrictEqual(done);
  for (const Target of Object.keys(queues))
    expect(logLines()).toContainEqual(expect.objectContaining({ Target, NotificationsFailed: 1 }));
});

import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';
import { contactsTable } from '../../../functions/contacts/table.ts';
import type { Target } from '../../../functions/notify/notify-variables.ts';
import { toVariables } from '../../../functions/variables.ts';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import { lambdaContext } from '../../support/event.ts';
import { type AwsAnswer, type AwsCall, awsFailure, type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { logLines, logText } from '../../support/log.ts';
import { again, done, queueEvent, recordOf } from '../../support/notifications.ts';
import { startReceiver } from '../../support/receiver.ts';

const services = ['SQS', 'SECRETS_MANAGER', 'SESV2'];

/** A secret as the stack has it made, without its prefix. */
const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3tMaq1mYvB7e';

const email = { kind: 'email', from: 'contact@example.com', to: 'staff@example.com' } as const;

afterEach(() => {
  vi.unstubAllEnvs();
  // What was loaded asks queues that are gone.
  vi.resetModules();
});

/** The function as it is deployed: composed of what its variables say, with clients that speak to a network. */
const startFunction = async (target: Target, { url }: FakeAws) => {
  vi.resetModules();
  const contacts = await startContacts(() => new Date());
  vi.stubEnv(contactsTable.variable, contacts.table);
  for (const service of services) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, url);
  const variables = {
    TARGET: target,
    QUEUE_URL: `${url}/123456789012/queue`,
    DEAD_LETTERS_URL: `${url}/123456789012/dead-letters`,
  };
  for (const [name, value] of Object.entries(toVariables(variables))) vi.stubEnv(name, value);
  const { handler } = await import('../../../functions/notify/notify.ts');
  return {
    deliver: async (since = new Date()) => {
      const id = idIn(await contacts.post(minimal));
      const record = await recordOf(contacts.table, id, new Date());
      return { id, record, answer: await handler(queueEvent(record, { since }), lambdaContext()) };
    },
    sample: () => handler({ sample: true }, lambdaContext()),
  };
};

const ok = (body: unknown = {}): AwsAnswer => ({ status: 200, body });

/** Takes what the function says to its queues, and fails at everything else. The client looks at the sum. */
const onlyQueues = ({ operation, input }: AwsCall): AwsAnswer => {
  if (!operation.startsWith('AmazonSQS')) return awsFailure(400, 'MessageRejected');
  const { MessageBody: body } = v.parse(v.object({ MessageBody: v.optional(v.string(), '') }), input);
  return ok({ MessageId: 'x', MD5OfMessageBody: createHash('md5').update(body).digest('hex') });
};

const givesSecret = ({ operation, input }: AwsCall): AwsAnswer => {
  if (operation !== 'secretsmanager.GetSecretValue') return ok();
  return JSON.stringify(input).includes('AWSCURRENT')
    ? ok({ SecretString: secret, CreatedDate: Date.now() / 1000 })
    : awsFailure(400, 'ResourceNotFoundException');
};

it('signs a webhook with the secret of its target', async () => {
  await using receiver = await startReceiver();
  await using aws = await startFakeAws(givesSecret);
  const lambda = await startFunction({ kind: 'standard', url: receiver.url, secretArn: 'arn:secret' }, aws);
  const { id, answer } = await lambda.deliver();
  expect(answer).toStrictEqual(done);
  expect(aws.calls.map(({ operation, input }) => [operation, input])).toStrictEqual([
    ['secretsmanager.GetSecretValue', { SecretId: 'arn:secret', VersionStage: 'AWSCURRENT' }],
    ['secretsmanager.GetSecretValue', { SecretId: 'arn:secret', VersionStage: 'AWSPREVIOUS' }],
  ]);
  const [{ body = '', headers = {} } = {}] = receiver.received;
  expect(new Webhook(`whsec_${secret}`).verify(body, { ...headers } as Record<string, string>)).toMatchObject({
    type: 'contact.created',
    data: { id, ...minimal },
  });
});

it('sends a mail', async () => {
  await using aws = await startFakeAws(() => ok({ MessageId: 'x' }));
  const lambda = await startFunction(email, aws);
  const { answer } = await lambda.deliver();
  expect(answer).toStrictEqual(done);
  expect(aws.calls).toMatchObject([
    {
      operation: 'POST /v2/email/outbound-emails',
      input: {
        FromEmailAddress: 'contact@example.com',
        Destination: { ToAddresses: ['staff@example.com'] },
        ReplyToAddresses: ['ada@example.com'],
        Content: { Simple: { Subject: { Data: 'Contact request from ada@example.com', Charset: 'UTF-8' } } },
      },
    },
  ]);
});

it('posts to Slack, without a call to AWS', async () => {
  await using receiver = await startReceiver();
  await using aws = await startFakeAws(() => ok());
  const lambda = await startFunction({ kind: 'slack', url: receiver.url }, aws);
  expect((await lambda.deliver()).answer).toStrictEqual(done);
  expect(receiver.received).toHaveLength(1);
  expect(aws.calls).toStrictEqual([]);
});

it('lets a message wait in its queue when the target does not take it', async () => {
  await using aws = await startFakeAws(onlyQueues);
  const lambda = await startFunction(email, aws);
  expect((await lambda.deliver()).answer).toStrictEqual(again);
  expect(aws.calls[1]).toMatchObject({
    operation: 'AmazonSQS.ChangeMessageVisibility',
    input: {
      QueueUrl: `${aws.url}/123456789012/queue`,
      ReceiptHandle: 'handle',
      VisibilityTimeout: expect.any(Number),
    },
  });
  expect(logLines()).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'notification failed', reason: 'SES MessageRejected', tries: 1 }),
  );
  expect(logText()).not.toContain('@example.com');
});

it('puts what it gives up to the dead letters, as it came', async () => {
  await using aws = await startFakeAws(onlyQueues);
  const lambda = await startFunction(email, aws);
  const { record, answer } = await lambda.deliver(new Date(Date.now() - 24 * 60 * 60 * 1000));
  expect(answer).toStrictEqual(done);
  expect(aws.calls[1]).toMatchObject({
    operation: 'AmazonSQS.SendMessage',
    input: {
      QueueUrl: `${aws.url}/123456789012/dead-letters`,
      MessageBody: record,
      MessageAttributes: {
        Target: { DataType: 'String', StringValue: 'Webhook01234567' },
        Tries: { DataType: 'Number', StringValue: '1' },
        Reason: { DataType: 'String', StringValue: 'SES MessageRejected' },
      },
    },
  });
});

it('leaves a message to the queue when that fails, too', async () => {
  await using aws = await startFakeAws(() => awsFailure(400, 'AccessDeniedException'));
  const lambda = await startFunction(email, aws);
  expect((await lambda.deliver()).answer).toStrictEqual(again);
  expect(logLines()).toContainEqual(
    expect.objectContaining({
      ...{ level: 'error', message: 'queue failed' },
      ...{ target: 'Webhook01234567', error: 'AccessDeniedException' },
    }),
  );
});

it('says what became of a sample', async () => {
  let answer = ok();
  await using aws = await startFakeAws(() => answer);
  const lambda = await startFunction(email, aws);
  expect(await lambda.sample()).toStrictEqual({ told: true, milliseconds: expect.any(Number) });
  answer = awsFailure(400, 'MessageRejected');
  expect(await lambda.sample()).toStrictEqual({
    told: false,
    reason: 'SES MessageRejected',
    milliseconds: expect.any(Number),
  });
});

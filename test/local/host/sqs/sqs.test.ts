import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { beforeEach, expect, test, vi } from 'vitest';
import { testFolder } from '../test-tables.ts';
import { createReceiver } from './receiver.ts';
import { startTelling } from './telling.ts';

let telling: Awaited<ReturnType<typeof startTelling>>;
let client: SQSClient;
let QueueUrl: string;

beforeEach(async () => {
  telling = await startTelling(testFolder(), await createReceiver(), { targets: ['One'] });
  client = telling.sqs();
  QueueUrl = telling.queueUrl('DeadLetters');
});

const send = (MessageBody: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }));

const receive = async (input: Partial<ReceiveMessageCommand['input']> = {}) =>
  (await client.send(new ReceiveMessageCommand({ QueueUrl, ...input }))).Messages ?? [];

const receiveOne = async () => {
  const [message] = await receive();
  if (!message) throw new Error('There is no message');
  return message;
};

test('a message is kept as it was sent, until it is deleted', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const body = 'line\n"quote" \u{1f600}';
  const MessageAttributes = {
    Target: { DataType: 'String', StringValue: 'Webhook1a2b3c4d' },
    Tries: { DataType: 'Number', StringValue: '7' },
    Bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) },
  };
  const sent = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: body, MessageAttributes }));
  const [message, ...others] = await receive({
    MaxNumberOfMessages: 10,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
  });
  expect(others).toEqual([]);
  const now = String(telling.clock.now());
  expect(message).toMatchObject({ MessageId: sent.MessageId, Body: body, MessageAttributes });
  expect(message?.Attributes).toEqual({ SentTimestamp: now, ApproximateReceiveCount: '1' });
  expect(await receive()).toEqual([]);

  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }));
  telling.clock.advance(24 * 60 * 60 * 1000);
  expect(await receive()).toEqual([]);
  // The SDK says so when a queue's URL leads elsewhere than its endpoint.
  expect(warn).not.toHaveBeenCalled();
});

test('attributes are told to who asks for them', async () => {
  await client.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: 'a',
      MessageAttributes: { Reason: { DataType: 'String', StringValue: 'HTTP 500' } },
    }),
  );
  const message = await receiveOne();
  expect(message).not.toHaveProperty('Attributes');
  expect(message).not.toHaveProperty('MessageAttributes');
});

test('messages come in the order in which they were sent', async () => {
  const bodies = Array.from({ length: 25 }, (_, at) => `message ${at}`);
  for (const body of bodies) await send(body);
  const received: (string | undefined)[] = [];
  for (let time = 0; time < 3; time += 1) {
    received.push(...(await receive({ MaxNumberOfMessages: 10 })).map(({ Body }) => Body));
  }
  expect(received).toEqual(bodies);
});

test('of those who receive at once, one gets a message', async () => {
  for (let at = 0; at < 10; at += 1) await send(`message ${at}`);
  const received = await Promise.all(Array.from({ length: 8 }, () => receive({ MaxNumberOfMessages: 3 })));
  const ids = received.flat().map(({ MessageId }) => MessageId);
  expect(new Set(ids).size).toBe(10);
  expect(ids).toHaveLength(10);
});

test('who receives says for how long nobody else does', async () => {
  await send('a');
  expect(await receive({ VisibilityTimeout: 3600 })).toHaveLength(1);
  const attributes = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  expect((await client.send(attributes)).Attributes).toEqual({
    ApproximateNumberOfMessages: '0',
    ApproximateNumberOfMessagesNotVisible: '1',
    ApproximateNumberOfMessagesDelayed: '0',
    MessageRetentionPeriod: '1209600',
    QueueArn: expect.stringMatching(/^arn:aws:sqs:us-east-1:000000000000:DeadLetters/),
    VisibilityTimeout: '30',
  });
  telling.clock.advance(3_600_000 - 1);
  expect(await receive()).toEqual([]);
  telling.clock.advance(1);
  expect(await receive()).toHaveLength(1);
});

test('who received makes a message seen at once, or unseen for up to 12 hours in all', async () => {
  await send('a');
  const change = (ReceiptHandle: string | undefined, VisibilityTimeout: number) =>
    client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
  const first = await receiveOne();
  await change(first.ReceiptHandle, 0);
  const second = await receiveOne();
  telling.clock.advance(10_000);
  await change(second.ReceiptHandle, 43_190);
  await expect(change(second.ReceiptHandle, 43_191)).rejects.toThrow(/^Total VisibilityTimeout .* is beyond the limit/);
  await expect(change(second.ReceiptHandle, 43_201)).rejects.toMatchObject({ Code: 'InvalidParameterValue' });
  await expect(change(first.ReceiptHandle, 0)).rejects.toThrow(/not available for visibility timeout change/);
  telling.clock.advance(43_190_000);
  await expect(change(second.ReceiptHandle, 0)).rejects.toThrow(/not available for visibility timeout change/);
  expect(await receive()).toHaveLength(1);
});

test('a receipt handle that another has received since deletes nothing', async () => {
  await send('a');
  const { ReceiptHandle } = await receiveOne();
  telling.clock.advance(30_000);
  const again = await receiveOne();
  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  telling.clock.advance(30_000);
  expect((await receiveOne()).MessageId).toBe(again.MessageId);
});

test('a message is removed when its queue has kept it long enough', async () => {
  await send('old');
  telling.clock.advance(14 * 24 * 60 * 60 * 1000 - 1);
  await send('new');
  expect((await receive({ VisibilityTimeout: 0, MaxNumberOfMessages: 10 })).map(({ Body }) => Body)).toEqual([
    'old',
    'new',
  ]);
  telling.clock.advance(1);
  expect((await receive({ MaxNumberOfMessages: 10 })).map(({ Body }) => Body)).toEqual(['new']);
});

test('a queue is found by its name, and no other is there', async () => {
  const name = new URL(QueueUrl).pathname.split('/').at(-1);
  expect((await client.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl).toBe(QueueUrl);
  await expect(client.send(new GetQueueUrlCommand({ QueueName: 'other' }))).rejects.toMatchObject({
    name: 'QueueDoesNotExist',
    Code: 'AWS.SimpleQueueService.NonExistentQueue',
  });
});

test('mistakes are the errors of AWS', async () => {
  const gone = { QueueUrl: `${QueueUrl}x` };
  for (const ask of [
    () => client.send(new SendMessageCommand({ ...gone, MessageBody: 'a' })),
    () => client.send(new ReceiveMessageCommand(gone)),
    () => client.send(new GetQueueAttributesCommand(gone)),
  ]) {
    await expect(ask()).rejects.toMatchObject({ name: 'QueueDoesNotExist', $metadata: { httpStatusCode: 400 } });
  }
  await send('a');
  const { ReceiptHandle } = await receiveOne();
  for (const handle of ['none', ReceiptHandle]) {
    const url = handle === 'none' ? QueueUrl : telling.queueUrl('One');
    await expect(client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: handle }))).rejects.toMatchObject(
      { name: 'ReceiptHandleIsInvalid', $metadata: { httpStatusCode: 404 } },
    );
  }
  await expect(send('')).rejects.toMatchObject({ Code: 'InvalidParameterValue' });
  await expect(receive({ MaxNumberOfMessages: 11 })).rejects.toMatchObject({ Code: 'InvalidParameterValue' });
  await expect(client.send(new ListQueuesCommand())).rejects.toMatchObject({ name: 'UnsupportedOperation' });
});

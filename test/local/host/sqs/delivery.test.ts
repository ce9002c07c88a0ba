import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { expect, test } from 'vitest';
import type { StoreAddress } from '../../../../lib/local/host/dynamodb/store-call.ts';
import { clientOf, testFolder } from '../test-tables.ts';
import { createReceiver, type Delivery, type Reaction, type Receiver, recordOf } from './receiver.ts';
import { startTelling, type TellingOptions, visibilitySeconds } from './telling.ts';

type Telling = Awaited<ReturnType<typeof startTelling>>;

const put = (store: StoreAddress, id: string, list = 'inbox#0') =>
  clientOf(store).send(new PutCommand({ TableName: 'things', Item: { id, list, name: 'one' } }));

const begin = async (options: TellingOptions = {}) => {
  const receiver = await createReceiver();
  const folder = testFolder();
  return { receiver, folder, telling: await startTelling(folder, receiver, options) };
};

const idsOf = (receiver: Receiver, target: string) =>
  receiver.to(target).map((delivery) => recordOf(delivery).told.dynamodb.Keys.id.S);

const countsOf = async ({ sqs, queueUrl }: Telling, name: string) => {
  const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl(name), AttributeNames: ['All'] });
  const { Attributes } = await sqs().send(command);
  return [Attributes?.['ApproximateNumberOfMessages'], Attributes?.['ApproximateNumberOfMessagesNotVisible']];
};

/** Waits until no function runs, and a message is unseen for so long: nothing happens before. */
const unseen = ({ clock }: Telling, seconds: number) => expect.poll(() => clock.timers()).toEqual([seconds * 1000]);

test('each target is told once of what is new, in the form of a stream within that of a queue', async () => {
  const { receiver, telling } = await begin();
  const before = Math.floor(Date.now() / 1000);
  await put(telling.store, '1');
  for (const target of ['One', 'Other']) {
    const [delivery] = await receiver.delivered(target, 1);
    const { told, ...record } = recordOf(delivery);
    expect(delivery?.event.Records).toHaveLength(1);
    expect(record).toEqual({
      messageId: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      receiptHandle: expect.any(String),
      body: expect.any(String),
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: '000000000000',
        ApproximateFirstReceiveTimestamp: String(telling.clock.now()),
      },
      messageAttributes: {},
      md5OfBody: expect.stringMatching(/^[\da-f]{32}$/),
      eventSource: 'aws:sqs',
      eventSourceARN: expect.stringMatching(new RegExp(`^arn:aws:sqs:us-east-1:000000000000:${target}Queue\\w+$`)),
      awsRegion: 'us-east-1',
    });
    expect(told).toEqual({
      eventID: expect.stringMatching(/^[\da-f]{32}$/),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { id: { S: '1' } },
        NewImage: { id: { S: '1' }, list: { S: 'inbox#0' }, name: { S: 'one' } },
        SequenceNumber: expect.stringMatching(/^\d{19,}$/),
        SizeBytes: 24,
        StreamViewType: 'NEW_IMAGE',
      },
      eventSourceARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/local',
    });
    expect(told.dynamodb.ApproximateCreationDateTime).toBeGreaterThanOrEqual(before);
    await expect.poll(() => countsOf(telling, target)).toEqual(['0', '0']);
  }
});

test('only what the pipe lets through is told: no spam, no removal, no write that changes nothing', async () => {
  const { receiver, telling } = await begin({ targets: ['One'] });
  const client = clientOf(telling.store);
  const update = (id: string, list: string) =>
    client.send(
      new UpdateCommand({
        TableName: 'things',
        Key: { id },
        UpdateExpression: 'SET #list = :list',
        ExpressionAttributeNames: { '#list': 'list' },
        ExpressionAttributeValues: { ':list': list },
      }),
    );
  await put(telling.store, 'spam', 'spam#0');
  await put(telling.store, 'ham');
  await put(telling.store, 'ham');
  await update('ham', 'inbox#0');
  await update('spam', 'inbox#0');
  await client.send(new DeleteCommand({ TableName: 'things', Key: { id: 'ham' } }));
  await client.send(new DeleteCommand({ TableName: 'things', Key: { id: 'never' } }));
  await put(telling.store, 'last');

  const deliveries = await receiver.delivered('One', 3);
  const told = deliveries.map((delivery) => recordOf(delivery).told);
  expect(told.map(({ eventName, dynamodb }) => `${eventName} ${dynamodb.Keys.id.S}`).toSorted()).toEqual([
    'INSERT ham',
    'INSERT last',
    'MODIFY spam',
  ]);
  const numbers = told.map(({ dynamodb }) => BigInt(dynamodb.SequenceNumber));
  expect(new Set(numbers).size).toBe(3);
});

test.each([
  [StreamViewType.NEW_AND_OLD_IMAGES, ['NewImage', 'OldImage']],
  [StreamViewType.NEW_IMAGE, ['NewImage']],
])('a stream of %s tells of a change with %j', async (viewType, images) => {
  const { receiver, telling } = await begin({ targets: ['One'], viewType });
  await put(telling.store, '1', 'inbox#0');
  await receiver.delivered('One', 1);
  await put(telling.store, '1', 'inbox#1');
  const [, delivery] = await receiver.delivered('One', 2);
  const { dynamodb } = recordOf(delivery).told;
  expect(Object.keys(dynamodb).filter((name) => name.endsWith('Image'))).toEqual(images);
  expect(dynamodb.NewImage.list).toEqual({ S: 'inbox#1' });
  if (dynamodb.OldImage) expect(dynamodb.OldImage.list).toEqual({ S: 'inbox#0' });
});

test.each(['failed', 'thrown'] as const)(
  'what has %s comes again when its visibility ends, and not before',
  async (reaction) => {
    const { receiver, telling } = await begin({ targets: ['One'] });
    receiver.answer(() => reaction);
    await put(telling.store, '1');
    await unseen(telling, visibilitySeconds);
    const begun = telling.clock.now();
    telling.clock.advance(visibilitySeconds * 1000 - 1);
    expect(receiver.to('One')).toHaveLength(1);

    receiver.answer(() => 'done');
    telling.clock.advance(1);
    const [first, second] = (await receiver.delivered('One', 2)).map(recordOf);
    expect(second?.messageId).toBe(first?.messageId);
    expect(second?.body).toBe(first?.body);
    expect(second?.receiptHandle).not.toBe(first?.receiptHandle);
    expect(second?.attributes).toEqual({
      ...first?.attributes,
      ApproximateReceiveCount: '2',
      ApproximateFirstReceiveTimestamp: String(begun),
    });
    await expect.poll(() => countsOf(telling, 'One')).toEqual(['0', '0']);
  },
);

test('a function that throws is a failure, also when it reports none', async () => {
  const { receiver, telling } = await begin({ targets: ['One'], reportsFailures: false });
  receiver.answer(() => 'thrown');
  await put(telling.store, '1');
  await unseen(telling, visibilitySeconds);
  // An answer that is no report counts as done.
  receiver.answer(() => 'failed');
  telling.clock.advance(visibilitySeconds * 1000);
  await receiver.delivered('One', 2);
  await expect.poll(() => countsOf(telling, 'One')).toEqual(['0', '0']);
});

test('of several messages at once those come again that were reported', async () => {
  const { receiver, telling } = await begin({ targets: ['One'], batchSize: 10 });
  const failing = (count: number) => (delivery: Delivery) => ({
    answers: {
      batchItemFailures: delivery.event.Records.slice(0, count).map(({ messageId }) => ({ itemIdentifier: messageId })),
    },
  });
  const hold = Promise.withResolvers<Reaction>();
  receiver.answer(() => hold.promise);
  // Two invocations that do not end, so that the others gather.
  for (let id = 0; id < 2; id += 1) {
    await put(telling.store, String(id));
    await receiver.delivered('One', id + 1);
  }
  for (let id = 2; id < 7; id += 1) await put(telling.store, String(id));
  receiver.answer(failing(2));
  hold.resolve('done');
  const [, , five] = await receiver.delivered('One', 3);
  expect(five?.event.Records).toHaveLength(5);
  // A function has answered before what it has taken is removed.
  await expect.poll(() => countsOf(telling, 'One')).toEqual(['0', '2']);
  await unseen(telling, visibilitySeconds);
  receiver.answer(() => 'done');
  telling.clock.advance(visibilitySeconds * 1000);
  const [, , , two] = await receiver.delivered('One', 4);
  const failed = five?.event.Records.slice(0, 2).map(({ messageId }) => messageId);
  expect(two?.event.Records.map(({ messageId }) => messageId).toSorted()).toEqual(failed?.toSorted());
});

test.each<[string, unknown]>([
  ['names a message that it did not get', { batchItemFailures: [{ itemIdentifier: 'other' }] }],
  ['is no report', { batchItemFailures: 'all' }],
])('all messages come again when the answer %s', async (_, answers) => {
  const { receiver, telling } = await begin({ targets: ['One'] });
  receiver.answer(() => ({ answers }));
  await put(telling.store, '1');
  await unseen(telling, visibilitySeconds);
  expect(await countsOf(telling, 'One')).toEqual(['0', '1']);
});

test.each([
  [30, 30],
  [3600, 300],
])('a function that makes its message wait for %i seconds gets it again then', async (seconds, lookedAgainAfter) => {
  const { receiver, telling } = await begin({ targets: ['One'] });
  receiver.answer(() => seconds);
  await put(telling.store, '1');
  await unseen(telling, lookedAgainAfter);
  expect(await countsOf(telling, 'One')).toEqual(['0', '1']);
  telling.clock.advance(seconds * 1000 - 1);
  expect(receiver.to('One')).toHaveLength(1);
  receiver.answer(() => 'done');
  telling.clock.advance(1);
  await receiver.delivered('One', 2);
  await expect.poll(() => countsOf(telling, 'One')).toEqual(['0', '0']);
});

test('what was received too often is in the dead letters, as it was, and can be sent again', async () => {
  const { receiver, telling } = await begin({ targets: ['One'], maxReceiveCount: 2 });
  receiver.answer(() => 'failed');
  await put(telling.store, '1');
  for (let time = 0; time < 2; time += 1) {
    await unseen(telling, visibilitySeconds);
    telling.clock.advance(visibilitySeconds * 1000);
    await receiver.delivered('One', time + 1);
  }
  await expect.poll(() => countsOf(telling, 'DeadLetters')).toEqual(['1', '0']);
  expect(receiver.to('One')).toHaveLength(2);
  expect(await countsOf(telling, 'One')).toEqual(['0', '0']);
  const { Messages } = await telling
    .sqs()
    .send(
      new ReceiveMessageCommand({ QueueUrl: telling.queueUrl('DeadLetters'), MessageSystemAttributeNames: ['All'] }),
    );
  const { messageId, body, eventSourceARN } = recordOf(receiver.to('One')[0]);
  expect(Messages).toMatchObject([
    {
      MessageId: messageId,
      Body: body,
      Attributes: { ApproximateReceiveCount: '3', DeadLetterQueueSourceArn: eventSourceARN },
    },
  ]);

  receiver.answer(() => 'done');
  const MessageAttributes = { Again: { DataType: 'String', StringValue: 'yes' } };
  await telling
    .sqs()
    .send(new SendMessageCommand({ QueueUrl: telling.queueUrl('One'), MessageBody: body, MessageAttributes }));
  const [, , again] = await receiver.delivered('One', 3);
  expect(recordOf(again)).toMatchObject({
    body,
    attributes: { ApproximateReceiveCount: '1' },
    messageAttributes: {
      Again: { stringValue: 'yes', stringListValues: [], binaryListValues: [], dataType: 'String' },
    },
  });
});

test('a target that does not end keeps no other waiting, and gets two at once', async () => {
  const { receiver, telling } = await begin();
  const gate = Promise.withResolvers<'done'>();
  receiver.answer(({ target }) => (target === 'One' ? gate.promise : 'done'));
  for (let id = 0; id < 10; id += 1) await put(telling.store, String(id));
  await receiver.delivered('One', 2);
  await receiver.delivered('Other', 10);
  expect(receiver.to('One')).toHaveLength(2);
  gate.resolve('done');
  await receiver.delivered('One', 10);
  expect(new Set(idsOf(receiver, 'One'))).toEqual(new Set(idsOf(receiver, 'Other')));
});

test('a close lets end what is under way, and the rest is told after the next start', async () => {
  const { receiver, folder, telling } = await begin({ targets: ['One'] });
  const gate = Promise.withResolvers<'done'>();
  receiver.answer(() => gate.promise);
  for (let id = 0; id < 5; id += 1) await put(telling.store, String(id));
  await receiver.delivered('One', 2);
  const closed = telling.close();
  gate.resolve('done');
  await closed;
  expect(receiver.to('One')).toHaveLength(2);

  const next = await startTelling(folder, receiver, { targets: ['One'] });
  await receiver.delivered('One', 5);
  await expect.poll(() => countsOf(next, 'One')).toEqual(['0', '0']);
  expect(idsOf(receiver, 'One').toSorted()).toEqual(['0', '1', '2', '3', '4']);
});

test('without a pipe nobody is told, and what tells is there all the same', async () => {
  const { receiver, folder, telling } = await begin({ paused: true });
  await put(telling.store, '1');
  expect(await countsOf(telling, 'One')).toEqual(['0', '0']);
  await telling.close();

  const { store } = await startTelling(folder, receiver);
  await put(store, '2');
  for (const target of ['One', 'Other']) {
    await receiver.delivered(target, 1);
    expect(idsOf(receiver, target)).toEqual(['2']);
  }
});

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { StoreAddress } from '../../../../lib/local/host/dynamodb/store-call.ts';
import { accessStore } from '../../../../lib/local/host/store-access.ts';
import { testOnPosix } from '../../../support/posix.ts';
import { synthesize } from '../test-host.ts';
import { startProcess } from '../test-process.ts';
import { clientOf, testFolder } from '../test-tables.ts';
import { createReceiver, type Receiver, recordOf } from './receiver.ts';
import { addTelling, startTelling } from './telling.ts';

const put = (store: StoreAddress, id: string) =>
  clientOf(store).send(new PutCommand({ TableName: 'things', Item: { id, list: 'inbox#0' } }));

const idsOf = (receiver: Receiver) => receiver.to('One').map((delivery) => recordOf(delivery).told.dynamodb.Keys.id.S);

const one = { targets: ['One'] };

/** Serves the folder's data once, and leaves a message in its queue that nobody took. */
const leaveOne = async (folder: string, receiver: Receiver) => {
  const telling = await startTelling(folder, receiver, one);
  receiver.answer(() => 'failed');
  await put(telling.store, 'left');
  await expect.poll(() => telling.clock.timers()).toEqual([180_000]);
  await telling.close();
  receiver.answer(() => 'done');
};

testOnPosix('kill -9 between a write and what tells of it: the next start tells of all', async () => {
  const receiver = await createReceiver();
  const folder = testFolder();
  receiver.answer(() => new Promise(() => {}));
  const assembly = synthesize(folder, (stack) => addTelling(stack, receiver.url, one));
  const { child, store } = await startProcess(`${folder}/data`, assembly);
  for (let id = 0; id < 20; id += 1) await put(store, String(id));
  // Two invocations wait for an answer: the other messages have not been received.
  await receiver.delivered('One', 2);
  child.kill('SIGKILL');
  await once(child, 'exit');

  receiver.answer(() => 'done');
  const { clock } = await startTelling(folder, receiver, one);
  await receiver.delivered('One', 20);
  // Those two are nobody's until their visibility ends; this clock is far behind the other process's.
  clock.advance(Date.now() - clock.now() + 180_000);
  await receiver.delivered('One', 22);
  expect(new Set(idsOf(receiver)).size).toBe(20);
});

/** Writes, many at once, and kills the process after so many answers. */
const writeUntilKilled = async ({ child, store }: Awaited<ReturnType<typeof startProcess>>, answers: number) => {
  const client = clientOf(store);
  let left = answers;
  const write = async () => {
    for (;;) {
      await client.send(new PutCommand({ TableName: 'things', Item: { id: randomUUID(), list: 'inbox#0' } }));
      left -= 1;
      if (left === 0) child.kill('SIGKILL');
    }
  };
  const ended = once(child, 'exit');
  await Promise.allSettled(Array.from({ length: 12 }, write));
  await ended;
};

testOnPosix('kill -9 in the middle of writes and deliveries: what is stored is what is told', async () => {
  const receiver = await createReceiver();
  const folder = testFolder();
  const assembly = synthesize(folder, (stack) => addTelling(stack, receiver.url, one));
  for (const answers of [30, 60, 90]) {
    await writeUntilKilled(await startProcess(`${folder}/data`, assembly), answers);
  }
  const { clock, store } = await startTelling(folder, receiver, one);
  clock.advance(Date.now() - clock.now() + 180_000);
  const { Items } = await clientOf(store).send(new ScanCommand({ TableName: 'things' }));
  const stored = Items?.map(({ id }) => id).toSorted();
  await expect.poll(() => [...new Set(idsOf(receiver))].toSorted()).toEqual(stored);
});

test('what is left in a queue waits for the next start, with how often it was received', async () => {
  const receiver = await createReceiver();
  const folder = testFolder();
  await leaveOne(folder, receiver);
  const { clock } = await startTelling(folder, receiver, one);
  await expect.poll(() => clock.timers()).toEqual([180_000]);
  clock.advance(180_000);
  const [, second] = await receiver.delivered('One', 2);
  expect(recordOf(second).attributes['ApproximateReceiveCount']).toBe('2');
});

test('a clock that was set back by more than a timer can wait has nothing done all the time', async () => {
  const receiver = await createReceiver();
  const folder = testFolder();
  const telling = await startTelling(folder, receiver, one);
  telling.clock.advance(40 * 24 * 60 * 60 * 1000);
  receiver.answer(() => 'failed');
  await put(telling.store, 'left');
  await expect.poll(() => telling.clock.timers()).toEqual([180_000]);
  await telling.close();
  const { clock } = await startTelling(folder, receiver, one);
  await expect.poll(() => clock.timers()).toEqual([300_000]);
});

test('a change by another command, while no service runs, is told after the next start', async () => {
  const receiver = await createReceiver();
  const folder = testFolder();
  await (await startTelling(folder, receiver, one)).close();
  const store = await accessStore(`${folder}/data`);
  if (!store) throw new Error('There is no store');
  await put(store, 'released');
  await store.close();
  expect(receiver.to('One')).toEqual([]);

  await startTelling(folder, receiver, one);
  await receiver.delivered('One', 1);
  expect(idsOf(receiver)).toEqual(['released']);
});

test('a start whose stack tells nobody removes what was left, keeps nothing, and later starts tell of later changes', async () => {
  const receiver = await createReceiver();
  const folder = testFolder();
  await leaveOne(folder, receiver);
  const silent = await startTelling(folder, receiver, { targets: [] });
  expect(silent.lines).toContain('store: removed the messages of queues that the stack has no more: 1');
  await put(silent.store, 'untold');
  await silent.close();

  const { store, clock } = await startTelling(folder, receiver, one);
  clock.advance(180_000);
  await put(store, 'told');
  await receiver.delivered('One', 2);
  expect(idsOf(receiver)).toEqual(['left', 'told']);
});

test('what is older than its queue keeps it is removed at the next start, also of dead letters', async () => {
  const receiver = await createReceiver();
  const folder = testFolder();
  const day = 24 * 60 * 60 * 1000;
  const before = await startTelling(folder, receiver, one);
  const send = (MessageBody: string) =>
    before.sqs().send(new SendMessageCommand({ QueueUrl: before.queueUrl('DeadLetters'), MessageBody }));
  before.clock.advance(Date.now() - before.clock.now() - 15 * day);
  await send('old');
  before.clock.advance(2 * day);
  await send('new');
  await before.close();

  const { sqs, queueUrl } = await startTelling(folder, receiver, one);
  const QueueUrl = queueUrl('DeadLetters');
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  expect(Attributes).toEqual({ ApproximateNumberOfMessages: '1' });
  const { Messages } = await sqs().send(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages).toMatchObject([{ Body: 'new' }]);
});

test('300 changes at once are all told, once each', async () => {
  const receiver = await createReceiver();
  const { store } = await startTelling(testFolder(), receiver, one);
  const client = clientOf(store);
  const batches = Array.from({ length: 12 }, (_, batch) =>
    Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: { id: `${batch}-${at}`, list: 'inbox#0' } } })),
  ).values();
  const write = async () => {
    for (const batch of batches) await client.send(new BatchWriteCommand({ RequestItems: { things: batch } }));
  };
  await Promise.all(Array.from({ length: 8 }, write));
  await receiver.delivered('One', 300);
  expect(new Set(idsOf(receiver)).size).toBe(300);
});

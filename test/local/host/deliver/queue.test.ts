import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  createFunctions,
  type Functions,
  failing,
  from,
  type Invocation,
  queue,
  startDelivery,
  stream,
} from './delivering.ts';

let dataDir: string;
let functions: Functions;

beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data');
  functions = createFunctions();
});

const one = queue('one');

const start = (...sources: readonly ReturnType<typeof from>[]) =>
  startDelivery(dataDir, functions, { queues: sources.length > 0 ? sources : [from(one)], otherQueues: [deadLetters] });

const deadLetters = queue('deadLetters');

const messageSchema = v.object({ body: v.string(), messageId: v.string() });

const bodiesIn = (invocations: readonly Invocation[]) =>
  invocations.flatMap(({ records }) => records.map((record) => v.parse(messageSchema, record).body));

const visibility = 90_000;
const day = 86_400_000;

test('delivers a message once, as SQS does', async () => {
  const { send, clock, receive } = await start();
  const messageId = await send('one', 'line\n"quote" \u{1f600}');
  const [invocation] = await functions.invoked('one', 1);
  expect(invocation?.records).toEqual([
    {
      messageId,
      body: 'line\n"quote" \u{1f600}',
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(clock.now()) },
    },
  ]);
  await expect.poll(() => clock.timers()).toEqual([]);
  clock.advance(day);
  expect(await receive(one)).toBeUndefined();
});

const reactions: readonly Parameters<Functions['response']>[0][] = [
  (invocation) => failing(invocation, 0),
  () => 'throws',
  () => ({ responses: 'no report' }),
  () => ({ responses: { batchItemFailures: [{ itemIdentifier: 'another message' }] } }),
];

test('redelivers a message after any failure when its visibility timeout ends', async () => {
  const { send, clock } = await start();
  const messageId = await send('one', 'a');
  for (const [index, reaction] of reactions.entries()) {
    functions.response(reaction);
    const invocation = (await functions.invoked('one', index + 1)).at(-1);
    const ApproximateReceiveCount = String(index + 1);
    expect(invocation?.records).toMatchObject([{ messageId, body: 'a', attributes: { ApproximateReceiveCount } }]);
    await expect.poll(() => clock.timers()).toEqual([visibility]);
    clock.advance(visibility - 1);
    expect(functions.of('one')).toHaveLength(index + 1);
    clock.advance(1);
  }
  await functions.invoked('one', reactions.length + 1);
});

test('limits the deliveries to a target that hangs, without delaying other targets', async () => {
  const { send } = await start(from(queue('hanging')), from(queue('quick')));
  const hold = Promise.withResolvers<'done'>();
  functions.response(({ functionName }) => (functionName === 'hanging' ? hold.promise : 'done'));
  const bodies = Array.from({ length: 10 }, (_, number) => String(number));
  for (const body of bodies) await Promise.all([send('hanging', body), send('quick', body)]);
  expect(bodiesIn(await functions.invoked('quick', 10))).toEqual(bodies);
  expect(functions.of('hanging')).toHaveLength(2);
  hold.resolve('done');
  expect(bodiesIn(await functions.invoked('hanging', 10))).toEqual(bodies);
});

test('moves a message to the dead-letter queue after its last attempt', async () => {
  const failingQueue = queue('failing', { redrive: { deadLetters: 'deadLetters', maxReceiveCount: 2 } });
  const { send, pass, receive, lines } = await start(from(failingQueue));
  functions.response(() => 'throws');
  await send('failing', 'a');
  await pass(visibility);
  await pass(visibility);
  await expect.poll(() => lines).toEqual(['store: failing: messages moved to deadLetters after 2 tries: 1']);
  expect(functions.of('failing')).toHaveLength(2);
  expect(await receive(deadLetters)).toBe('a');
});

test('delivers unfinished messages at once after the next start, even when the clock was set back', async () => {
  const before = await start();
  functions.response(() => 'throws');
  before.clock.advance(40 * day);
  await before.send('one', 'a');
  await expect.poll(() => before.clock.timers()).toEqual([visibility]);
  await before.close();

  await start();
  const [, second] = await functions.invoked('one', 2);
  expect(second?.records[0]).toMatchObject({ body: 'a', attributes: { ApproximateReceiveCount: '2' } });
});

test('redelivers a message within its visibility timeout after the clock was set back', async () => {
  const { send, clock } = await start();
  functions.response(() => 'throws');
  await send('one', 'late');
  await expect.poll(() => clock.timers()).toEqual([visibility]);
  clock.advance(-day);
  await send('one', 'soon');
  await functions.invoked('one', 3);
  expect(bodiesIn(functions.of('one')).toSorted()).toEqual(['late', 'late', 'soon']);
});

test('finishes running deliveries when it closes, and begins no others', async () => {
  const before = await start();
  const hold = Promise.withResolvers<'done'>();
  functions.response(() => hold.promise);
  for (const body of ['a', 'b', 'c']) await before.send('one', body);
  await functions.invoked('one', 2);
  const closed = before.close();
  await expect(start()).rejects.toThrow('is in use by another process');
  hold.resolve('done');
  await closed;
  expect(functions.of('one')).toHaveLength(2);

  await start();
  expect(bodiesIn(await functions.invoked('one', 3))).toEqual(['a', 'b', 'c']);
});

test('removes the messages of a deleted queue at the start, and logs it', async () => {
  const before = await start(from(queue('former')), from(one, { enabled: false }));
  functions.response(() => 'throws');
  await before.send('former', 'a');
  await before.send('one', 'b');
  await functions.invoked('former', 1);
  await before.close();

  functions.response(() => 'done');
  const { lines } = await start();
  expect(bodiesIn(await functions.invoked('one', 1))).toEqual(['b']);
  expect(lines).toEqual(['store: records and messages of deleted streams and queues removed: 1']);
});

test('knows since when messages and records wait, and how many are tried no longer', async () => {
  const poor = queue('poor', { redrive: { deadLetters: 'deadLetters', maxReceiveCount: 1 } });
  functions.response(() => 'throws');
  const streams = [stream()];
  const queues = [from(poor), from(queue('paused'), { enabled: false })];
  const { send, put, clock, pass, undelivered } = await startDelivery(dataDir, functions, {
    streams,
    queues,
    otherQueues: [deadLetters],
  });
  await send('paused', 'a');
  expect(await undelivered()).toEqual({ deadLetters: 0 });
  const sentAt = clock.now();
  await send('poor', 'b');
  await functions.invoked('poor', 1);
  expect(await undelivered()).toEqual({ oldestAt: sentAt, deadLetters: 0 });
  await pass(visibility);
  await expect.poll(undelivered).toEqual({ deadLetters: 1 });
  await put('1');
  await functions.invoked('fanOut', 1);
  // Records know the second.
  expect(await undelivered()).toEqual({ oldestAt: expect.any(Number), deadLetters: 1 });
});

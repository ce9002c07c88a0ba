import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { notify } from '../../../../functions/notify/notify.ts';
import { lambdaContext } from '../../../support/event.ts';
import { keepLog } from '../../../support/log.ts';
import { testFolder } from '../test-tables.ts';
import { createFunctions, type Functions, failing, from, type Invocation, queue, startDelivery } from './delivering.ts';

let dataDir: string;
let functions: Functions;

keepLog();

beforeEach(() => {
  dataDir = join(testFolder(), 'data');
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

test('a message is delivered once, in the form of SQS', async () => {
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
  expect(await receive(one)).toEqual([]);
});

test.each<[string, Parameters<Functions['answer']>[0]]>([
  ['the function reports it', (invocation) => failing(invocation, 0)],
  ['the function throws', () => 'throws'],
  ['the answer is no report', () => ({ answers: 'done' })],
  ['the answer names another message', () => ({ answers: { batchItemFailures: [{ itemIdentifier: 'other' }] } })],
])('a message comes again when its visibility timeout ends, and not before, if %s', async (_, reaction) => {
  const { send, clock } = await start();
  functions.answer(reaction);
  await send('one', 'a');
  await expect.poll(() => clock.timers()).toEqual([visibility]);
  clock.advance(visibility - 1);
  expect(functions.of('one')).toHaveLength(1);
  clock.advance(1);
  const [first, second] = await functions.invoked('one', 2);
  expect(second?.records[0]).toMatchObject({
    messageId: first?.records[0]?.['messageId'],
    body: 'a',
    attributes: { ApproximateReceiveCount: '2' },
  });
});

test('of several messages at once, those that were reported come again', async () => {
  const { send, pass } = await start(from(one, { batchSize: 10, maximumConcurrency: 1 }));
  const hold = Promise.withResolvers<'done'>();
  functions.answer(() => hold.promise);
  await send('one', 'first');
  await functions.invoked('one', 1);
  for (const body of ['a', 'b', 'c', 'd']) await send('one', body);
  functions.answer((invocation) => failing(invocation, 1, 3));
  hold.resolve('done');
  const [, four] = await functions.invoked('one', 2);
  expect(bodiesIn(four ? [four] : [])).toEqual(['a', 'b', 'c', 'd']);
  await pass(visibility);
  const [, , two] = await functions.invoked('one', 3);
  expect(bodiesIn(two ? [two] : [])).toEqual(['b', 'd']);
});

test('a target that hangs gets as many at once as it may, and no other target waits', async () => {
  const { send } = await start(from(queue('hanging')), from(queue('quick')));
  const hold = Promise.withResolvers<'done'>();
  functions.answer(({ functionName }) => (functionName === 'hanging' ? hold.promise : 'done'));
  const bodies = Array.from({ length: 10 }, (_, number) => String(number));
  for (const body of bodies) await Promise.all([send('hanging', body), send('quick', body)]);
  expect(bodiesIn(await functions.invoked('quick', 10))).toEqual(bodies);
  expect(functions.of('hanging')).toHaveLength(2);
  hold.resolve('done');
  expect(bodiesIn(await functions.invoked('hanging', 10))).toEqual(bodies);
});

test('messages for a target that hangs all end in the dead-letter queue before they expire', async () => {
  // A few long waits stand for many short ones: if all ten tries of each called the target, that would take 17 days.
  const [count, hang, tries] = [50, 6_000_000, 10];
  const slow = queue('slow', {
    visibilityTimeoutSeconds: day / tries / 1000,
    redrive: { deadLetters: 'deadLetters', maxReceiveCount: tries },
  });
  const { send, clock, receive, lines, settled } = await start(from(slow));
  const listedAt = new Date(clock.now()).toISOString();
  const id = '3b241101-e2bb-4255-8caf-4136c566a962';
  const handler = notify({
    targets: new Map([['slow', () => new Promise((_, reject) => void clock.after(hang, () => reject(new Error())))]]),
    store: { get: async () => ({ id, createdAt: listedAt, message: 'Hello' }) },
    count: () => {},
    limit: () => new AbortController().signal,
    now: () => new Date(clock.now()),
  });
  functions.answer(async ({ records }) => ({ answers: await handler({ Records: records }, lambdaContext()) }));
  const messages = Array.from({ length: count }, (_, number) =>
    JSON.stringify({ target: 'slow', id, listedAt, number }),
  );
  await Promise.all(messages.map((message) => send('slow', message)));

  await settled();
  while (clock.timers().length > 0) {
    clock.advance(Math.min(...clock.timers()));
    await settled();
  }
  expect((await receive(deadLetters)).toSorted()).toEqual(messages.toSorted());
  expect(lines).toContainEqual(
    expect.stringMatching(/^store: slow: moved \d+ messages? to deadLetters after 10 tries$/),
  );
});

test('messages that are older than their queue keeps them are removed', async () => {
  const shortly = queue('shortly', { retentionSeconds: 3600 });
  const { send, clock, receive } = await start(from(one));
  await send('one', 'kept');
  await functions.invoked('one', 1);
  await send('shortly', 'old');
  clock.advance(1_800_000);
  await send('shortly', 'new');
  clock.advance(1_800_000);
  expect(await receive(shortly)).toEqual(['new']);
});

test('what a killed or ended service worked on is delivered at the next start, however its clock is set', async () => {
  const before = await start();
  functions.answer(() => 'throws');
  before.clock.advance(40 * day);
  await before.send('one', 'a');
  await expect.poll(() => before.clock.timers()).toEqual([visibility]);
  await before.close();

  await start();
  const [, second] = await functions.invoked('one', 2);
  expect(second?.records[0]).toMatchObject({ body: 'a', attributes: { ApproximateReceiveCount: '2' } });
});

test('a close lets end what is under way, and begins nothing', async () => {
  const before = await start();
  const hold = Promise.withResolvers<'done'>();
  functions.answer(() => hold.promise);
  for (const body of ['a', 'b', 'c']) await before.send('one', body);
  await functions.invoked('one', 2);
  const closed = before.close();
  hold.resolve('done');
  await closed;
  expect(functions.of('one')).toHaveLength(2);

  await start();
  expect(bodiesIn(await functions.invoked('one', 3))).toEqual(['a', 'b', 'c']);
});

test('messages of a queue that the stack no longer has are removed at the start, with a line', async () => {
  const before = await start(from(queue('former')), from(one, { enabled: false }));
  functions.answer(() => 'throws');
  await before.send('former', 'a');
  await before.send('one', 'b');
  await functions.invoked('former', 1);
  await before.close();

  functions.answer(() => 'done');
  const { lines } = await start();
  expect(bodiesIn(await functions.invoked('one', 1))).toEqual(['b']);
  expect(lines).toEqual(['store: removed 1 records and messages of streams and queues that the stack no longer has']);
});

import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { lockStore } from '../../../../lib/local/host/store/store.ts';
import { put as putThing, testFolder } from '../test-tables.ts';
import { changesIn, createFunctions, type Functions, failing, queue, startDelivery, stream } from './delivering.ts';

let dataDir: string;
let functions: Functions;

beforeEach(() => {
  dataDir = join(testFolder(), 'data');
  functions = createFunctions();
});

const start = (...streams: Parameters<typeof stream>) =>
  startDelivery(dataDir, functions, { streams: [stream(...streams)], otherQueues: [failures] });

const failures = queue('failures');

/** How long a stream gathers records. */
const gathering = 250;

test("a new thing is delivered in the form of DynamoDB's streams", async () => {
  const { put, pass } = await start();
  const before = Math.floor(Date.now() / 1000);
  await put('1');
  await pass(gathering);
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(invocation?.records).toEqual([
    {
      eventID: expect.stringMatching(/^[\da-f]{32}$/),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      dynamodb: {
        ApproximateCreationDateTime: expect.toSatisfy((seconds: number) => seconds >= before),
        Keys: { id: { S: '1' } },
        NewImage: { id: { S: '1' }, list: { S: 'inbox' } },
        SequenceNumber: expect.stringMatching(/^\d{21}$/),
        SizeBytes: 15,
        StreamViewType: 'NEW_IMAGE',
      },
      eventSourceARN: stream().streamArn,
    },
  ]);
});

test('records come in their order, as many at once as a batch takes', async () => {
  const { put, pass } = await start({ batchSize: 4 });
  for (let id = 0; id < 10; id += 1) await put(String(id));
  await pass(gathering);
  const batches = await functions.invoked('fanOut', 3);
  expect(batches.map(({ records }) => records.length)).toEqual([4, 4, 2]);
  expect(batches.flatMap(changesIn)).toEqual(Array.from({ length: 10 }, (_, id) => `INSERT ${id}`));
});

test('a filter holds back spam, removals and writes that change nothing', async () => {
  const { put, remove, pass } = await start();
  await put('spam', 'spam');
  await put('ham');
  await put('ham');
  await put('spam', 'inbox, later');
  await remove('ham');
  await remove('never');
  await pass(gathering);
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(changesIn(invocation)).toEqual(['INSERT ham', 'MODIFY spam']);
});

test.each([
  ['NEW_AND_OLD_IMAGES', ['NewImage', 'OldImage']],
  ['NEW_IMAGE', ['NewImage']],
  ['OLD_IMAGE', ['OldImage']],
  ['KEYS_ONLY', []],
] as const)('a stream of %s tells of a change with %j', async (viewType, images) => {
  const { put, pass } = await start({ viewType, filters: [] });
  await put('1', 'before');
  await put('1', 'after');
  await pass(gathering);
  const [invocation] = await functions.invoked('fanOut', 1);
  const { dynamodb } = invocation?.records[1] ?? {};
  const told = { NewImage: { list: { S: 'after' } }, OldImage: { list: { S: 'before' } } };
  expect(dynamodb).toMatchObject(Object.fromEntries(images.map((name) => [name, told[name]])));
  expect(Object.keys(dynamodb ?? {}).filter((name) => name.endsWith('Image'))).toEqual(images);
});

test('records before the first failed one are done, and the rest is tried again, in ever longer pauses', async () => {
  const { put, pass } = await start();
  functions.answer((invocation) => failing(invocation, invocation.records.length - 1, 1));
  for (const id of ['1', '2', '3']) await put(id);
  await pass(gathering);
  await pass(1000);
  functions.answer((invocation) => failing(invocation, 0));
  for (const seconds of [2, 4, 8, 16, 32, 60, 60]) await pass(seconds * 1000);
  const [first, ...others] = await functions.invoked('fanOut', 9);
  expect(changesIn(first)).toEqual(['INSERT 1', 'INSERT 2', 'INSERT 3']);
  for (const other of others) expect(changesIn(other)).toEqual(['INSERT 2', 'INSERT 3']);

  // What is new waits for what is older; once that is done, pauses are short again.
  await put('4');
  functions.answer(() => 'done');
  await pass(gathering);
  await pass(60_000 - gathering);
  const all = await functions.invoked('fanOut', 10);
  expect(changesIn(all[9])).toEqual(['INSERT 2', 'INSERT 3', 'INSERT 4']);
  await put('5');
  await pass(gathering);
  await functions.invoked('fanOut', 11);
});

test.each([
  ['throws', 'throws'],
  ['answers no report', { answers: 'done' }],
  ['names a record that it did not get', { answers: { batchItemFailures: [{ itemIdentifier: '7' }] } }],
  ['names no record', { answers: { batchItemFailures: [{ itemIdentifier: '' }] } }],
] as const)('all records are tried again if the function %s', async (_, reaction) => {
  const { put, pass } = await start();
  functions.answer(() => reaction);
  for (const id of ['1', '2']) await put(id);
  await pass(gathering);
  await pass(1000);
  const [, second] = await functions.invoked('fanOut', 2);
  expect(changesIn(second)).toEqual(['INSERT 1', 'INSERT 2']);
});

test('records that cannot be removed are tried again in the same pauses as after a failure', async () => {
  const { put, pass, calls, clock, lines } = await start();
  calls.removeRecords = () => Promise.reject(new Error('disk full'));
  await put('1');
  await pass(gathering);
  await pass(1000);
  await pass(2000);
  await functions.invoked('fanOut', 3);
  await expect.poll(() => clock.timers()).toEqual([4000]);
  expect(lines).toContain('streams: things: disk full');
});

test('records that are too old go to the failure queue, as metadata, and later ones are delivered', async () => {
  const { put, pass, receive, clock, lines } = await start({ failureQueue: 'failures', maximumRecordAgeSeconds: 3600 });
  functions.answer(() => 'throws');
  for (const id of ['1', '2']) await put(id);
  await pass(gathering);
  await expect.poll(() => clock.timers()).toEqual([1000]);
  functions.answer(() => 'done');
  clock.advance(7_200_000);
  const messages: string[] = [];
  await expect.poll(async () => messages.push(...(await receive(failures)))).toBe(1);
  expect(JSON.parse(messages[0] ?? '')).toMatchObject({
    requestContext: { functionArn: 'fanOut', condition: 'RecordAgeExceeded' },
    DDBStreamBatchInfo: { batchSize: 2, streamArn: stream().streamArn },
  });
  expect(functions.of('fanOut')).toHaveLength(1);
  expect(lines).toContain('store: gave up changes of things that could not be delivered within 1 h: 2');
});

test('a disabled source delivers nothing, and its records wait until it is enabled', async () => {
  const paused = await start({ enabled: false });
  await paused.put('1');
  expect(paused.clock.timers()).toEqual([]);
  await paused.close();
  await start();
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(changesIn(invocation)).toEqual(['INSERT 1']);
});

test('a change by another command, while no service runs, is delivered after the next start', async () => {
  await (await start({ filters: [] })).close();
  const store = await lockStore(dataDir, () => {});
  await putThing(await store.open(), 'things', '1');
  await store.close();

  await start({ filters: [] });
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(changesIn(invocation)).toEqual(['INSERT 1']);
});

test('a start that delivers to nobody removes what waits, and keeps nothing', async () => {
  const before = await start();
  functions.answer(() => 'throws');
  await before.put('1');
  await before.close();
  const silent = await startDelivery(dataDir, functions, {});
  expect(silent.lines).toEqual([
    'store: removed what was to be delivered to functions or queues that the stack has no more: 1',
  ]);
  await silent.put('2');
  await silent.close();

  functions.answer(() => 'done');
  const { put, pass } = await start();
  await put('3');
  await pass(gathering);
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(changesIn(invocation)).toEqual(['INSERT 3']);
});

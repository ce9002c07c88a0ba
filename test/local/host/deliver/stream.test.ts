import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { lockStore } from '../../../../lib/local/host/store/store.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { put as putThing } from '../test-tables.ts';
import { changesIn, createFunctions, type Functions, failing, startDelivery, stream } from './delivering.ts';

let dataDir: string;
let functions: Functions;

beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data');
  functions = createFunctions();
});

const start = (...streams: Parameters<typeof stream>) =>
  startDelivery(dataDir, functions, { streams: [stream(...streams)] });

type Delivery = Awaited<ReturnType<typeof start>>;

/** Makes changes while the function works on an earlier one, so that all come in the second batch. */
const putTogether = async (
  { put }: Delivery,
  reaction: Parameters<Functions['response']>[0],
  changes: () => Promise<unknown>,
) => {
  const held = Promise.withResolvers<'done'>();
  functions.response(() => held.promise);
  await put('earlier');
  await functions.invoked('fanOut', 1);
  await changes();
  functions.response(reaction);
  held.resolve('done');
  const [, second] = await functions.invoked('fanOut', 2);
  return changesIn(second);
};

const putAll =
  ({ put }: Delivery, ...ids: readonly string[]) =>
  async () => {
    for (const id of ids) await put(id);
  };

/** How long a stream waits after a failure. */
const pause = 10_000;

test('delivers a new item as DynamoDB streams do', async () => {
  const { put } = await start();
  const before = Math.floor(Date.now() / 1000);
  await put('1');
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(invocation?.records).toEqual([
    {
      eventName: 'INSERT',
      dynamodb: {
        ApproximateCreationDateTime: expect.toSatisfy((seconds: number) => seconds >= before),
        Keys: { id: { S: '1' } },
        NewImage: { id: { S: '1' }, list: { S: 'inbox' } },
        SequenceNumber: expect.stringMatching(/^\d{21}$/),
      },
    },
  ]);
});

test('delivers records in order, in batches', async () => {
  const delivery = await start({ batchSize: 2 });
  await putTogether(delivery, () => 'done', putAll(delivery, '1', '2', '3', '4', '5'));
  const [, ...batches] = await functions.invoked('fanOut', 4);
  expect(batches.map(changesIn)).toEqual([['INSERT 1', 'INSERT 2'], ['INSERT 3', 'INSERT 4'], ['INSERT 5']]);
});

test('leaves out spam, deletions and writes without a change', async () => {
  const delivery = await start();
  const { put, remove } = delivery;
  const changes = async () => {
    await put('spam', 'spam');
    await put('ham');
    await put('ham');
    await put('spam', 'inbox');
    await remove('ham');
    await remove('never');
  };
  expect(await putTogether(delivery, () => 'done', changes)).toEqual(['INSERT ham', 'MODIFY spam']);
});

test('redelivers records from the first failed one', async () => {
  const delivery = await start();
  const { put, pass, clock, lines } = delivery;
  await putTogether(
    delivery,
    (invocation) => failing(invocation, invocation.records.length - 1, 1),
    putAll(delivery, '1', '2', '3'),
  );
  await pass(pause);
  await functions.invoked('fanOut', 3);
  await expect.poll(() => clock.timers()).toEqual([pause]);
  expect(functions.of('fanOut').map(changesIn).slice(1)).toEqual([
    ['INSERT 1', 'INSERT 2', 'INSERT 3'],
    ['INSERT 2', 'INSERT 3'],
  ]);
  expect(lines).toContain('streams: things: records wait for one that failed');

  functions.response(() => 'done');
  await put('4');
  expect(changesIn((await functions.invoked('fanOut', 4))[3])).toEqual(['INSERT 3', 'INSERT 4']);
});

test('redelivers a batch after an error', async () => {
  const delivery = await start();
  await putTogether(delivery, () => 'throws', putAll(delivery, '1', '2'));
  await delivery.pass(pause);
  expect(changesIn((await functions.invoked('fanOut', 3))[2])).toEqual(['INSERT 1', 'INSERT 2']);
});

test('keeps the records of a disabled source until it is enabled', async () => {
  const paused = await start({ enabled: false });
  await paused.put('1');
  await paused.close();
  await start();
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(changesIn(invocation)).toEqual(['INSERT 1']);
});

test('delivers a change that a command made while the service was stopped', async () => {
  await (await start({ filters: [] })).close();
  const store = await lockStore(dataDir, () => {});
  await putThing(await store.open(), 'things', '1');
  await store.close();

  await start({ filters: [] });
  const [invocation] = await functions.invoked('fanOut', 1);
  expect(changesIn(invocation)).toEqual(['INSERT 1']);
});

test('a function without reports is done unless it throws', async () => {
  const delivery = await start({ reportsFailures: false });
  await putTogether(delivery, (invocation) => failing(invocation, 0), putAll(delivery, '1', '2'));
  functions.response(() => 'throws');
  await delivery.put('3');
  await functions.invoked('fanOut', 3);
  await delivery.pass(pause);
  expect((await functions.invoked('fanOut', 4)).slice(2).map(changesIn)).toEqual([['INSERT 3'], ['INSERT 3']]);
});

const removals = { functionArn: 'sweep', filters: [{ eventName: ['REMOVE'] }] };

test('two sources of a table have their own filters, and neither waits for the other', async () => {
  const { put, remove } = await startDelivery(dataDir, functions, { streams: [stream(), stream(removals)] });
  functions.response(({ functionName }) => (functionName === 'fanOut' ? 'throws' : 'done'));
  await put('1');
  await functions.invoked('fanOut', 1);
  await remove('1');
  await remove('never');
  const [invocation] = await functions.invoked('sweep', 1);
  expect(invocation?.records).toMatchObject([{ eventName: 'REMOVE', dynamodb: { Keys: { id: { S: '1' } } } }]);
  expect(functions.of('fanOut').map(changesIn)).toEqual([['INSERT 1']]);
});

test('delivers what a table with one source recorded in 4.0.0', async () => {
  const earlier = await start({ enabled: false });
  await earlier.put('1');
  await earlier.close();
  const sql = new DatabaseSync(join(dataDir, 'store.db'));
  sql.exec("UPDATE records SET source = 'things'");
  sql.close();

  const { lines } = await startDelivery(dataDir, functions, { streams: [stream(removals), stream()] });
  expect(changesIn((await functions.invoked('fanOut', 1))[0])).toEqual(['INSERT 1']);
  expect(functions.of('sweep')).toEqual([]);
  expect(lines).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { contactsTable } from '../../functions/contacts/table.ts';
import { readListPage } from '../../functions/list-page.ts';
import { createRecordingClient, type RecordedCall } from '../support/recording-client.ts';
import { client, createTable, putAll } from '../support/tables.ts';

const { listIndex } = contactsTable;
const entry = v.object({ id: v.string(), listSort: v.string() });
const sortOf = v.pipe(
  entry,
  v.transform(({ listSort }) => listSort),
);

type Entry = Readonly<{ id: string; listPartition: string; listSort: string; expiresAt?: number }>;

const entryOf = (partition: string, key: string, expiresAt?: number): Entry => {
  const id = randomUUID();
  return { id, listPartition: partition, listSort: `${key}#${id}`, ...(expiresAt !== undefined && { expiresAt }) };
};

const store = async (entries: readonly Entry[]): Promise<string> => {
  const table = await createTable(contactsTable);
  await putAll(table, entries);
  return table;
};

it('reads what a sorted list of all would show', async () => {
  const names = ['a', 'b', 'c'];
  const key = fc.constantFrom('1', '2', '3', '4', '5');
  const scenario = fc.record({
    items: fc.array(fc.tuple(fc.constantFrom(...names, 'other'), key, fc.option(fc.constantFrom(99, 100, 101))), {
      maxLength: 20,
    }),
    order: fc.constantFrom('ascending', 'descending'),
    limit: fc.integer({ min: 1, max: 8 }),
    from: fc.option(key, { nil: undefined }),
    to: fc.option(key, { nil: undefined }),
    after: fc.option(fc.nat(), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ items, order, limit, from, to, after: afterIndex }) => {
      const entries = items.map(([partition, sortKey, expiresAt]) =>
        entryOf(partition, sortKey, expiresAt ?? undefined),
      );
      const table = await store(entries);
      const after = afterIndex === undefined ? undefined : entries[afterIndex % entries.length]?.listSort;

      const inOrder = (keys: string[]) => (order === 'ascending' ? keys.toSorted() : keys.toSorted().reverse());
      const expected = inOrder(
        entries
          .filter(({ listPartition, expiresAt = 101 }) => names.includes(listPartition) && expiresAt > 100)
          .map(({ listSort }) => listSort)
          .filter((sort) => (from === undefined || sort >= from) && (to === undefined || sort <= to))
          .filter((sort) => after === undefined || (order === 'ascending' ? sort > after : sort < after)),
      );

      const page = await readListPage({
        client,
        table,
        index: listIndex,
        partitions: names,
        order,
        limit,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(after !== undefined && { after }),
        filter: { expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now', values: { ':now': 100 } },
        schema: sortOf,
      });
      expect(page.items).toStrictEqual(expected.slice(0, limit));
      expect(page.next).toBe(expected.length > limit ? expected[limit - 1] : undefined);
    }),
    { numRuns: 60 },
  );
});

it.each(['ascending', 'descending'] as const)('takes both ends of a range in, %s', async (order) => {
  const one = entryOf('a', '1');
  const ends = { from: one.listSort, to: one.listSort };
  const table = await store([entryOf('a', '0'), one, entryOf('a', '2')]);
  const query = { client, table, index: listIndex, partitions: ['a'], order, limit: 3, schema: sortOf };
  expect((await readListPage({ ...query, ...ends })).items).toStrictEqual([one.listSort]);
});

it.each([
  [5, 1],
  [19, 1],
  [20, 2],
  [30, 3],
])('with room for %i bytes, of items that take ten each, a page holds %i', async (maxBytes, held) => {
  const entries = ['0', '1', '2'].map((key) => entryOf('a', key));
  const sorts = entries.map(({ listSort }) => listSort);
  const page = await readListPage({
    ...{ client, table: await store(entries), index: listIndex, partitions: ['a'], order: 'ascending', limit: 3 },
    ...{ schema: sortOf, room: { bytesOf: () => 10, maxBytes } },
  });
  expect(page.items).toStrictEqual(sorts.slice(0, held));
  expect(page.next).toBe(held < 3 ? sorts[held - 1] : undefined);
});

describe('what a page reads', () => {
  const queryOutput = v.object({ ScannedCount: v.number() });

  /** How many items queries read, those included that they filter out. */
  const itemsReadBy = (calls: readonly RecordedCall[]) =>
    calls.reduce((sum, { output }) => sum + v.parse(queryOutput, output).ScannedCount, 0);

  const partitions = Array.from({ length: 10 }, (_, shard) => `p${shard}`);
  const time = (at: number) => new Date(at).toISOString();

  it.each([
    ['spread evenly', 100, (at: number) => `p${at % 10}`],
    ['spread by chance', 100, () => `p${Number.parseInt(randomUUID().slice(-8), 16) % 10}`],
    ['in runs', 100, (at: number) => `p${Math.floor(at / 30) % 10}`],
    ['in one partition', 51, () => 'p3'],
  ])('for 50 items of 300, %s, is %i at most', async (_, most, partitionOf) => {
    const table = await store(Array.from({ length: 300 }, (_, at) => entryOf(partitionOf(at), time(at))));
    for (let after: string | undefined, pages = 0; pages < 6; pages += 1) {
      const recording = createRecordingClient();
      const page = await readListPage({
        client: recording.client,
        table,
        index: listIndex,
        partitions,
        order: 'descending',
        limit: 50,
        ...(after !== undefined && { after }),
        schema: entry,
      });
      expect(page.items).toHaveLength(50);
      expect(itemsReadBy(recording.calls)).toBeLessThanOrEqual(most);
      expect(recording.calls.length).toBeLessThanOrEqual(20);
      after = page.next;
    }
  });

  it('is one query for each page of a list in one partition', async () => {
    const table = await store(Array.from({ length: 149 }, (_, at) => entryOf('p3', time(at))));
    const recording = createRecordingClient();
    const lengths: number[] = [];
    let after: string | undefined;
    do {
      const page = await readListPage({
        client: recording.client,
        table,
        index: listIndex,
        partitions: ['p3'],
        order: 'descending',
        limit: 50,
        after,
        schema: entry,
      });
      lengths.push(page.items.length);
      after = page.next;
    } while (after !== undefined);
    expect(lengths).toStrictEqual([50, 50, 49]);
    expect(recording.calls).toHaveLength(3);
    expect(itemsReadBy(recording.calls)).toBe(151);
  });

  it('takes few queries where most items are left out', async () => {
    const left = Array.from({ length: 3000 }, (_, at) => entryOf('p3', time(at + 1), 99));
    const kept = entryOf('p3', time(0));
    const recording = createRecordingClient();
    const page = await readListPage({
      client: recording.client,
      table: await store([...left, kept]),
      index: listIndex,
      partitions,
      order: 'descending',
      limit: 1,
      filter: { expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now', values: { ':now': 100 } },
      schema: sortOf,
    });
    expect(page).toStrictEqual({ items: [kept.listSort], unreadable: [] });
    expect(recording.calls.length).toBeLessThanOrEqual(30);
  });

  it('is nothing once nobody waits any more', async () => {
    const recording = createRecordingClient();
    const reading = readListPage({
      client: recording.client,
      table: await store([entryOf('p3', time(0))]),
      index: listIndex,
      partitions,
      order: 'descending',
      limit: 1,
      schema: entry,
      signal: AbortSignal.abort(),
    });
    await expect(reading).rejects.toThrow();
    expect(recording.calls).toHaveLength(0);
  });

  it('is nothing when the range has no keys', async () => {
    const recording = createRecordingClient();
    const page = await readListPage({
      client: recording.client,
      table: 'none',
      index: listIndex,
      partitions,
      order: 'descending',
      limit: 50,
      from: '2',
      to: '1',
      schema: v.unknown(),
    });
    expect(page).toStrictEqual({ items: [], unreadable: [] });
    expect(recording.calls).toHaveLength(0);
  });
});

it('reads on where an answer of DynamoDB is cut at one megabyte', async () => {
  const table = await createTable(contactsTable);
  const entries = Array.from({ length: 8 }, (_, at) => ({ ...entryOf('a', String(at)), padding: 'x'.repeat(300_000) }));
  for (const item of entries) await client.send(new PutCommand({ TableName: table, Item: item }));
  const page = await readListPage({
    client,
    table,
    index: listIndex,
    partitions: ['a'],
    order: 'ascending',
    limit: 8,
    schema: sortOf,
  });
  expect(page).toStrictEqual({ items: entries.map(({ listSort }) => listSort), unreadable: [] });
});

import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readPages } from '../../../bench/scale/pages.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { createDocumentClient } from '../../../functions/shared/dynamodb.ts';
import { listReader, readListPage } from '../../../functions/shared/list-page.ts';
import { countReads } from '../../support/count-reads.ts';
import { createRecordingClient } from '../../support/recording-client.ts';
import { client, createTable, putAll } from '../../support/tables.ts';

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

/** Sort keys page by page, each page beginning where the one before says. */
const pagesOf = async (query: Omit<Parameters<typeof readListPage<string>>[0], 'schema'>) => {
  const pages: (readonly string[])[] = [];
  let { after } = query;
  do {
    const { items, next } = await readListPage({ ...query, after, schema: sortOf });
    pages.push(items);
    after = next;
  } while (after !== undefined);
  return pages;
};

const inPages = (items: readonly string[], limit: number) =>
  Array.from({ length: Math.max(1, Math.ceil(items.length / limit)) }, (_, at) =>
    items.slice(at * limit, (at + 1) * limit),
  );

it('shows, page by page, what a sorted list of all would show', async () => {
  const key = fc.constantFrom('1', '2', '3', '4', '5');
  const scenario = fc.record({
    shards: fc.integer({ min: 1, max: 6 }),
    // Partition 6 is in no list; few of them are skewed, as where there was one once.
    items: fc.array(fc.tuple(fc.oneof(fc.nat(6), fc.nat(1)), key, fc.option(fc.constantFrom(99, 100, 101))), {
      size: 'max',
      maxLength: 50,
    }),
    order: fc.constantFrom('ascending', 'descending'),
    limit: fc.integer({ min: 2, max: 40 }),
    // How many items there is room for.
    room: fc.integer({ min: 2, max: 60 }),
    from: fc.option(key, { nil: undefined }),
    to: fc.option(key, { nil: undefined }),
    after: fc.option(fc.nat(), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ shards, items, order, limit, room, from, to, after: afterIndex }) => {
      const partitions = Array.from({ length: shards }, (_, shard) => `p${shard}`);
      const entries = items.map(([partition, sortKey, expiresAt]) =>
        entryOf(`p${partition}`, sortKey, expiresAt ?? undefined),
      );
      const table = await store(entries);
      const after = afterIndex === undefined ? undefined : entries[afterIndex % entries.length]?.listSort;

      const inOrder = (keys: string[]) => (order === 'ascending' ? keys.toSorted() : keys.toSorted().reverse());
      const expected = inOrder(
        entries
          .filter(({ listPartition, expiresAt = 101 }) => partitions.includes(listPartition) && expiresAt > 100)
          .map(({ listSort }) => listSort)
          .filter((sort) => (from === undefined || sort >= from) && (to === undefined || sort <= to))
          .filter((sort) => after === undefined || (order === 'ascending' ? sort > after : sort < after)),
      );

      const query = {
        ...{ client, table, index: listIndex, partitions, order, limit, from, to, after },
        filter: { expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now', values: { ':now': 100 } },
        room: { bytesOf: () => 10, maxBytes: 10 * room },
      };
      expect(await pagesOf(query)).toStrictEqual(inPages(expected, Math.min(limit, room)));
    }),
    { numRuns: 50 },
  );
});

it('reads each item once, where one reader reads all pages', async () => {
  const scenario = fc.record({
    shards: fc.integer({ min: 1, max: 6 }),
    items: fc.array(fc.nat(5), { size: 'max', maxLength: 50 }),
    limit: fc.integer({ min: 2, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ shards, items, limit }) => {
      const entries = items.map((shard) => entryOf(`p${shard % shards}`, '1'));
      const counted = createDocumentClient();
      const reads = countReads(counted);
      const nextPage = listReader({
        ...{ client: counted, table: await store(entries), index: listIndex, order: 'ascending', limit },
        ...{ partitions: Array.from({ length: shards }, (_, shard) => `p${shard}`), schema: sortOf },
      });
      const pages: (readonly string[])[] = [];
      let next: string | undefined;
      do {
        const page = await nextPage();
        pages.push(page.items);
        next = page.next;
      } while (next !== undefined);
      expect(pages).toStrictEqual(inPages(entries.map(({ listSort }) => listSort).toSorted(), limit));
      expect(reads.items).toBe(entries.length);
    }),
    { numRuns: 20 },
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
  const time = (at: number) => new Date(at).toISOString();
  const partitions = Array.from({ length: 10 }, (_, shard) => `p${shard}`);

  /** What reading all pages took, for each. */
  const readsOfPages = async (table: string, limit: number, of: readonly string[]) => {
    const counted = createDocumentClient();
    const reads = countReads(counted);
    const query = { client: counted, table, index: listIndex, partitions: of, order: 'descending' as const, limit };
    const pages = await pagesOf(query);
    return { pages: pages.map(({ length }) => length), ...reads };
  };

  // A page of 50 takes 97 items at least for 1.3 rounds, whoever reads it: eight times in ten,
  // one shard holds eight or more of the first 49.
  it.each([
    [10, 50, 2.05],
    [10, 200, 1.6],
    [10, 1000, 1.3],
    [40, 200, 2.5],
  ])('of %i partitions, for %i items, is at most 1.3 rounds and × %f items on average', async (shards, limit, most) => {
    const pages = await readPages(shards, 20_000 / limit, () => 1, limit);
    const mean = (of: 'items' | 'milliseconds') => pages.reduce((sum, page) => sum + page[of], 0) / pages.length;
    expect(mean('milliseconds')).toBeLessThanOrEqual(1.3);
    expect(mean('items') / limit).toBeLessThanOrEqual(most);
  });

  it.each([
    ['spread evenly', 100, 1, (at: number) => `p${at % 10}`],
    ['in one partition, as before there were more', 60, 2, () => 'p3'],
    ['in runs, which no hash makes', 150, 3, (at: number) => `p${Math.floor(at / 30) % 10}`],
  ])('for 50 items of 300, %s, is at most %i items and %i rounds', async (_, mostItems, mostRounds, partitionOf) => {
    const table = await store(Array.from({ length: 300 }, (_, at) => entryOf(partitionOf(at), time(at))));
    const { pages, rounds, items } = await readsOfPages(table, 50, partitions);
    expect(pages).toStrictEqual(Array(6).fill(50));
    expect(items).toBeLessThanOrEqual(6 * mostItems);
    expect(rounds).toBeLessThanOrEqual(6 * mostRounds);
  });

  it.each([50, 200, 1000])('is one query for each page of %i in one partition', async (limit) => {
    const table = await store(Array.from({ length: 2 * limit + 1 }, (_, at) => entryOf('p3', time(at))));
    expect(await readsOfPages(table, limit, ['p3'])).toStrictEqual({
      pages: [limit, limit, 1],
      queries: 3,
      rounds: 3,
      items: 2 * (limit + 1) + 1,
    });
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

it.each([[['a']], [['a', 'b']]])(
  'reads on where an answer of DynamoDB is cut at one megabyte, while there is room: partitions %j',
  async (partitions) => {
    const table = await createTable(contactsTable);
    const entries = Array.from({ length: 8 }, (_, at) => ({
      ...entryOf(partitions[at % partitions.length] ?? '', String(at)),
      padding: 'x'.repeat(300_000),
    }));
    for (const item of entries) await client.send(new PutCommand({ TableName: table, Item: item }));
    const counted = createDocumentClient();
    const reads = countReads(counted);
    const order = 'ascending' as const;
    const query = { client: counted, table, index: listIndex, partitions, order, limit: 8, schema: sortOf };
    const sorts = entries.map(({ listSort }) => listSort);
    const room = { bytesOf: () => 1, maxBytes: 2 };
    expect((await readListPage({ ...query, room })).items).toStrictEqual(sorts.slice(0, 2));
    expect(reads.rounds).toBe(1);
    expect(await readListPage(query)).toStrictEqual({ items: sorts, unreadable: [] });
  },
);

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { contactsTable } from '../../../functions/contacts/contacts-table.ts';
import { createDocumentClient } from '../../../functions/shared/dynamodb.ts';
import { type ListQuery, readListPage } from '../../../functions/shared/list-page.ts';
import { countReads } from '../../support/count-reads.ts';
import { createRecordingClient } from '../../support/recording-client.ts';
import { client, createTable, putAll } from '../../support/tables.ts';

/** An item of a list. The schema below reads it only if `size` is a number. */
interface Entry {
  readonly id: string;
  readonly listSort: string;
  readonly size: number | string;
  readonly expiresAt?: number;
}

const schema = v.object({ listSort: v.string(), size: v.number() });

type Query = ListQuery<v.InferOutput<typeof schema>>;

const entryOf = (key: string, size: number | string = 1, expiresAt?: number): Entry => {
  const id = randomUUID();
  return { id, listSort: `${key}#${id}`, size, ...(expiresAt !== undefined && { expiresAt }) };
};

const table = await createTable(contactsTable);

/** Stores a list. @returns its query, oldest first */
const store = async (entries: readonly Entry[]) => {
  const partition = randomUUID();
  // The items of another partition are in no page.
  await putAll(table, [
    { ...entryOf('3'), listPartition: randomUUID() },
    ...entries.map((entry) => ({ ...entry, listPartition: partition })),
  ]);
  const query = { client, table, index: contactsTable.listIndex, partition, schema };
  return { ...query, order: 'ascending', limit: 50 } satisfies Query;
};

const sortsOf = (items: readonly { readonly listSort: string }[]) => items.map(({ listSort }) => listSort);

/** Reads all pages. */
const readAll = async (query: Query) => {
  const pages: string[][] = [];
  const unreadable: string[] = [];
  let { after } = query;
  do {
    const page = await readListPage({ ...query, after });
    pages.push(sortsOf(page.items));
    unreadable.push(...page.unreadable);
    after = page.next;
  } while (after !== undefined);
  return { pages, unreadable };
};

/** The limit of a query. */
const limitOf = (input: object) => ('Limit' in input ? Number(input.Limit) : 0);

/** The most items of a response to `cutting`. */
let mostItems = 0;

/** Its responses end early, as DynamoDB's do at 1 MB. */
const cutting = createDocumentClient();
cutting.middlewareStack.add(
  (next) => (args) => {
    Object.assign(args.input, { Limit: Math.min(limitOf(args.input), mostItems) });
    return next(args);
  },
  { step: 'initialize' },
);

const notExpired = { expression: 'attribute_not_exists(expiresAt) OR expiresAt > :now', values: { ':now': 100 } };

describe('pages show the same as a sorted array of all items', () => {
  const key = fc.constantFrom('1', '2', '3', '4', '5');
  const optional = { nil: undefined };
  const scenario = fc.record({
    entries: fc.array(
      fc
        .tuple(
          key,
          fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.constant('unreadable')),
          fc.option(fc.constantFrom(99, 100, 101), optional),
        )
        .map((parts) => entryOf(...parts)),
      { size: 'max', maxLength: 50 },
    ),
    order: fc.constantFrom('ascending', 'descending'),
    limit: fc.integer({ min: 1, max: 40 }),
    maxBytes: fc.option(fc.integer({ min: 1, max: 60 }), optional),
    leftOut: fc.option(fc.integer({ min: 1, max: 5 }), optional),
    from: fc.option(key, optional),
    to: fc.option(key, optional),
    after: fc.option(fc.nat(), optional),
    cut: fc.integer({ min: 1, max: 60 }),
  });

  const pagesOf = (items: readonly Entry[], limit: number, leftOut?: number, maxBytes = Infinity) => {
    let page: string[] = [];
    const pages = [page];
    let sizes: number[] = [];
    for (const { listSort, size } of items) {
      sizes.push(Number(size));
      const bytes = sizes.reduce((sum, each) => sum + each);
      if (page.length === limit || (sizes.length > 1 && bytes > maxBytes)) {
        page = [];
        pages.push(page);
        sizes = [Number(size)];
      }
      if (size !== leftOut) page.push(listSort);
    }
    return pages;
  };

  it('in any order, range and size, after any item, whatever is left out, and report each unreadable item once', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ entries, order, limit, maxBytes, leftOut, from, to, after: at, cut }) => {
        const after = at === undefined ? undefined : entries[at % entries.length]?.listSort;
        const sign = order === 'ascending' ? 1 : -1;
        const compare = (one: string, other: string) => (one < other ? -sign : sign);
        const shown = entries
          .filter(({ expiresAt = 101 }) => expiresAt > 100)
          .filter(({ listSort }) => (from === undefined || listSort >= from) && (to === undefined || listSort <= to))
          .filter(({ listSort }) => after === undefined || (listSort !== after && compare(listSort, after) === 1))
          .toSorted((one, other) => compare(one.listSort, other.listSort));
        const isReadable = ({ size }: Entry) => typeof size === 'number';

        const query = { ...(await store(entries)), order, limit, from, to, after, filter: notExpired };
        const byteLimit =
          maxBytes === undefined ? undefined : { bytesOf: ({ size }: { size: number }) => size, maxBytes };
        const keeps = ({ size }: { size: number }) => size !== leftOut;
        mostItems = cut;
        expect(await readAll({ ...query, keeps, byteLimit, client: cutting })).toStrictEqual({
          pages: pagesOf(shown.filter(isReadable), limit, leftOut, maxBytes),
          unreadable: shown.filter((entry) => !isReadable(entry)).map(({ id }) => id),
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('a page takes', () => {
  const numbered = (amount: number) => Array.from({ length: amount }, (_, at) => entryOf(String(at).padStart(5, '0')));

  it.each([50, 1000])('one query for %i items', async (limit) => {
    const counted = createDocumentClient();
    const reads = countReads(counted);
    const query = { ...(await store(numbered(2 * limit + 1))), client: counted, order: 'descending', limit } as const;
    const { pages } = await readAll(query);
    expect(pages.map(({ length }) => length)).toStrictEqual([limit, limit, 1]);
    expect(reads).toStrictEqual({ queries: 3, items: 2 * (limit + 1) + 1 });
  });

  it('a further query only for missing items, if some are unreadable', async () => {
    const counted = createDocumentClient();
    const reads = countReads(counted);
    const query = { ...(await store([entryOf('0', 'unreadable'), ...numbered(9)])), client: counted, limit: 3 };
    expect((await readListPage(query)).items).toHaveLength(3);
    expect(reads).toStrictEqual({ queries: 2, items: 5 });
  });

  it('fewer than 20 queries past 40,000 expired items, each for at most 5,000', async () => {
    const query = await store([]);
    const limits: number[] = [];
    let left = 40_000;
    const expired = createDocumentClient();
    expired.middlewareStack.add(
      () => async (args) => {
        const asked = limitOf(args.input);
        limits.push(asked);
        left -= asked;
        const output = {
          $metadata: {},
          Items: [],
          ScannedCount: asked,
          ...(left > 0 && { LastEvaluatedKey: { left } }),
        };
        return { output, response: undefined };
      },
      { step: 'initialize' },
    );
    expect(await readListPage({ ...query, client: expired })).toStrictEqual({ items: [], unreadable: [] });
    expect(limits.length).toBeLessThan(20);
    expect(Math.max(...limits)).toBe(5000);
  });

  it('one query once its time is over, and the next page goes on behind it', async () => {
    const kept = entryOf('1', 2);
    const entries = [
      ...Array.from({ length: 4 }, () => entryOf('0', 1, 99)),
      entryOf('0', 'unreadable'),
      kept,
      ...numbered(7),
    ];
    const query = { ...(await store(entries)), client: cutting, filter: notExpired, isOver: () => true };
    mostItems = 4;
    const { pages, unreadable } = await readAll({ ...query, keeps: ({ size }) => size === 2 });
    expect(pages.map(({ length }) => length)).toHaveLength(4);
    expect(pages.flat()).toStrictEqual([kept.listSort]);
    expect(unreadable).toHaveLength(1);
    expect((await readAll({ ...query, isOver: () => false, keeps: () => false })).pages).toStrictEqual([[]]);
  });

  it('no query after its signal is aborted', async () => {
    const recording = createRecordingClient();
    const query = { ...(await store([entryOf('1')])), client: recording.client, signal: AbortSignal.abort() };
    await expect(readListPage(query)).rejects.toThrow();
    expect(recording.calls).toHaveLength(0);
  });

  it('further queries if DynamoDB cuts a response at 1 MB and the page is not full', async () => {
    const entries = numbered(8).map((entry) => ({ ...entry, padding: 'x'.repeat(300_000) }));
    const sorts = sortsOf(entries);
    const counted = createDocumentClient();
    const reads = countReads(counted);
    const query = { ...(await store([])), client: counted };
    for (const entry of entries) await putAll(table, [{ ...entry, listPartition: query.partition }]);

    const page = await readListPage({ ...query, byteLimit: { bytesOf: () => 1, maxBytes: 2 } });
    expect(sortsOf(page.items)).toStrictEqual(sorts.slice(0, 2));
    expect(reads.queries).toBe(1);
    expect((await readAll(query)).pages).toStrictEqual([sorts]);
    expect(reads.queries).toBeGreaterThan(2);
  });
});

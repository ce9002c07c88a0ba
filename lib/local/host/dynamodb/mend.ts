import * as v from 'valibot';
import type { Database, Operation } from './database.ts';
import {
  indexOperations,
  indexPrefix,
  itemKey,
  itemsPrefix,
  type StoredTable,
  storedTableSchema,
  tablesPrefix,
} from './engine.ts';

/** What was found in the store. */
export interface Findings {
  /** How many items each table has. */
  readonly items: ReadonlyMap<string, number>;
  /** How many entries of indexes were put right. */
  readonly mended: number;
}

/** How many are looked up, and written, at once. */
const batchSize = 500;

/** All that begins with a prefix: keys are ASCII. */
const below = (prefix: string) => ({ gte: prefix, lt: `${prefix}\x7f` });

async function* inBatches<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value[]> {
  let batch: Value[] = [];
  for await (const value of values) {
    batch.push(value);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Writes the entries of items that lack them, or have others. @returns how many items and entries there are to be */
const completeIndexes = async (database: Database, table: StoredTable) => {
  let [items, entries, mended] = [0, 0, 0];
  for await (const batch of inBatches(database.iterator(below(itemsPrefix(table))))) {
    const expected = batch.flatMap(([, item]) => indexOperations(table, null, item));
    const found = await database.getMany(expected.map(({ key }) => key));
    const missing = expected.filter(
      (put, at) => put.type === 'put' && JSON.stringify(found[at]) !== JSON.stringify(put.value),
    );
    if (missing.length > 0) await database.write(missing);
    items += batch.length;
    entries += expected.length;
    mended += missing.length;
  }
  return { items, entries, mended };
};

const countEntries = async (database: Database, table: StoredTable) => {
  let count = 0;
  for await (const _ of database.keys(below(indexPrefix(table)))) count += 1;
  return count;
};

/** Removes the entries that no item has. @returns how many they were */
const removeStrays = async (database: Database, table: StoredTable) => {
  let removed = 0;
  for await (const batch of inBatches(database.iterator(below(indexPrefix(table))))) {
    const items = await database.getMany(batch.map(([, entry]) => itemKey(entry, table)));
    const kept = new Set(
      items.flatMap((item) => (item ? indexOperations(table, null, item) : [])).map(({ key }) => key),
    );
    const strays: Operation[] = batch.filter(([key]) => !kept.has(key)).map(([key]) => ({ type: 'del', key }));
    if (strays.length > 0) await database.write(strays);
    removed += strays.length;
  }
  return removed;
};

/** A table whose creation was answered and not finished, which dynalite does a moment later, stays unusable. */
const toActive = (table: StoredTable) => ({
  ...table,
  TableStatus: 'ACTIVE',
  GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map((index) => ({ ...index, IndexStatus: 'ACTIVE' })),
});

/**
 * Puts the indexes of all tables in step with their items, which are what was stored: entries without an item are listed
 * and can be neither fetched nor deleted, an item without its entries is never listed. Reads all that the store holds.
 * @throws {Error} when some of it cannot be read
 */
export const mend = async (database: Database): Promise<Findings> => {
  const items = new Map<string, number>();
  let mended = 0;
  for await (const [key, value] of database.iterator(below(tablesPrefix))) {
    const table = v.parse(storedTableSchema, value);
    if (table['TableStatus'] !== 'ACTIVE') await database.write([{ type: 'put', key, value: toActive(table) }]);
    const completed = await completeIndexes(database, table);
    items.set(table.TableName, completed.items);
    mended += completed.mended;
    if ((await countEntries(database, table)) > completed.entries) mended += await removeStrays(database, table);
  }
  return { items, mended };
};

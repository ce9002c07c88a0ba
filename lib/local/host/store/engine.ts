import type { RequestListener, Server } from 'node:http';
import { createRequire } from 'node:module';
import * as v from 'valibot';
import type { Entries, Range, Stored } from './entries.ts';

/** The used part of a table of dynalite. */
export const storedTableSchema = v.looseObject({
  TableName: v.string(),
  KeySchema: v.array(v.looseObject({ AttributeName: v.string() })),
  GlobalSecondaryIndexes: v.optional(v.array(v.looseObject({})), []),
});

type StoredTable = v.InferOutput<typeof storedTableSchema>;

/** The used part of dynalite's db/index.js. */
interface DynaliteDb {
  /** @returns an error if the request's condition fails */
  checkConditional(request: Stored, existing: Stored | undefined): { readonly body: Stored } | null | undefined;
  createKey(item: Stored, table: StoredTable): string;
  getIndexActions(
    indexes: readonly object[],
    existing: Stored | null,
    item: Stored | null,
    table: StoredTable,
  ): {
    readonly puts: readonly { readonly index: string; readonly key: string; readonly item: Stored }[];
    readonly deletes: readonly { readonly index: string; readonly key: string }[];
  };
  updateIndexes(
    store: unknown,
    table: StoredTable,
    existing: Stored | null,
    item: Stored | null,
    done: (error?: Error) => void,
  ): void;
}

const require = createRequire(import.meta.url);
const level = createRequire(require.resolve('dynalite'))('level');

/** dynalite opens a database by `new Level(path)`. Here, the path is a database, which is open already. */
function Level(path: object): object {
  return path;
}

// Must come before dynalite is loaded, which takes the class from here.
level.Level = Level;
const db: DynaliteDb = require('dynalite/db');
const dynalite: (options: { path: object }) => Server = require('dynalite');

// dynalite ignores ReturnValuesOnConditionCheckFailure. Here, the response to a refused put has the existing item. dynalite holds
// the item's lock while it checks the condition.
const parameter = 'ReturnValuesOnConditionCheckFailure';
const putItem: { readonly types: Record<string, unknown> } = require('dynalite/validations/putItem');
// Parameters without a type are dropped.
putItem.types[parameter] = 'String';
const check = db.checkConditional;
db.checkConditional = (request, existing) => {
  const refusal = check(request, existing);
  if (!refusal || !existing || request[parameter] !== 'ALL_OLD') return refusal;
  return Object.assign(refusal, { body: { ...refusal.body, Item: existing } });
};

/** The keys of items and index entries in dynalite's db/index.js. */
const itemKey = (item: Stored, table: StoredTable) => `item-${table.TableName}~${db.createKey(item, table)}`;
const indexKey = (table: StoredTable, index: string, key: string) => `index-global~${table.TableName}~${index}~${key}`;

/** Acts in the transaction that writes an item. @param existing the item before @param item the item after */
export type OnItemWrite = (table: StoredTable, existing: Stored | null, item: Stored | null) => void;

/** A database error in dynalite's form. The SDK retries it. */
const toInternalError = (): Error =>
  Object.assign(new Error('The store failed'), {
    statusCode: 500,
    body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'Internal server error' },
  });

const orInternalError = async <Value>(
  act: () => Value | Promise<Value>,
  report: (error: unknown) => void = () => {},
): Promise<Value> => {
  try {
    return await act();
  } catch (error) {
    report(error);
    throw toInternalError();
  }
};

/** dynalite, and what it lacks. */
export interface Engine {
  readonly handle: RequestListener;
  /** Removes an item and its index entries, within a `write`. */
  removeItem(table: StoredTable, item: Stored): void;
}

/**
 * dynalite on the store's entries. dynalite writes the index entries of an item before the item: a kill in between would leave
 * them inconsistent. Here, one transaction writes both.
 * @param onItemWrite acts in that transaction
 * @param report called with the error of a read
 */
export const createEngine = (entries: Entries, onItemWrite: OnItemWrite, report: (error: unknown) => void): Engine => {
  /** The index writes by item. dynalite locks the item until it is written. */
  const waiting = new Map<string, () => void>();

  const toIndexWrites = (table: StoredTable, existing: Stored | null, item: Stored | null) => {
    const { puts, deletes } = db.getIndexActions(table.GlobalSecondaryIndexes, existing, item, table);
    return () => {
      for (const { index, key } of deletes) entries.remove(indexKey(table, index, key));
      for (const put of puts) entries.put(indexKey(table, put.index, put.key), put.item);
      onItemWrite(table, existing, item);
    };
  };

  db.updateIndexes = (_, table, existing, item, done) => {
    const changed = item ?? existing;
    if (changed) waiting.set(itemKey(changed, table), toIndexWrites(table, existing, item));
    done();
  };

  const write = (key: string, act: () => void) => {
    const actBefore = waiting.get(key);
    waiting.delete(key);
    return orInternalError(() =>
      entries.write(() => {
        actBefore?.();
        act();
      }),
    );
  };

  /** A reader in dynalite's form: `next` gives nothing at the end. */
  const toReader = <Value>(values: Iterator<Value, void>) => ({
    next: () =>
      orInternalError(() => {
        const { value, done } = values.next();
        return done ? undefined : value;
      }, report),
    return: async () => {},
  });

  const path = {
    get: (key: string) => orInternalError(() => entries.get(key), report),
    put: (key: string, value: Stored) => write(key, () => entries.put(key, value)),
    del: (key: string) => write(key, () => entries.remove(key)),
    batch: () => Promise.reject(toInternalError()),
    keys: (range: Range) => toReader(entries.keys(range)),
    values: (range: Range) => toReader(entries.values(range)),
    close: async () => {},
  };
  const server = dynalite({ path });
  return {
    handle: (request, response) => void server.emit('request', request, response),
    removeItem: (table, item) => {
      toIndexWrites(table, item, null)();
      entries.remove(itemKey(item, table));
    },
  };
};

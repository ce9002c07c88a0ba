import type { RequestListener, Server } from 'node:http';
import { createRequire } from 'node:module';
import * as v from 'valibot';
import type { Database, Operation, Range, Stored } from './database.ts';
import { returnRefusedItems } from './refused-item.ts';

/** A table, as dynalite keeps it; the rest of it is used by dynalite alone. */
export const storedTableSchema = v.looseObject({
  TableName: v.string(),
  KeySchema: v.array(v.looseObject({ AttributeName: v.string() })),
  GlobalSecondaryIndexes: v.optional(v.array(v.looseObject({})), []),
});

export type StoredTable = v.InferOutput<typeof storedTableSchema>;

/** What is used of dynalite's db/index.js. */
interface DynaliteDb {
  createKey(item: Stored, table: StoredTable): string;
  itemSize(item: Stored): number;
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

// dynalite opens its database itself, by the folder: instead it gets the one that is open.
let handed: object | undefined;
level.Level = new Proxy(level.Level, { construct: () => handed ?? {} });

const db: DynaliteDb = require('dynalite/db');
const dynalite: (options: { path: string; createTableMs: number }) => Server = require('dynalite');

returnRefusedItems();

/** Where dynalite keeps what, as db/index.js has it. */
export const tablesPrefix = 'table~';
export const itemsPrefix = (table: StoredTable) => `item-${table.TableName}~`;
export const indexPrefix = (table: StoredTable, index = '') =>
  `index-global~${table.TableName}~${index && `${index}~`}`;

export const itemKey = (item: Stored, table: StoredTable) => itemsPrefix(table) + db.createKey(item, table);

/** What a write of an item means for the indexes of its table. @param existing the item before, @param item after */
export const indexOperations = (table: StoredTable, existing: Stored | null, item: Stored | null) => {
  const { puts, deletes } = db.getIndexActions(table.GlobalSecondaryIndexes ?? [], existing, item, table);
  return [
    ...deletes.map(({ index, key }) => ({ type: 'del' as const, key: indexPrefix(table, index) + key })),
    ...puts.map((put) => ({ type: 'put' as const, key: indexPrefix(table, put.index) + put.key, value: put.item })),
  ];
};

/** The bytes of an item, as DynamoDB counts them. */
export const itemSize = (item: Stored): number => db.itemSize(item);

/** What else a write of an item means. @param existing the item before, @param item after */
export interface Consequence {
  readonly operations: readonly Operation[];
  /** Is called once all of it is written. */
  written(): void;
}

export type Follow = (table: StoredTable, existing: Stored | null, item: Stored | null) => Consequence | undefined;

/** A database error as dynalite answers it: what the SDK retries. */
const toFault = (): Error =>
  Object.assign(new Error('The store failed'), {
    statusCode: 500,
    body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'Internal server error' },
  });

const orFault = <Value>(result: Promise<Value>): Promise<Value> =>
  result.catch(() => {
    throw toFault();
  });

/** dynalite expects a reader as of a language's own, which `return` ends; one that is left open holds its memory. */
const toReader = <Value>(reader: { next(): Promise<Value>; close(): Promise<void> }) => ({
  next: () => orFault(reader.next()),
  return: () => reader.close(),
});

/**
 * dynalite on a database, with one difference: it writes the indexes of an item, waits, then writes the item, and what
 * ends it between leaves them apart. Here the indexes' operations wait for the item's, and all are one write.
 * @param follow says what else is in that write
 */
export const createEngine = (database: Database, follow: Follow): RequestListener => {
  // dynalite holds a lock on the item from the one to the other.
  const waiting = new Map<string, Consequence>();
  db.updateIndexes = (_, table, existing, item, done) => {
    const changed = item ?? existing;
    if (changed) {
      const consequence = follow(table, existing, item);
      waiting.set(itemKey(changed, table), {
        operations: [...indexOperations(table, existing, item), ...(consequence?.operations ?? [])],
        written: consequence?.written ?? (() => {}),
      });
    }
    done();
  };
  const write = async (operation: Operation) => {
    const before = waiting.get(operation.key);
    waiting.delete(operation.key);
    await orFault(database.write([...(before?.operations ?? []), operation]));
    before?.written();
  };
  handed = {
    get: (key: string) => orFault(database.get(key)),
    put: (key: string, value: Stored) => write({ type: 'put', key, value }),
    del: (key: string) => write({ type: 'del', key }),
    batch: (operations: readonly Operation[]) => orFault(database.write(operations)),
    keys: (range: Range) => toReader(database.keys(range)),
    values: (range: Range) => toReader(database.values(range)),
    close: async () => {},
  };
  const server = dynalite({ path: 'handed', createTableMs: 0 });
  return (request, response) => void server.emit('request', request, response);
};

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type TableDefinition, tableShapeSchema } from '../template/definitions.ts';
import type { Database } from './database.ts';

/** A value of dynalite: an item, an index entry or a table. */
export type Stored = Readonly<Record<string, unknown>>;

/** The range options of https://github.com/Level/abstract-level that dynalite uses. */
export interface Range {
  readonly gte?: string;
  readonly gt?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
  /** No limit if it is below 0. */
  readonly limit?: number;
}

/** How many entries to read at once. Between two pages, other requests take their turn. */
const pageSize = 100;

const keyAfter = (key: string) => `${key}\0`;

const aboveAllKeys = '\u{10ffff}';

const fromOf = ({ gte, gt }: Range) => gte ?? (gt === undefined ? '' : keyAfter(gt));
const toOf = ({ lt, lte }: Range) => lt ?? (lte === undefined ? aboveAllKeys : keyAfter(lte));

/** The keys and values of dynalite. Call `put` and `remove` only within a `write`. */
export const createEntries = ({ sql, write }: Database) => {
  const select = sql.prepare('SELECT value FROM entries WHERE key = ?');
  const insert = sql.prepare(
    'INSERT INTO entries (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = sql.prepare('DELETE FROM entries WHERE key = ?');
  const page = 'SELECT key, value FROM entries WHERE key >= ? AND key < ? ORDER BY key';
  const forward = sql.prepare(`${page} LIMIT ?`);
  const backward = sql.prepare(`${page} DESC LIMIT ?`);

  function* read<Result>(range: Range, pick: (key: string, value: string) => Result) {
    const { reverse = false, limit = -1 } = range;
    let from = fromOf(range);
    let to = toOf(range);
    let left = limit < 0 ? Number.POSITIVE_INFINITY : limit;
    while (left > 0) {
      const asked = Math.min(left, pageSize);
      const rows = (reverse ? backward : forward).all(from, to, asked);
      for (const { key, value } of rows) {
        yield pick(String(key), String(value));
        if (reverse) to = String(key);
        else from = keyAfter(String(key));
      }
      if (rows.length < asked) return;
      left -= asked;
    }
  }

  return {
    write,
    get: (key: string): Stored | undefined => {
      const row = select.get(key);
      return row && JSON.parse(String(row['value']));
    },
    put: (key: string, value: Stored): void => void insert.run(key, JSON.stringify(value)),
    remove: (key: string): void => void remove.run(key),
    keys: (range: Range): Iterator<string, void> => read(range, (key) => key),
    values: (range: Range): Iterator<Stored, void> => read(range, (_, value): Stored => JSON.parse(value)),
    pairs: (range: Range) => read(range, (key, value): readonly [string, Stored] => [key, JSON.parse(value)]),
  };
};

export type Entries = ReturnType<typeof createEntries>;

/**
 * Creates the missing tables, as active as dynalite's own.
 * @throws {Error} one line if a stored table has other keys or indexes than the template
 */
export const createTables = (entries: Entries, file: string, tables: readonly TableDefinition[]): void => {
  for (const { name, shape } of tables) {
    const key = `table~${name}`;
    const found = entries.get(key);
    if (!found) {
      const GlobalSecondaryIndexes = shape.GlobalSecondaryIndexes.map((index) => ({ ...index, IndexStatus: 'ACTIVE' }));
      entries.put(key, { ...shape, TableName: name, TableStatus: 'ACTIVE', GlobalSecondaryIndexes });
      continue;
    }
    const stored = v.parse(tableShapeSchema, found);
    const same =
      isDeepStrictEqual(new Set(stored.KeySchema), new Set(shape.KeySchema)) &&
      isDeepStrictEqual(new Set(stored.AttributeDefinitions), new Set(shape.AttributeDefinitions)) &&
      isDeepStrictEqual(new Set(stored.GlobalSecondaryIndexes), new Set(shape.GlobalSecondaryIndexes));
    if (!same) {
      throw new Error(
        `Table ${name} in ${file} has other keys or indexes than the template: to start with empty tables, move the data directory away`,
      );
    }
  }
};

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import {
  type EventPattern,
  eventPatternSchema,
  type StreamSource,
  streamSourceName,
} from '../template/event-sources.ts';
import type { Database } from './database.ts';
import type { OnItemWrite } from './engine.ts';
import type { Entries, Stored } from './entries.ts';

/**
 * A change of an item. It has only the parts that the service reads.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 */
export interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: { readonly SequenceNumber: string };
}

/** The changes to record, for one of the sources. */
const followedSchema = v.object({
  tableName: v.string(),
  functionArn: v.string(),
  filters: v.array(eventPatternSchema),
});

type Followed = Pick<StreamSource, keyof v.InferOutput<typeof followedSchema>>;

/** Restores the prototype of an item, which dynalite removes from changed ones. */
const plain = (item: Stored | null): Stored | undefined => (item ? JSON.parse(JSON.stringify(item)) : undefined);

const eventNameOf = (before: Stored | undefined, after: Stored | undefined) => {
  if (before && after) return 'MODIFY';
  return after ? 'INSERT' : 'REMOVE';
};

const pick = (item: Stored | undefined, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, item?.[name]]));

/** The record of a change, without its number. @param keys the names of the table's key attributes */
const toRecord = (before: Stored | undefined, after: Stored | undefined, keys: readonly string[], now: number) => ({
  eventName: eventNameOf(before, after),
  dynamodb: {
    ApproximateCreationDateTime: Math.floor(now / 1000),
    Keys: pick(after ?? before, keys),
    ...(after && { NewImage: after }),
  },
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a filter accepts a value. */
const matches = (pattern: EventPattern, value: unknown): boolean =>
  isObject(value) &&
  Object.entries(pattern).every(([name, expected]) => {
    const found = value[name];
    if (!Array.isArray(expected)) return matches(expected, found);
    return expected.some((each) => each === found);
  });

const isFor = ({ filters }: Followed, record: object): boolean =>
  filters.length === 0 || filters.some((filter) => matches(filter, record));

/** Like DynamoDB's, with a fixed length, so that they sort as numbers. */
const toSequenceNumber = (number: number) => String(number).padStart(21, '0');

const recordSchema = v.looseObject({
  eventName: v.string(),
  dynamodb: v.looseObject({ ApproximateCreationDateTime: v.number() }),
});

/** Keeps the sources for commands, which change items but open the store without a template. */
const keptKey = 'stream-sources';

/**
 * The streams of tables. One transaction writes the record with the changed item.
 * @param arrived called with the name of a source that has a new record
 */
export const createStream = ({ sql, write }: Database, entries: Entries, arrived: (source: string) => void) => {
  const insert = sql.prepare('INSERT INTO records (source, record) VALUES (?, ?)');
  const oldest = sql.prepare('SELECT number, record FROM records WHERE source = ? ORDER BY number LIMIT ?');
  const removeThrough = sql.prepare('DELETE FROM records WHERE source = ? AND number <= ?');
  const removeOthers = sql.prepare('DELETE FROM records WHERE source NOT IN (SELECT value FROM json_each(?))');

  let followed: readonly Followed[] = v.parse(
    v.object({ sources: v.array(followedSchema) }),
    entries.get(keptKey) ?? { sources: [] },
  ).sources;

  const insertFor = (tableName: string, record: object) => {
    for (const source of followed) {
      if (source.tableName !== tableName || !isFor(source, record)) continue;
      const name = streamSourceName(source);
      insert.run(name, JSON.stringify(record));
      arrived(name);
    }
  };

  const onItemWrite: OnItemWrite = ({ TableName, KeySchema }, existing, item) => {
    const before = plain(existing);
    const after = plain(item);
    if (!followed.some(({ tableName }) => tableName === TableName) || isDeepStrictEqual(before, after)) return;
    const keys = KeySchema.map(({ AttributeName }) => AttributeName);
    insertFor(TableName, toRecord(before, after, keys, Date.now()));
  };

  /** In 4.0.0, a table had one source, and the records had the name of the table. */
  const renameOldest = (tableName: string) => {
    for (const { record } of oldest.all(tableName, -1)) {
      insertFor(tableName, v.parse(recordSchema, JSON.parse(String(record))));
    }
    removeThrough.run(tableName, Number.MAX_SAFE_INTEGER);
  };

  return {
    onItemWrite,

    /** Records the changes for these sources, and removes the records of others. @returns how many were removed */
    begin: (sources: readonly StreamSource[]): number => {
      followed = sources;
      const kept = { sources };
      // Without a write, a start can succeed on a full disk.
      if (!isDeepStrictEqual(entries.get(keptKey), kept)) entries.put(keptKey, kept);
      for (const tableName of new Set(sources.map((source) => source.tableName))) renameOldest(tableName);
      return Number(removeOthers.run(JSON.stringify(sources.map(streamSourceName))).changes);
    },

    /** Gives the oldest records of a source, in their order. */
    read: async (source: StreamSource): Promise<StreamRecord[]> =>
      oldest.all(streamSourceName(source), source.batchSize).map(({ number, record }) => {
        const { eventName, dynamodb } = v.parse(recordSchema, JSON.parse(String(record)));
        return { eventName, dynamodb: { ...dynamodb, SequenceNumber: toSequenceNumber(Number(number)) } };
      }),

    /** The sources with records, and when the first of these was made, in milliseconds since the epoch. */
    backlogs: (): readonly { readonly name: string; readonly oldestAt: number }[] =>
      followed.map(streamSourceName).flatMap((name) =>
        oldest.all(name, 1).map(({ record }) => {
          const { dynamodb } = v.parse(recordSchema, JSON.parse(String(record)));
          return { name, oldestAt: dynamodb.ApproximateCreationDateTime * 1000 };
        }),
      ),

    /** Removes the records of a source up to and including one. */
    remove: (source: StreamSource, { dynamodb }: StreamRecord): Promise<void> =>
      write(() => void removeThrough.run(streamSourceName(source), Number(dynamodb.SequenceNumber))),
  };
};

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type EventPattern, eventPatternSchema, type StreamSource } from '../template/event-sources.ts';
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

/** The changes to record. */
const followedSchema = v.object({ tableName: v.string(), filters: v.array(eventPatternSchema) });

type Followed = Pick<StreamSource, keyof v.InferOutput<typeof followedSchema>>;

/** Restores the prototype of an item, which dynalite removes from changed ones. */
const plain = (item: Stored | null): Stored | undefined => (item ? JSON.parse(JSON.stringify(item)) : undefined);

const eventNameOf = (before: Stored | undefined, after: Stored | undefined) => {
  if (before && after) return 'MODIFY';
  return after ? 'INSERT' : 'REMOVE';
};

/** The record of a change, without its number. */
const toRecord = (before: Stored | undefined, after: Stored | undefined, now: number) => ({
  eventName: eventNameOf(before, after),
  dynamodb: { ApproximateCreationDateTime: Math.floor(now / 1000), ...(after && { NewImage: after }) },
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
 * @param arrived called with the name of a table that has a new record
 */
export const createStream = ({ sql, write }: Database, entries: Entries, arrived: (table: string) => void) => {
  const insert = sql.prepare('INSERT INTO records (source, record) VALUES (?, ?)');
  const oldest = sql.prepare('SELECT number, record FROM records WHERE source = ? ORDER BY number LIMIT ?');
  const removeThrough = sql.prepare('DELETE FROM records WHERE source = ? AND number <= ?');
  const removeOthers = sql.prepare('DELETE FROM records WHERE source NOT IN (SELECT value FROM json_each(?))');

  let followed: readonly Followed[] = v.parse(
    v.object({ sources: v.array(followedSchema) }),
    entries.get(keptKey) ?? { sources: [] },
  ).sources;

  const onItemWrite: OnItemWrite = ({ TableName }, existing, item) => {
    const source = followed.find(({ tableName }) => tableName === TableName);
    const before = plain(existing);
    const after = plain(item);
    if (!source || isDeepStrictEqual(before, after)) return;
    const record = toRecord(before, after, Date.now());
    if (source.filters.length > 0 && !source.filters.some((filter) => matches(filter, record))) return;
    insert.run(TableName, JSON.stringify(record));
    arrived(TableName);
  };

  return {
    onItemWrite,

    /** Records the changes for these sources, and removes the records of others. @returns how many were removed */
    begin: (sources: readonly StreamSource[]): number => {
      followed = sources;
      const kept = { sources };
      // Without a write, a start can succeed on a full disk.
      if (!isDeepStrictEqual(entries.get(keptKey), kept)) entries.put(keptKey, kept);
      return Number(removeOthers.run(JSON.stringify(sources.map(({ tableName }) => tableName))).changes);
    },

    /** Gives the oldest records of a source, in their order. */
    read: async ({ tableName, batchSize }: StreamSource): Promise<StreamRecord[]> =>
      oldest.all(tableName, batchSize).map(({ number, record }) => {
        const { eventName, dynamodb } = v.parse(recordSchema, JSON.parse(String(record)));
        return { eventName, dynamodb: { ...dynamodb, SequenceNumber: toSequenceNumber(Number(number)) } };
      }),

    /** The tables with records, and when the first of these was made, in milliseconds since the epoch. */
    backlogs: (): readonly { readonly table: string; readonly oldestAt: number }[] =>
      followed.flatMap(({ tableName }) =>
        oldest.all(tableName, 1).map(({ record }) => {
          const { dynamodb } = v.parse(recordSchema, JSON.parse(String(record)));
          return { table: tableName, oldestAt: dynamodb.ApproximateCreationDateTime * 1000 };
        }),
      ),

    /** Removes the records of a source up to and including one. */
    remove: ({ tableName }: StreamSource, { dynamodb }: StreamRecord): Promise<void> =>
      write(() => void removeThrough.run(tableName, Number(dynamodb.SequenceNumber))),
  };
};

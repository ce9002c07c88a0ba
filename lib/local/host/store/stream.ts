import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { streamViewTypeSchema } from '../template/definitions.ts';
import type { StreamSource } from '../template/event-sources.ts';
import { type EventPattern, eventPatternSchema } from '../template/event-sources.ts';
import { region } from '../template/intrinsics.ts';
import type { Database } from './database.ts';
import { type Follow, itemSize, type StoredTable } from './engine.ts';
import type { Entries, Stored } from './entries.ts';
import type { Queues } from './queues.ts';

/** A change of an item: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html */
export interface StreamRecord {
  readonly dynamodb: { readonly SequenceNumber: string };
}

/** What says of a change which records there are of it. */
const followedSchema = v.object({
  tableName: v.string(),
  streamArn: v.string(),
  viewType: streamViewTypeSchema,
  functionArn: v.string(),
  filters: v.array(eventPatternSchema),
});

type Followed = Pick<StreamSource, keyof v.InferOutput<typeof followedSchema>>;

/** By what the records of a source are kept. */
export const nameOf = ({ streamArn, functionArn }: Followed): string => `${streamArn} ${functionArn}`;

/** dynalite's items have no prototype where it has changed them. */
const plain = (item: Stored | null): Stored | undefined => (item ? JSON.parse(JSON.stringify(item)) : undefined);

const keysOf = ({ KeySchema }: StoredTable, item: Stored): Stored =>
  Object.fromEntries(KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]]));

const eventNameOf = (before: Stored | undefined, after: Stored | undefined) => {
  if (before && after) return 'MODIFY';
  return after ? 'INSERT' : 'REMOVE';
};

/** The record of a change, but for its number; nothing if the write has changed nothing. */
const toRecord = (
  table: StoredTable,
  { streamArn, viewType }: Followed,
  [before, after]: readonly [Stored | undefined, Stored | undefined],
  now: number,
) => {
  const changed = after ?? before;
  if (!changed || isDeepStrictEqual(before, after)) return undefined;
  const images = {
    Keys: keysOf(table, changed),
    ...(after && viewType.startsWith('NEW') && { NewImage: after }),
    ...(before && /OLD/.test(viewType) && { OldImage: before }),
  };
  return {
    eventID: randomUUID().replaceAll('-', ''),
    eventName: eventNameOf(before, after),
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(now / 1000),
      ...images,
      SizeBytes: Object.values(images).reduce((sum, item) => sum + itemSize(item), 0),
      StreamViewType: viewType,
    },
    eventSourceARN: streamArn,
  };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a filter lets a value pass; of several values one is enough. */
const matches = (pattern: EventPattern, value: unknown): boolean =>
  isObject(value) &&
  Object.entries(pattern).every(([name, expected]) => {
    const found = value[name];
    if (!Array.isArray(expected)) return matches(expected, found);
    return [found]
      .flat()
      .some((one) =>
        expected.some((each) =>
          isObject(each) ? typeof one === 'string' && one.startsWith(each.prefix) : each === one,
        ),
      );
  });

/** As many digits as DynamoDB's own have, so that they sort as numbers do. */
const toSequenceNumber = (number: number) => String(number).padStart(21, '0');

const recordSchema = v.looseObject({ dynamodb: v.looseObject({}) });

const expiredSchema = v.object({ number: v.number(), madeAt: v.number() });

type Expired = v.InferOutput<typeof expiredSchema>;

const toTime = (milliseconds: number) => new Date(milliseconds).toISOString();

/** What Lambda tells a failure queue: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
const toFailure = (
  { functionArn, streamArn }: StreamSource,
  { first, last, count }: { first: Expired; last: Expired; count: number },
  now: number,
) =>
  JSON.stringify({
    requestContext: { requestId: randomUUID(), functionArn, condition: 'RecordAgeExceeded' },
    version: '1.0',
    timestamp: toTime(now),
    DDBStreamBatchInfo: {
      shardId: 'shardId-local',
      startSequenceNumber: toSequenceNumber(first.number),
      endSequenceNumber: toSequenceNumber(last.number),
      approximateArrivalOfFirstRecord: toTime(first.madeAt),
      approximateArrivalOfLastRecord: toTime(last.madeAt),
      batchSize: count,
      streamArn,
    },
  });

/** Where the sources are kept for commands that open the store without a template: they change items as well. */
const keptKey = 'stream-sources';

/**
 * The streams of tables. A record is written with the item of which it tells, so that no end of the process comes between.
 * @param arrived is told the name of a source that has a new record
 * @param tell is told of records that are given up
 */
export const createStream = (
  { sql, write }: Database,
  entries: Entries,
  { send }: Pick<Queues, 'send'>,
  arrived: (source: string) => void,
  tell: (line: string) => void,
) => {
  const insert = sql.prepare('INSERT INTO records (source, made_at, record) VALUES (?, ?, ?)');
  const oldest = sql.prepare('SELECT number, record FROM records WHERE source = ? ORDER BY number LIMIT ?');
  const removeThrough = sql.prepare('DELETE FROM records WHERE source = ? AND number <= ?');
  const times = sql.prepare('SELECT number, made_at AS madeAt FROM records WHERE source = ? ORDER BY number');
  const others = sql.prepare('DELETE FROM records WHERE source NOT IN (SELECT value FROM json_each(?))');

  let followed: readonly Followed[] = v.parse(
    v.object({ sources: v.array(followedSchema) }),
    entries.get(keptKey) ?? { sources: [] },
  ).sources;

  const follow: Follow = (table, existing, item) => {
    const images = [plain(existing), plain(item)] as const;
    const now = Date.now();
    for (const source of followed) {
      if (source.tableName !== table.TableName) continue;
      const record = toRecord(table, source, images, now);
      const { filters } = source;
      if (!record || (filters.length > 0 && !filters.some((filter) => matches(filter, record)))) continue;
      insert.run(nameOf(source), now, JSON.stringify(record));
      arrived(nameOf(source));
    }
  };

  /** The records of a source that are too old. It ends at the first that is not: thousands may wait. */
  const findExpired = (source: StreamSource, now: number) => {
    const expired: Expired[] = [];
    for (const row of times.iterate(nameOf(source))) {
      const record = v.parse(expiredSchema, row);
      if (record.madeAt >= now - source.maximumRecordAgeSeconds * 1000) break;
      expired.push(record);
    }
    return expired;
  };

  /** Gives up the records that are too old, and tells the failure queue. */
  const expire = async (source: StreamSource, now: number) => {
    const expired = findExpired(source, now);
    const [first, last] = [expired.at(0), expired.at(-1)];
    if (!first || !last) return;
    await write(() => {
      removeThrough.run(nameOf(source), last.number);
      if (source.failureQueue === undefined) return;
      send(source.failureQueue, toFailure(source, { first, last, count: expired.length }, now), now);
    });
    const hours = source.maximumRecordAgeSeconds / 3600;
    tell(`gave up changes of ${source.tableName} that could not be delivered within ${hours} h: ${expired.length}`);
  };

  return {
    follow,

    /** Follows these sources from now on, and removes the records of others. @returns how many they were */
    begin: (sources: readonly StreamSource[]): number => {
      followed = sources;
      const kept = { sources };
      // A start that changes nothing works on a full disk, too.
      if (!isDeepStrictEqual(entries.get(keptKey), kept)) entries.put(keptKey, kept);
      return Number(others.run(JSON.stringify(sources.map(nameOf))).changes);
    },

    /** The oldest records of a source, in their order. */
    read: async (source: StreamSource, now: number): Promise<StreamRecord[]> => {
      await expire(source, now);
      return oldest.all(nameOf(source), source.batchSize).map(({ number, record }) => {
        const { dynamodb, ...rest } = v.parse(recordSchema, JSON.parse(String(record)));
        return { ...rest, dynamodb: { ...dynamodb, SequenceNumber: toSequenceNumber(Number(number)) } };
      });
    },

    /** Removes the records of a source up to one. */
    remove: (source: StreamSource, { dynamodb }: StreamRecord): Promise<void> =>
      write(() => void removeThrough.run(nameOf(source), Number(dynamodb.SequenceNumber))),
  };
};

export type Stream = ReturnType<typeof createStream>;

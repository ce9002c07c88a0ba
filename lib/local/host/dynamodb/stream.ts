import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { QueueStore } from '../sqs/queue-store.ts';
import type { EventPattern } from '../template/event-sources.ts';
import { region } from '../template/intrinsics.ts';
import type { Stored } from './database.ts';
import { type Follow, itemSize, type StoredTable } from './engine.ts';
import type { StreamRoute } from './stream-route.ts';

/** dynalite's items have no prototype where it has changed them. */
const plain = (item: Stored): Stored => JSON.parse(JSON.stringify(item));

const keysOf = ({ KeySchema }: StoredTable, item: Stored): Stored =>
  Object.fromEntries(KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]]));

const eventNameOf = (before: Stored | undefined, after: Stored | undefined) => {
  if (before && after) return 'MODIFY';
  return after ? 'INSERT' : 'REMOVE';
};

let lastSequenceNumber = 0n;

/** Greater than every one before, as long as the machine's clock is not set back while nothing runs. */
const nextSequenceNumber = (now: number): string => {
  const earliest = BigInt(now) * 1_000_000n;
  lastSequenceNumber = earliest > lastSequenceNumber ? earliest : lastSequenceNumber + 1n;
  return String(lastSequenceNumber);
};

/**
 * A change of an item, as DynamoDB Streams tells it; nothing when the write has changed nothing.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 */
const toRecord = (
  table: StoredTable,
  { streamArn, viewType }: StreamRoute,
  [before, after]: readonly [Stored | undefined, Stored | undefined],
  now: number,
) => {
  const changed = after ?? before;
  if (!changed || isDeepStrictEqual(before, after)) return undefined;
  const told = {
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
      ...told,
      SequenceNumber: nextSequenceNumber(now),
      SizeBytes: Object.values(told).reduce((sum, item) => sum + itemSize(item), 0),
      StreamViewType: viewType,
    },
    eventSourceARN: streamArn,
  };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a pattern of EventBridge takes a value; of several values it takes one. */
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

/**
 * Tells queues of the changes of tables: stream, pipe and topic are one, and what they give is in the write that it
 * tells of. So nothing that ends the process comes between, and no record waits for a reader.
 * @param arrived is told of a queue in which there are messages now
 */
export const createStream = (
  routes: readonly StreamRoute[],
  { toOperations }: Pick<QueueStore, 'toOperations'>,
  arrived: (queue: string) => void,
): Follow => {
  return (table, existing, item) => {
    const own = routes.filter(({ tableName }) => tableName === table.TableName);
    if (own.length === 0) return undefined;
    const images = [existing ? plain(existing) : undefined, item ? plain(item) : undefined] as const;
    const now = Date.now();
    const messages = own.flatMap((route) => {
      const record = toRecord(table, route, images, now);
      const passes = route.patterns.length === 0 || route.patterns.some((pattern) => matches(pattern, record));
      return record && passes ? route.queues.map((queue) => ({ queue, body: JSON.stringify(record) })) : [];
    });
    return {
      operations: messages.flatMap(({ queue, body }) => toOperations(queue, body, now)),
      written: () => {
        for (const { queue } of messages) arrived(queue);
      },
    };
  };
};

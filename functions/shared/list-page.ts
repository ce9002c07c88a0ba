import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Table } from './dynamodb.ts';

/** An index that holds lists: one partition each, sorted by a key that no two items share. */
export interface ListIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Matches every sort key. A cursor with another key is forged. */
  readonly sortKeyPattern: RegExp;
  /** The key in the table of the item that has this sort key in the index. */
  readonly tableKeyOf: (sortKey: string) => { readonly id: string };
}

/** A condition expression of DynamoDB, with its values. */
export interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export type ListOrder = 'ascending' | 'descending';

export interface ByteLimit<Item> {
  readonly bytesOf: (item: Item) => number;
  readonly maxBytes: number;
}

/** The items, the order and the size of a page. */
export interface ListQuery<Item> extends Table {
  readonly index: ListIndex;
  readonly partition: string;
  readonly order: ListOrder;
  /** The first sort key, inclusive; ASCII. @defaultValue all */
  readonly from?: string | undefined;
  /** The last sort key, inclusive; ASCII. @defaultValue all */
  readonly to?: string | undefined;
  /** The sort key of the last item of the previous page. */
  readonly after?: string | undefined;
  /** Lists only the items that meet it. @defaultValue lists all */
  readonly filter?: Condition;
  readonly signal?: AbortSignal | undefined;
  readonly schema: v.GenericSchema<unknown, Item>;
  /** Lists only the items for which it holds. @defaultValue all */
  readonly keeps?: ((item: Item) => boolean) | undefined;
  /** How many items a full page holds. */
  readonly limit: number;
  /** A page ends before the item that exceeds this, listed or not, but reads at least one item. @defaultValue no limit */
  readonly byteLimit?: ByteLimit<Item> | undefined;
  /** Whether the time of a page is over: then it ends after the query that is under way. @defaultValue it never is */
  readonly isOver?: (() => boolean) | undefined;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The ids of items that the schema cannot read. The page leaves them out, so that they do not hide the others. */
  readonly unreadable: readonly string[];
  /** The sort key after which the next page begins; none on the last page. */
  readonly next?: string;
}

/** The most items that one query asks for. */
const maxAtOnce = 5000;

/** A Query takes one condition on the sort key. */
const sortCondition = (from: string | undefined, to: string | undefined): string[] => {
  if (from !== undefined && to !== undefined) return ['#sort BETWEEN :from AND :to'];
  if (from !== undefined) return ['#sort >= :from'];
  return to !== undefined ? ['#sort <= :to'] : [];
};

/** The keys and conditions of the query. They are the same for each part of a page. */
const queryInput = <Item>({ table, index, partition, order, from, to, filter }: ListQuery<Item>) => ({
  TableName: table,
  IndexName: index.name,
  KeyConditionExpression: ['#partition = :partition', ...sortCondition(from, to)].join(' AND '),
  ...(filter && { FilterExpression: filter.expression }),
  ExpressionAttributeNames: {
    '#partition': index.partitionKey,
    ...((from ?? to) !== undefined && { '#sort': index.sortKey }),
  },
  ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to, ...filter?.values },
  ScanIndexForward: order === 'ascending',
});

type Key = Readonly<Record<string, unknown>>;

/**
 * Where to start. DynamoDB refuses a range without keys and a start outside of the range.
 * @returns undefined if the range has nothing to read
 */
const startOf = <Item>({ index, partition, order, from, to, after }: ListQuery<Item>): { key?: Key } | undefined => {
  const isBefore = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && (order === 'ascending' ? one < other : one > other);
  const first = order === 'ascending' ? from : to;
  const last = order === 'ascending' ? to : from;
  if (isBefore(last, first) || isBefore(last, after)) return undefined;
  if (after === undefined || isBefore(after, first)) return {};
  return { key: { [index.partitionKey]: partition, [index.sortKey]: after, ...index.tableKeyOf(after) } };
};

const sortKeyIn = (item: Key, { sortKey }: ListIndex): string => v.parse(v.string(), item[sortKey]);

/** An item of the list. */
interface ReadItem<Item> {
  readonly sortKey: string;
  /** Undefined if the schema cannot read it. */
  readonly item: Item | undefined;
  /** Of an unreadable one, nobody knows. */
  readonly isKept: boolean;
}

/** What one query has read. */
interface Part<Item> {
  readonly items: readonly ReadItem<Item>[];
  /** The last key that it read, maybe of an item that DynamoDB filtered out; undefined at the end of the list. */
  readonly lastKey: Key | undefined;
}

/** Reads items with one query, unless items are left out or DynamoDB cuts its response at 1 MB. */
async function* readParts<Item>(query: ListQuery<Item>): AsyncGenerator<Part<Item>> {
  const { client, index, schema, keeps = () => true, limit, signal } = query;
  const start = startOf(query);
  if (!start) return;
  const input = queryInput(query);
  // One more than the page holds shows whether another page follows.
  let wanted = limit + 1;
  let growth = 1;
  let key = start.key;
  do {
    const response = await client.send(
      new QueryCommand({ ...input, ExclusiveStartKey: key, Limit: Math.min(wanted * growth, maxAtOnce) }),
      signal ? { abortSignal: signal } : {},
    );
    key = response.LastEvaluatedKey;
    const { Items: found = [], ScannedCount: scanned = found.length } = response;
    const items = found.map((stored): ReadItem<Item> => {
      const { success, output } = v.safeParse(schema, stored);
      const item = success ? output : undefined;
      return { sortKey: sortKeyIn(stored, index), item, isKept: item === undefined || keeps(item) };
    });
    const kept = items.filter(({ isKept }) => isKept);
    wanted -= kept.filter(({ item }) => item !== undefined).length;
    // If most items are expired or left out, small queries would need thousands of round trips.
    if (kept.length < scanned) growth *= 2;
    yield { items, lastKey: key };
  } while (key !== undefined);
}

/** Reads one page of a list. */
export const readListPage = async <Item>(query: ListQuery<Item>): Promise<ListPage<Item>> => {
  const { index, limit, byteLimit, isOver } = query;
  const items: Item[] = [];
  const unreadable: string[] = [];
  /** The unreadable ones behind the last item. If the page ends there, the next page reports them. */
  const unreadableSince: string[] = [];
  let next: string | undefined;
  let bytes = 0;
  for await (const { items: part, lastKey } of readParts(query)) {
    for (const { sortKey, item, isKept } of part) {
      if (item === undefined) {
        unreadableSince.push(index.tableKeyOf(sortKey).id);
        continue;
      }
      bytes += byteLimit?.bytesOf(item) ?? 0;
      const isFull = items.length === limit || bytes > (byteLimit?.maxBytes ?? Infinity);
      if (isFull && next !== undefined) return { items, unreadable, next };
      if (isKept) items.push(item);
      unreadable.push(...unreadableSince.splice(0));
      next = sortKey;
    }
    if (lastKey && isOver?.()) {
      return { items, unreadable: [...unreadable, ...unreadableSince], next: sortKeyIn(lastKey, index) };
    }
  }
  return { items, unreadable: [...unreadable, ...unreadableSince] };
};

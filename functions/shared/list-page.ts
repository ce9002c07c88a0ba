import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';

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

export interface PageRoom<Item> {
  readonly bytesOf: (item: Item) => number;
  readonly maxBytes: number;
}

/** A client of DynamoDB, or one that retries failed queries. */
export interface QueryClient {
  send(query: QueryCommand, options: { readonly abortSignal?: AbortSignal }): Promise<QueryCommandOutput>;
}

/** The items, the order and the size of a page. */
export interface ListQuery<Item> {
  readonly client: QueryClient;
  readonly table: string;
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
  /** How many items a full page holds. */
  readonly limit: number;
  /** A page ends before the item that exceeds this, but has at least one item. @defaultValue no limit */
  readonly room?: PageRoom<Item> | undefined;
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

/** Reads one page of a list: with one query, unless items are filtered out or DynamoDB cuts its answer at 1 MB. */
export const readListPage = async <Item>(query: ListQuery<Item>): Promise<ListPage<Item>> => {
  const { client, index, partition, order, from, to, after, signal, schema, limit, room } = query;
  const isBefore = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && (order === 'ascending' ? one < other : one > other);

  // DynamoDB refuses a range without keys and a start outside of the range.
  const [first, last] = order === 'ascending' ? [from, to] : [to, from];
  if (isBefore(last, first) || isBefore(last, after)) return { items: [], unreadable: [] };
  let startKey: Record<string, unknown> | undefined =
    after === undefined || isBefore(after, first)
      ? undefined
      : { [index.partitionKey]: partition, [index.sortKey]: after, ...index.tableKeyOf(after) };

  const input = queryInput(query);
  const items: Item[] = [];
  const unreadable: string[] = [];
  let next: string | undefined;
  let unreadableBeforeNext = 0;
  let bytes = 0;
  let growth = 1;
  do {
    // One extra item shows whether another page follows.
    const wanted = limit + 1 - items.length;
    const answer = await client.send(
      new QueryCommand({ ...input, ExclusiveStartKey: startKey, Limit: Math.min(wanted * growth, maxAtOnce) }),
      { ...(signal && { abortSignal: signal }) },
    );
    const { Items: read = [], ScannedCount: scanned = read.length } = answer;
    for (const item of read) {
      const sort = v.parse(v.string(), item[index.sortKey]);
      const result = v.safeParse(schema, item);
      if (!result.success) {
        unreadable.push(index.tableKeyOf(sort).id);
        continue;
      }
      bytes += room?.bytesOf(result.output) ?? 0;
      const isFull = items.length === limit || bytes > (room?.maxBytes ?? Infinity);
      if (isFull && next !== undefined) {
        // The next page reports the later unreadable items.
        return { items, unreadable: unreadable.slice(0, unreadableBeforeNext), next };
      }
      items.push(result.output);
      next = sort;
      unreadableBeforeNext = unreadable.length;
    }
    // If most items are expired, small queries would need thousands of round trips.
    if (read.length < scanned) growth *= 2;
    startKey = answer.LastEvaluatedKey;
  } while (startKey !== undefined);
  return { items, unreadable };
};

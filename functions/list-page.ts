import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { mergeSorted } from './merge.ts';

/** An index that holds a list: one partition or several, each sorted by a key that no two items share. */
export interface ListIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** What every sort key looks like: a cursor that holds another was made up. */
  readonly sortKeyForm: RegExp;
  /** The key in the table of the item that has this sort key in the index. */
  readonly tableKeyOf: (sortKey: string) => { readonly id: string };
}

/** A condition in DynamoDB's words, with what stands for its values. */
export interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export type ListOrder = 'ascending' | 'descending';

export interface PageRoom<Item> {
  readonly bytesOf: (item: Item) => number;
  readonly maxBytes: number;
}

/** What asks DynamoDB: a client, or what tries again where that fails. */
export interface QueryClient {
  send(query: QueryCommand, options: { readonly abortSignal?: AbortSignal }): Promise<QueryCommandOutput>;
}

/** Which items of a list, in which order. */
export interface ListQuery<Item> {
  readonly client: QueryClient;
  readonly table: string;
  readonly index: ListIndex;
  readonly partitions: readonly string[];
  readonly order: ListOrder;
  /** Sort keys from here on, inclusive; ASCII, as are those of several partitions. @defaultValue all */
  readonly from?: string | undefined;
  /** Sort keys up to here, inclusive. @defaultValue all */
  readonly to?: string | undefined;
  /** The sort key of the item that the page before ended with. */
  readonly after?: string | undefined;
  /** Items for which it does not hold are left out. @defaultValue holds for all */
  readonly filter?: Condition;
  /** Ends the reading: nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
  /** Reads an item. */
  readonly schema: v.GenericSchema<unknown, Item>;
}

export interface ListPageQuery<Item> extends ListQuery<Item> {
  /** How many items a full page holds. */
  readonly limit: number;
  /** How many bytes an item takes, and how many a page may: it ends before an item that does not fit. @defaultValue no bound */
  readonly room?: PageRoom<Item> | undefined;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The ids of items that the schema cannot read: they are left out, so that one of them does not hide the others. */
  readonly unreadable: readonly string[];
  /** The sort key to go on after; none on the last page. */
  readonly next?: string;
}

interface Found<Item> {
  readonly sort: string;
  readonly item: Item;
}

/** How many items a query reads at once, where it has to read past those that are left out. */
const mostAtOnce = 1000;

/** A Query takes one condition on the sort key. */
const sortCondition = (from: string | undefined, to: string | undefined): string[] => {
  if (from !== undefined && to !== undefined) return ['#sort BETWEEN :from AND :to'];
  if (from !== undefined) return ['#sort >= :from'];
  return to !== undefined ? ['#sort <= :to'] : [];
};

/**
 * The items of one partition, fetched as they are asked for.
 * @param start the sort key to begin after
 * @param nextLimit how many to fetch at a time
 * @param leaveOut is told the id of each item that cannot be read
 */
async function* readPartition<Item>(
  { client, table, index, order, from, to, filter, schema, signal }: ListQuery<Item>,
  partition: string,
  start: string | undefined,
  nextLimit: () => number,
  leaveOut: (id: string) => void,
): AsyncGenerator<Found<Item>, undefined> {
  let startKey: Record<string, unknown> | undefined =
    start === undefined
      ? undefined
      : { [index.partitionKey]: partition, [index.sortKey]: start, ...index.tableKeyOf(start) };
  let grown = 1;
  do {
    const wanted = nextLimit() * grown;
    // Stryker disable next-line ArrayDeclaration: there always are some, if none, which their type does not know
    const { Items: read = [], LastEvaluatedKey: end } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: index.name,
        KeyConditionExpression: ['#partition = :partition', ...sortCondition(from, to)].join(' AND '),
        ...(filter && { FilterExpression: filter.expression }),
        ExpressionAttributeNames: {
          '#partition': index.partitionKey,
          ...((from ?? to) !== undefined && { '#sort': index.sortKey }),
        },
        ExpressionAttributeValues: {
          ':partition': partition,
          ':from': from,
          ':to': to,
          ...filter?.values,
        },
        ScanIndexForward: order === 'ascending',
        ExclusiveStartKey: startKey,
        Limit: Math.min(wanted, mostAtOnce),
      }),
      { ...(signal && { abortSignal: signal }) },
    );
    for (const item of read) {
      const sort = v.parse(v.string(), item[index.sortKey]);
      const result = v.safeParse(schema, item);
      if (result.success) yield { sort, item: result.output };
      else leaveOut(index.tableKeyOf(sort).id);
    }
    // Where most is left out, such as what has expired, small chunks would take thousands of queries.
    if (read.length < wanted) grown *= 2;
    startKey = end;
  } while (startKey);
  return undefined;
}

/**
 * The items of a list, one by one: a merge over its partitions, fetched in chunks. None is read twice.
 * @param nextLimit how many items to fetch from a partition at a time
 * @param leaveOut is told the id of each item that cannot be read
 */
export const readList = <Item>(
  query: ListQuery<Item>,
  nextLimit: () => number,
  leaveOut: (id: string) => void,
): AsyncGenerator<Found<Item>, undefined> => {
  const { partitions, after, from, to } = query;
  const descending = query.order === 'descending';
  const precedes = (one: string, other: string) => (descending ? one > other : one < other);
  const isBefore = (one: string | undefined, other: string | undefined) =>
    // Stryker disable next-line ConditionalExpression: JavaScript finds nothing before or after undefined
    one !== undefined && other !== undefined && precedes(one, other);

  // Neither a range without keys nor a start outside of the range is a valid Query.
  const [first, end] = descending ? [to, from] : [from, to];
  const isEmpty = isBefore(end, first) || isBefore(end, after);
  const start = isBefore(after, first) ? undefined : after;
  return mergeSorted(
    isEmpty ? [] : partitions.map((partition) => readPartition(query, partition, start, nextLimit, leaveOut)),
    (one, other) => precedes(one.sort, other.sort),
  );
};

/**
 * Reads one page of a list, in chunks so small that what is read beyond the page is less than one more page
 * (docs/decisions/0002).
 */
export const readListPage = async <Item>(query: ListPageQuery<Item>): Promise<ListPage<Item>> => {
  const { partitions, limit, room } = query;
  const items: Item[] = [];
  const unreadable: string[] = [];
  // One more than the page holds, to know whether another page follows.
  const wanted = limit + 1;
  const chunk = partitions.length === 1 ? wanted : Math.ceil(limit / partitions.length);
  const nextLimit = () => Math.min(chunk, wanted - items.length);
  let bytes = 0;
  let last: string | undefined;
  let next: string | undefined;
  for await (const { sort, item } of readList(query, nextLimit, (id) => unreadable.push(id))) {
    bytes += room?.bytesOf(item) ?? 0;
    if (items.length === limit || (room !== undefined && bytes > room.maxBytes && items.length > 0)) {
      next = last;
      break;
    }
    items.push(item);
    last = sort;
  }
  return { items, unreadable, ...(next !== undefined && { next }) };
};

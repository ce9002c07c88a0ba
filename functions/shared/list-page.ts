import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';

/** An index that holds a list: one partition or several, each sorted by a key that no two items share. */
export interface ListIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** What every sort key looks like: a cursor that holds another was made up. */
  readonly sortKeyPattern: RegExp;
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

/** Which items of a list, in which order, on pages of which size. */
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
  /** How many items a full page holds. */
  readonly limit: number;
  /** How many bytes an item takes, and how many a page may: it ends before an item that does not fit. @defaultValue no bound */
  readonly room?: PageRoom<Item> | undefined;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The ids of items, met on the way, that the schema cannot read: they are left out, so that one does not hide the others. */
  readonly unreadable: readonly string[];
  /** The sort key to go on after; none on the last page. */
  readonly next?: string;
}

/** A partition, as far as it was read. */
interface Shard {
  readonly partition: string;
  /** Where its next query begins. @defaultValue its beginning */
  startKey: Record<string, unknown> | undefined;
  hasMore: boolean;
  /** How many times what is wanted it is asked for. */
  grown: number;
}

/** What was read of a shard and is on no page yet. */
interface Found<Item> {
  readonly shard: Shard;
  readonly sort: string;
  readonly item: Item;
}

/** How many items a query asks for, where it has to read past those that are left out; an answer ends at one megabyte. */
const mostAtOnce = 5000;

/** A Query takes one condition on the sort key. */
const sortCondition = (from: string | undefined, to: string | undefined): string[] => {
  if (from !== undefined && to !== undefined) return ['#sort BETWEEN :from AND :to'];
  if (from !== undefined) return ['#sort >= :from'];
  return to !== undefined ? ['#sort <= :to'] : [];
};

/** Asks a shard for its next items. */
const readOn = async <Item>(
  { client, table, index, order, from, to, filter, signal }: ListQuery<Item>,
  shard: Shard,
  wanted: number,
): Promise<Record<string, unknown>[]> => {
  const {
    Items: read = [],
    ScannedCount: scanned = read.length,
    LastEvaluatedKey: end,
  } = await client.send(
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
        ':partition': shard.partition,
        ':from': from,
        ':to': to,
        ...filter?.values,
      },
      ScanIndexForward: order === 'ascending',
      ExclusiveStartKey: shard.startKey,
      Limit: Math.min(wanted * shard.grown, mostAtOnce),
    }),
    { ...(signal && { abortSignal: signal }) },
  );
  // Where most is left out, such as what has expired, asking for what is wanted would take thousands of queries.
  if (read.length < scanned) shard.grown *= 2;
  shard.startKey = end;
  shard.hasMore = end !== undefined;
  return read;
};

/**
 * How many of the next items of a list one of its shards may hold: its share, and so much more as the fullest of them
 * exceeds it by chance, which is about √(2 ln shards) standard deviations. Of one shard that is all of them.
 */
const shareOf = (items: number, shards: number): number => {
  const deviation = Math.sqrt((items / shards) * (1 - 1 / shards));
  return Math.min(items, Math.ceil(items / shards + Math.sqrt(2 * Math.log(shards)) * deviation));
};

/** How many of these a page holds. */
const countOnPage = <Item>({ limit, room }: ListQuery<Item>, known: readonly Found<Item>[]): number => {
  let bytes = 0;
  const onPage = known.slice(0, limit);
  const tooLarge = onPage.findIndex(({ item }, at) => {
    bytes += room?.bytesOf(item) ?? 0;
    return at > 0 && room !== undefined && bytes > room.maxBytes;
  });
  return tooLarge === -1 ? onPage.length : tooLarge;
};

/**
 * Reads a list page by page, each item once, in rounds: all shards that are read less far than the page may reach are
 * asked at once.
 * @returns what reads the next page; not to be called after the last
 */
export const listReader = <Item>(query: ListQuery<Item>): (() => Promise<ListPage<Item>>) => {
  const { partitions, index, after, from, to, limit, schema } = query;
  const descending = query.order === 'descending';
  const precedes = (one: string, other: string) => (descending ? one > other : one < other);
  const isBefore = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && precedes(one, other);

  // Neither a range without keys nor a start outside of the range is a valid Query.
  const [first, end] = descending ? [to, from] : [from, to];
  const isEmpty = isBefore(end, first) || isBefore(end, after);
  const start = isBefore(after, first) ? undefined : after;
  const shards = partitions.map((partition): Shard => {
    const startKey = start !== undefined && {
      [index.partitionKey]: partition,
      [index.sortKey]: start,
      ...index.tableKeyOf(start),
    };
    return { partition, startKey: startKey || undefined, hasMore: !isEmpty, grown: 1 };
  });

  /** In order. */
  let known: Found<Item>[] = [];
  return async () => {
    const unreadable: string[] = [];
    for (;;) {
      const count = countOnPage(query, known);
      // One more than the page holds tells that another follows.
      const needed = known.length > count ? count : limit + 1;
      const lacking = shards
        .map((shard) => ({ shard, items: needed - 1 - known.findLastIndex((found) => found.shard === shard) }))
        .filter(({ shard, items }) => shard.hasMore && items > 0);
      if (lacking.length === 0) {
        const onPage = known.slice(0, count);
        known = known.slice(count);
        const next = known.length > 0 ? onPage.at(-1)?.sort : undefined;
        return { items: onPage.map(({ item }) => item), unreadable, ...(next !== undefined && { next }) };
      }
      const answers = lacking.map(async ({ shard, items }) => {
        for (const read of await readOn(query, shard, shareOf(items, lacking.length))) {
          const sort = v.parse(v.string(), read[index.sortKey]);
          const result = v.safeParse(schema, read);
          if (result.success) known.push({ shard, sort, item: result.output });
          else unreadable.push(index.tableKeyOf(sort).id);
        }
      });
      await Promise.all(answers);
      // One shard is in DynamoDB's order, which is not that of JavaScript beyond ASCII.
      if (shards.length > 1) known.sort((one, other) => (precedes(one.sort, other.sort) ? -1 : 1));
    }
  };
};

/** Reads one page of a list. */
export const readListPage = <Item>(query: ListQuery<Item>): Promise<ListPage<Item>> => listReader(query)();

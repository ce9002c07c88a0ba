import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { mergeSorted } from './merge.ts';

/** An index that holds a list: one partition or several, each sorted by a key that ends with the item's id. */
export interface ListIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

export interface ListPageQuery<Item> {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly index: ListIndex;
  readonly partitions: readonly string[];
  readonly order: 'ascending' | 'descending';
  /** Sort keys from here on, inclusive. @defaultValue all */
  readonly from?: string;
  /** Sort keys up to here, inclusive. @defaultValue all */
  readonly to?: string;
  /** The sort key of the item that the page before ended with. */
  readonly after?: string;
  /** How many items a full page holds. */
  readonly limit: number;
  /** Items that expire (by `expiresAt`, in seconds) at this time or earlier are left out. @defaultValue none expires */
  readonly now?: Date;
  readonly parse: (item: unknown) => Item;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The sort key to go on after; none on the last page. */
  readonly next?: string;
}

const lowest = '\u0001';
const highest = '\u{10ffff}';
const idLength = 36;

/**
 * Reads one page of a list: a merge over its partitions, fetched in chunks so small that what is read beyond the page
 * is less than one more page (docs/decisions/0002).
 */
export const readListPage = async <Item>(query: ListPageQuery<Item>): Promise<ListPage<Item>> => {
  const { client, table, index, partitions, after, limit, from = lowest, to = highest } = query;
  const descending = query.order === 'descending';
  // Neither a range without keys nor a start outside of the range is a valid Query.
  const [first, last] = descending ? [to, from] : [from, to];
  const precedes = (one: string, other: string) => (descending ? one > other : one < other);
  if (precedes(last, first) || (after !== undefined && precedes(last, after))) return { items: [] };
  const start = after !== undefined && precedes(first, after) ? after : undefined;

  const entry = v.looseObject({ [index.sortKey]: v.string() });
  const chunk = Math.ceil(limit / partitions.length);
  let wanted = limit + 1;

  async function* readPartition(partition: string) {
    let startKey: Record<string, unknown> | undefined =
      start === undefined
        ? undefined
        : { [index.partitionKey]: partition, [index.sortKey]: start, id: start.slice(-idLength) };
    do {
      const result = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: index.name,
          KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
          ...(query.now && { FilterExpression: 'attribute_not_exists(expiresAt) OR expiresAt > :now' }),
          ExpressionAttributeNames: { '#partition': index.partitionKey, '#sort': index.sortKey },
          ExpressionAttributeValues: {
            ':partition': partition,
            ':from': from,
            ':to': to,
            ...(query.now && { ':now': Math.floor(query.now.getTime() / 1000) }),
          },
          ScanIndexForward: !descending,
          ExclusiveStartKey: startKey,
          Limit: Math.min(chunk, wanted),
        }),
      );
      for (const item of result.Items ?? []) {
        const { [index.sortKey]: sort } = v.parse(entry, item);
        yield { sort: v.parse(v.string(), sort), item: query.parse(item) };
      }
      startKey = result.LastEvaluatedKey;
    } while (startKey);
    return undefined;
  }

  const merged = mergeSorted(partitions.map(readPartition), (one, other) => precedes(one.sort, other.sort));
  const page: { sort: string; item: Item }[] = [];
  for await (const found of merged) {
    page.push(found);
    wanted -= 1;
    if (wanted === 0) break;
  }
  const items = page.slice(0, limit);
  const next = page.length > limit ? items.at(-1)?.sort : undefined;
  return { items: items.map(({ item }) => item), ...(next !== undefined && { next }) };
};

import {
  type AttributeValue,
  BatchGetItemCommand,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb';
import type { Staff } from '../../context.ts';
import { persist } from '../persist.ts';
import type { StaffTable } from '../tables.ts';
import { Checksum, canonical } from './checksum.ts';
import { kinds } from './kinds.ts';
import { asInTarget, withoutShard } from './move.ts';
import { eachPage, type Item } from './scan.ts';
import type { TableToCopy } from './table-to-copy.ts';

/** What BatchGetItem takes at once. */
const batchSize = 100;

type Key = Record<string, AttributeValue>;

/** The items of these keys, as of the last write; those that are not there are left out. */
const readAll = async (
  staff: Pick<Staff, 'wait' | 'signal'>,
  { client, table }: StaffTable,
  keys: readonly Key[],
): Promise<Item[]> => {
  const found: Item[] = [];
  let asked = [...keys];
  while (asked.length > 0) {
    asked = await persist(staff, async () => {
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys: asked, ConsistentRead: true } } }),
      );
      const answered = Responses?.[table] ?? [];
      const left = UnprocessedKeys?.[table]?.Keys ?? [];
      // An answer ends at 16 MB. Without any item, it is that DynamoDB is too busy.
      if (left.length > 0 && answered.length === 0) {
        throw new ProvisionedThroughputExceededException({ message: 'Unprocessed keys', $metadata: {} });
      }
      found.push(...answered);
      return left;
    });
  }
  return found;
};

/** How the target stands beside the source. */
export interface Comparison {
  /** How many items the source has. */
  readonly read: number;
  /** The keys of those that are other items in the target. */
  readonly different: readonly string[];
  /** The keys of those that are not in the target. */
  readonly missing: readonly string[];
  /** Over what the source has, and over what the target has of it. */
  readonly checksums: { readonly source: string; readonly target: string };
}

/**
 * Reads the source once more, and what the target has of it.
 * @param report is told how many are compared so far
 */
export const compare = async (
  { wait, signal: stop }: Pick<Staff, 'wait' | 'signal'>,
  table: TableToCopy,
  report: (compared: number) => void,
): Promise<Comparison> => {
  const { partitionKey } = kinds[table.kind];
  const keyOf = (item: Item) => item[partitionKey]?.S ?? '';
  const sums = { source: new Checksum(), target: new Checksum() };
  const [different, missing]: [string[], string[]] = [[], []];
  let read = 0;

  await eachPage({ wait, signal: stop }, table.source, async (items, signal) => {
    for (let start = 0; start < items.length; start += batchSize) {
      const batch = items.slice(start, start + batchSize);
      const keys = batch.map((item) => ({ [partitionKey]: { S: keyOf(item) } }));
      const found = new Map((await readAll({ wait, signal }, table.target, keys)).map((item) => [keyOf(item), item]));
      for (const item of batch) {
        const counterpart = found.get(keyOf(item));
        const wanted = canonical(withoutShard(asInTarget(table, item)));
        const there = counterpart && canonical(withoutShard(counterpart));
        sums.source.add(wanted);
        if (there === undefined) missing.push(keyOf(item));
        else sums.target.add(there);
        if (there !== undefined && there !== wanted) different.push(keyOf(item));
      }
      read += batch.length;
      report(read);
    }
  });
  return {
    read,
    different: different.sort(),
    missing: missing.sort(),
    checksums: { source: `${sums.source}`, target: `${sums.target}` },
  };
};

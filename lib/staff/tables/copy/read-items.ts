import {
  type AttributeValue,
  BatchGetItemCommand,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb';
import type { Staff } from '../../context.ts';
import { persist } from '../persist.ts';
import type { StaffTable } from '../tables.ts';
import type { Item } from './scan.ts';

type Key = Record<string, AttributeValue>;

/** What BatchGetItem takes at once. */
const batchSize = 100;

/**
 * What a table has under the keys of some items, as of the last write.
 * @returns by key; what is not there is left out
 */
export const readItems = async (
  staff: Pick<Staff, 'wait' | 'signal'>,
  { client, table }: StaffTable,
  partitionKey: string,
  items: readonly Item[],
): Promise<ReadonlyMap<string, Item>> => {
  const found = new Map<string, Item>();
  const ask = async (Keys: Key[]) => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
    );
    const answered = Responses?.[table] ?? [];
    const left = UnprocessedKeys?.[table]?.Keys ?? [];
    // An answer ends at 16 MB. Where it leaves out all of them, DynamoDB is too busy.
    if (left.length === Keys.length) {
      throw new ProvisionedThroughputExceededException({ message: 'Unprocessed keys', $metadata: {} });
    }
    for (const item of answered) found.set(item[partitionKey]?.S ?? '', item);
    return left;
  };
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize);
    let keys: Key[] = batch.map((item) => ({ [partitionKey]: { S: item[partitionKey]?.S ?? '' } }));
    while (keys.length > 0) {
      const asked = keys;
      keys = await persist(staff, () => ask(asked));
    }
  }
  return found;
};

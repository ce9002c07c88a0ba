import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { isStoreUnavailable } from '../../../functions/shared/dynamodb.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StaffContext } from '../context.ts';
import { persist } from './persist.ts';
import type { StaffTable } from './tables.ts';

/** What BatchWriteItem takes at once. */
const batchSize = 25;

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

export interface PutOptions extends Pick<StaffContext, 'wait' | 'signal'> {
  /** Is told how many are written so far. */
  readonly report: (done: number) => void;
}

/**
 * Writes items in batches, in their order. A store that is too busy for a batch, or for some of it, gets the rest again.
 * @throws {StaffError} when the store stays too busy; the batches before are written
 */
export const putAll = async (
  { client, table }: StaffTable,
  items: readonly Record<string, unknown>[],
  { wait, signal, report }: PutOptions,
): Promise<void> => {
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize);
    let requests: Requests = batch.map((item) => ({ PutRequest: { Item: item } }));
    const write = async () => {
      const { UnprocessedItems: unprocessed } = await client.send(
        new BatchWriteCommand({ RequestItems: { [table]: requests } }),
      );
      requests = unprocessed?.[table] ?? [];
      // As DynamoDB itself answers when it writes nothing of a batch.
      if (requests.length > 0)
        throw new ProvisionedThroughputExceededException({ message: 'Unprocessed items', $metadata: {} });
    };
    await persist({ wait, signal }, write).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
      throw new StaffError(`The store is too busy: ${start} of ${items.length} were written. Try again later.`);
    });
    report(start + batch.length);
  }
};

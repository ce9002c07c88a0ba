import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { StaffError } from '../command-line/staff-error.ts';
import type { LongWork, StaffContext } from '../context.ts';
import type { StaffTable } from './tables.ts';

/** What BatchWriteItem takes at once. */
const batchSize = 25;

/** How often a batch is sent before the store counts as too busy, and the longest wait between, in milliseconds. */
const [maxAttempts, maxWait] = [10, 5000];

type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/**
 * Writes items in batches, in their order. A store that is busy leaves some of a batch unwritten: those are sent again.
 * @throws {StaffError} when the store stays too busy; the batches before are written
 */
export const putAll = async (
  { client, table }: StaffTable,
  items: readonly Record<string, unknown>[],
  { wait, signal, report }: LongWork & Pick<StaffContext, 'wait'>,
): Promise<void> => {
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize);
    let requests: Requests = batch.map((item) => ({ PutRequest: { Item: item } }));
    for (let attempt = 1; requests.length > 0; attempt += 1) {
      if (attempt > maxAttempts) {
        throw new StaffError(`The store is too busy: ${start} of ${items.length} were written. Try again later.`);
      }
      if (attempt > 1) await wait(Math.min(25 * 2 ** attempt, maxWait), signal);
      signal.throwIfAborted();
      const { UnprocessedItems: unprocessed } = await client.send(
        new BatchWriteCommand({ RequestItems: { [table]: requests } }),
      );
      requests = unprocessed?.[table] ?? [];
    }
    report(start + batch.length);
  }
};

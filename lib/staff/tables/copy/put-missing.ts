import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Staff } from '../../context.ts';
import { persist } from '../persist.ts';
import { kinds } from './kinds.ts';
import { readItems } from './read-items.ts';
import { eachPage, type Item, segments } from './scan.ts';
import type { TableToCopy } from './table-to-copy.ts';
import { together } from './together.ts';

/** How many items are written at the same time, in all. */
const inFlight = 64;

/**
 * Writes what the source has and the target has not. What is there stays as it is, whoever wrote it and when.
 * @param report is told how many are written so far
 * @returns how many it wrote
 */
export const putMissing = async (
  staff: Pick<Staff, 'wait' | 'signal'>,
  table: TableToCopy,
  report: (copied: number) => void,
): Promise<number> => {
  const { kind, source, target } = table;
  const { partitionKey } = kinds[kind];
  let copied = 0;
  const put = async (item: Item, signal: AbortSignal) => {
    const command = new PutItemCommand({
      TableName: target.table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': partitionKey },
    });
    let isRepeated = false;
    try {
      await persist({ ...staff, signal }, (wasTried) => {
        isRepeated = wasTried;
        return target.client.send(command);
      });
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // Another try meets what the one before wrote, when only its answer was lost.
      if (!isRepeated && error.$metadata.attempts === 1) return;
    }
    copied += 1;
    report(copied);
  };
  await eachPage(staff, source, async (items, signal) => {
    // A put that is refused has the price of a write, and takes as long as a read of a hundred.
    const there = await readItems({ ...staff, signal }, target, partitionKey, items);
    const queue = items.filter((item) => !there.has(item[partitionKey]?.S ?? '')).values();
    await together(inFlight / segments, signal, async (either) => {
      for (const item of queue) await put(item, either);
    });
  });
  return copied;
};

import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Staff } from '../../context.ts';
import { persist } from '../persist.ts';
import type { StaffTable } from '../tables.ts';
import { together } from './together.ts';

/** An item as DynamoDB has it: a number with all of its digits, which JavaScript's cannot hold. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** How many parts of a table are read at the same time. */
export const segments = 8;

/**
 * Reads a whole table, page by page, several parts of it at the same time: the one place that scans.
 * @param work does something with a page before the next one of its part is read
 */
export const eachPage = (
  { wait, signal }: Pick<Staff, 'wait' | 'signal'>,
  { client, table }: StaffTable,
  work: (items: readonly Item[], signal: AbortSignal) => Promise<void>,
): Promise<void> =>
  together(segments, signal, async (either, segment) => {
    let start: Record<string, AttributeValue> | undefined;
    do {
      const scan = new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        TotalSegments: segments,
        Segment: segment,
        ExclusiveStartKey: start,
      });
      const page = await persist({ wait, signal: either }, () => client.send(scan, { abortSignal: either }));
      await work(page.Items ?? [], either);
      start = page.LastEvaluatedKey;
    } while (start);
  });

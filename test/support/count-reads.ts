import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The cost of Query calls. */
export interface Reads {
  queries: number;
  /** The items that the store read, also those that a filter left out. */
  items: number;
}

/** Counts the reads of a client from now on. */
export const countReads = (client: DynamoDBDocumentClient): Reads => {
  const reads: Reads = { queries: 0, items: 0 };
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { output } = result;
      if ('ScannedCount' in output && typeof output.ScannedCount === 'number') {
        reads.queries += 1;
        reads.items += output.ScannedCount;
      }
      return result;
    },
    { step: 'initialize' },
  );
  return reads;
};

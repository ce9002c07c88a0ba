import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The cost of Query calls. */
interface Reads {
  queries: number;
  /** The items that they read in the store, returned or filtered out. */
  items: number;
}

/** Counts what a client reads from now on. */
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

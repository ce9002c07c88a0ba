import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Counts the items that Query calls read in the store, whether they are returned or not. */
export const countReads = (client: DynamoDBDocumentClient): { items: number } => {
  const reads = { items: 0 };
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { output } = result;
      if ('ScannedCount' in output && typeof output.ScannedCount === 'number') reads.items += output.ScannedCount;
      return result;
    },
    { step: 'initialize' },
  );
  return reads;
};

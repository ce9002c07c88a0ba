import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What Query calls took. */
export interface Reads {
  queries: number;
  /** The items that they read in the store, whether they were returned or not. */
  items: number;
  /** How long the longest chain of queries was of which each waited for the one before. */
  rounds: number;
}

/** Counts what a client reads from now on. */
export const countReads = (client: DynamoDBDocumentClient): Reads => {
  const reads: Reads = { queries: 0, items: 0, rounds: 0 };
  client.middlewareStack.add(
    (next) => async (args) => {
      const round = reads.rounds + 1;
      const result = await next(args);
      const { output } = result;
      if ('ScannedCount' in output && typeof output.ScannedCount === 'number') {
        reads.queries += 1;
        reads.items += output.ScannedCount;
        reads.rounds = Math.max(reads.rounds, round);
      }
      return result;
    },
    { step: 'initialize' },
  );
  return reads;
};

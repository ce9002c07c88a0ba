import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { startRelay } from '../support/relay.ts';

export interface CtrlC extends AsyncDisposable {
  readonly signal: AbortSignal;
  readonly client: DynamoDBDocumentClient;
}

/** Ctrl-C while the store is asked for an operation, such as `Query`, for the first time. */
export const pressCtrlCAt = async (operation: string): Promise<CtrlC> => {
  const stopped = new AbortController();
  const relay = await startRelay({
    before: async (asked) => {
      if (asked === operation) stopped.abort();
    },
  });
  return {
    signal: stopped.signal,
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: relay.url })),
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
};

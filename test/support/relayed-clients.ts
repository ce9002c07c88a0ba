import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { type RelayOptions, startRelay } from './relay.ts';

interface RelayedClient extends AsyncDisposable {
  readonly client: DynamoDBDocumentClient;
}

/** A client that reaches the tables through a relay. */
const relayed = async (options: RelayOptions): Promise<RelayedClient> => {
  const relay = await startRelay(options);
  return {
    client: DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: relay.url })),
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
};

/** A client that first does something before the nth request for an operation, such as `Query`. */
export const meanwhile = (
  operation: string,
  act: () => Promise<unknown>,
  { nth = 1 }: { readonly nth?: number } = {},
): Promise<RelayedClient> => {
  let asked = 0;
  return relayed({
    before: async (each) => {
      if (each === operation) asked += 1;
      if (each === operation && asked === nth) await act();
    },
  });
};

/** A client that loses the first response to an operation. */
export const losingResponse = (operation: string): Promise<RelayedClient> => {
  let lost = false;
  return relayed({
    losesResponse: (each) => {
      const loses = each === operation && !lost;
      lost ||= loses;
      return loses;
    },
  });
};

/** Ctrl-C at the first request for an operation. */
export const pressCtrlCAt = async (operation: string) => {
  const stopped = new AbortController();
  return { signal: stopped.signal, ...(await meanwhile(operation, async () => stopped.abort())) };
};

/** A client that fails at an operation, except for the first few requests, or for so many times. */
export const failingAt = (
  operation: string,
  { after = 0, times = Infinity }: { readonly after?: number; readonly times?: number } = {},
): DynamoDBDocumentClient => {
  let asked = 0;
  const client = new DynamoDBClient({ endpoint: inject('dynamoDbEndpoint') });
  client.middlewareStack.add((next, { commandName }) => async (args) => {
    if (commandName !== `${operation}Command`) return next(args);
    asked += 1;
    if (asked > after && asked <= after + times) throw new Error('The line is cut.');
    return next(args);
  });
  return DynamoDBDocumentClient.from(client);
};

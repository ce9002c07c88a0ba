import { limitResponseBody } from '../../functions/shared/dynamodb.ts';

/** Milliseconds for an answer to begin, and for the rest of it. */
export const defaultTimeout = 10_000;

/** More than any command needs at once. With the SDK's 50, waiting requests would fail as if there were no connection. */
const maxSockets = 200;

/** The common part of the SDK's clients. */
export interface AwsClient {
  readonly middlewareStack: {
    add(middleware: ReturnType<typeof limitResponseBody>, options: { readonly step: 'deserialize' }): void;
  };
  destroy(): void;
}

/** Limits of each request. */
export interface RequestLimits {
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly throwOnRequestTimeout: boolean;
    readonly httpAgent: { readonly maxSockets: number };
    readonly httpsAgent: { readonly maxSockets: number };
  };
}

/**
 * Makes an AWS client whose requests end.
 * @param milliseconds for an answer to begin, and for the rest of it
 */
export const makeClient = <Client extends AwsClient, Options extends object>(
  Client: new (options: Options & RequestLimits) => Client,
  options: Options,
  milliseconds = defaultTimeout,
): Client => {
  const agent = { maxSockets };
  const requestHandler = {
    connectionTimeout: 3000,
    requestTimeout: milliseconds,
    throwOnRequestTimeout: true,
    httpAgent: agent,
    httpsAgent: agent,
  };
  const client = new Client({ ...options, requestHandler });
  client.middlewareStack.add(limitResponseBody(milliseconds), { step: 'deserialize' });
  return client;
};

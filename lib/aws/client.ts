import { limitResponseBody } from '../../functions/shared/dynamodb.ts';

/** Long enough for a slow line, short enough not to be taken for work, in milliseconds. */
export const patience = 10_000;

/** More than any command asks for at once: a request that waits for one of the SDK's 50 fails as one without a connection. */
const maxSockets = 200;

/** As much of a client of AWS as there is in every one. */
export interface AwsClient {
  readonly middlewareStack: {
    add(middleware: ReturnType<typeof limitResponseBody>, options: { readonly step: 'deserialize' }): void;
  };
  destroy(): void;
}

/** What bounds each request. */
export interface Bounds {
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly throwOnRequestTimeout: boolean;
    readonly httpAgent: { readonly maxSockets: number };
    readonly httpsAgent: { readonly maxSockets: number };
  };
}

/**
 * Makes a client of AWS of which no request waits for ever.
 * @param milliseconds how long for an answer to begin, and how long for the rest of it
 */
export const makeClient = <Client extends AwsClient, Options extends object>(
  Client: new (options: Options & Bounds) => Client,
  options: Options,
  milliseconds = patience,
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

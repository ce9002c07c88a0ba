import { type Clock, systemClock } from './clock.ts';
import { type StoreOptions, startStore } from './dynamodb/store.ts';
import { createGateway } from './gateway/gateway.ts';
import { createGatewayServer } from './gateway/gateway-server.ts';
import { createFunctionPool } from './lambda/function-pool.ts';
import { listen } from './listen.ts';
import { logToStderr } from './log.ts';

/** What to serve, and where. */
export interface HostOptions extends StoreOptions {
  /** 0 for any port that is free. */
  readonly port: number;
  /** @defaultValue 127.0.0.1 */
  readonly host?: string;
  /** @defaultValue the machine's clock */
  readonly clock?: Clock;
}

/** A stack that is served on this machine. */
export interface Host {
  /** Where the API answers; no stage in the path, as behind a domain of its own. */
  readonly baseUrl: string;
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly storeEndpoint: string;
  /** Answers what is under way, then ends everything. */
  close(): Promise<void>;
}

/**
 * Serves a synthesized stack over HTTP as API Gateway, Lambda and DynamoDB would: what its template holds, and nothing
 * else. Permissions are not checked: every function may use every table.
 * @throws {Error} one line that says why it cannot: the template, the data directory or the port
 */
export const startHost = async ({
  port,
  host = '127.0.0.1',
  log = logToStderr,
  clock = systemClock,
  ...storeOptions
}: HostOptions): Promise<Host> => {
  const { template, ...store } = await startStore({ ...storeOptions, log });
  const { restApi, functions, outputs } = template;
  const pool = createFunctionPool(functions, { AWS_ENDPOINT_URL_DYNAMODB: store.endpoint }, clock, log);
  const gateway = createGateway(restApi, pool.invoke, clock, log);
  const server = createGatewayServer(gateway, restApi.gatewayResponses, clock, log);
  try {
    const listening = await listen(server, port, host);
    return {
      baseUrl: `http://${host}:${listening.port}`,
      outputs,
      storeEndpoint: store.endpoint,
      close: async () => {
        await listening.stop();
        await pool.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};

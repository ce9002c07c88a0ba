import { join } from 'node:path';
import { serveServices } from './aws/services.ts';
import { type Clock, systemClock } from './clock.ts';
import { createDelivery } from './deliver/delivery.ts';
import { type Answer, createGateway } from './gateway/gateway.ts';
import { createGatewayServer } from './gateway/gateway-server.ts';
import type { HttpRequest, HttpResponse } from './gateway/http-message.ts';
import { createFunctionPool } from './lambda/function-pool.ts';
import { listen } from './listen.ts';
import { type Log, logToStderr } from './log.ts';
import { announceStore, type StoreAddress } from './store/announcement.ts';
import { lockStore } from './store/store.ts';
import { type Assembly, readTemplate } from './template/template.ts';

export interface HostOptions {
  /** The folder of everything that the host keeps on the machine. */
  readonly dataDir: string;
  /** Synthesizes the stack to serve; called once the data directory is known to be free. */
  readonly synthesize: () => Promise<Assembly>;
  /** 0 for any port that is free. */
  readonly port: number;
  /** @defaultValue the machine's clock */
  readonly clock?: Clock;
  /** Milliseconds to wait for a command that uses the data directory. @defaultValue none */
  readonly patience?: number;
  /** @defaultValue standard error */
  readonly log?: Log;
  /** Sees each request that a method of the API answered, and the answer. */
  readonly observe?: (request: HttpRequest, response: HttpResponse) => void;
}

/** A stack that is served on this machine. */
export interface Host {
  /** Where the API answers; no stage in the path, as behind a domain of its own. */
  readonly baseUrl: string;
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly store: StoreAddress;
  /** Answers the requests under way, then ends everything. */
  close(): Promise<void>;
}

/**
 * Serves the template of a synthesized stack over HTTP as API Gateway, Lambda, DynamoDB and SQS would. Permissions are not
 * checked: every function may use every table and queue.
 * @throws {Error} one line that says why it cannot: the template, the data directory or the port
 */
export const startHost = async ({
  dataDir,
  synthesize,
  port,
  clock = systemClock,
  patience = 0,
  log = logToStderr,
  observe = () => {},
}: HostOptions): Promise<Host> => {
  const opened = new AsyncDisposableStack();
  try {
    const store = await lockStore(dataDir, log, patience);
    opened.defer(store.close);
    const template = await readTemplate(await synthesize());
    const { restApi, functions, tables, queues, streamSources, outputs } = template;
    const address = await store.open({ tables, streamSources, queues });
    const { accessKeyId } = address;
    const { sendMessage } = store.calls;
    const services = await serveServices(template, { dataDir, accessKeyId, sendMessage, clock, log });
    opened.defer(services.close);
    const variables = {
      AWS_ENDPOINT_URL: services.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: address.endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      // For the code that loads the bundles, as Node compiled it for an earlier start: https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache
      NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
    };
    const pool = createFunctionPool(functions, variables, clock, log);
    opened.defer(pool.close);
    // Staff requests wait for the authorizer before the function of their route: it starts while the host does.
    for (const { authorizer } of restApi.methods) if (authorizer) pool.begin(authorizer.functionArn);
    await announceStore(dataDir, { ...address, outputs });

    const delivery = createDelivery(template, { store, invoke: pool.invoke, clock, log });
    opened.defer(delivery.close);
    const gateway = createGateway(restApi, pool.invoke, clock, log);
    const observed: Answer = async (request) => {
      const response = await gateway(request);
      observe(request, response);
      return response;
    };
    const server = createGatewayServer(observed, restApi.gatewayResponses, clock, log);
    const listening = await listen(server, port, '127.0.0.1');
    opened.defer(listening.stop);
    delivery.start();

    return {
      baseUrl: `http://127.0.0.1:${listening.port}`,
      outputs,
      store: address,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};

import { join } from 'node:path';
import { openBuckets } from './aws/objects.ts';
import { serveServices } from './aws/services.ts';
import { createSignedUrls } from './aws/signed-urls.ts';
import { type Clock, systemClock } from './clock.ts';
import { createDelivery } from './deliver/delivery.ts';
import { createSchedules } from './deliver/schedules.ts';
import { createGateway } from './gateway/gateway.ts';
import { createGatewayServer } from './gateway/gateway-server.ts';
import type { Exchange } from './gateway/http-message.ts';
import { type Log, logToStderr } from './host-log.ts';
import { createFunctionPool } from './lambda/function-pool.ts';
import { listen } from './listen.ts';
import { announceStore, type StoreAddress } from './store/announcement.ts';
import { lockStore } from './store/store.ts';
import { type Assembly, readTemplate } from './template/template.ts';
import { startTimeToLive } from './time-to-live.ts';

interface HostOptions {
  /** The folder of all data of the host. */
  readonly dataDir: string;
  /** Synthesizes the stack. Called after the data directory is locked. */
  readonly synthesize: () => Promise<Assembly>;
  /** 0 for any free port. */
  readonly port: number;
  /** The origin that signed URLs of objects name. @defaultValue the API's address on this machine */
  readonly publicUrl?: string | undefined;
  /** Values of secrets that the template does not define, by name. @defaultValue none */
  readonly secrets?: Readonly<Record<string, string>>;
  /** @defaultValue the machine's clock */
  readonly clock?: Clock;
  /** Milliseconds to wait for a command that uses the data directory. @defaultValue 0 */
  readonly patience?: number;
  /** @defaultValue standard error */
  readonly log?: Log;
  /** Called with each request that got a response, after all that its function logged. */
  readonly observe?: (exchange: Exchange) => void;
}

/** A running stack. */
export interface Host {
  /** The URL of the API, without a stage, as with a custom domain. */
  readonly baseUrl: string;
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly store: StoreAddress;
  /** Resolves when the store has ended. Before `close`, this means that it failed, and nothing works any more: the log says why. */
  readonly storeEnded: Promise<void>;
  /** Responds to the open requests, then stops. */
  close(): Promise<void>;
}

/**
 * Serves the template of a synthesized stack as API Gateway, Lambda, DynamoDB and SQS would. It checks no permissions: every
 * function may use every table and queue.
 * @throws {Error} one line about the template, the data directory or the port
 */
export const startHost = async ({
  dataDir,
  synthesize,
  port,
  publicUrl,
  secrets = {},
  clock = systemClock,
  patience = 0,
  log = logToStderr,
  observe,
}: HostOptions): Promise<Host> => {
  const opened = new AsyncDisposableStack();
  try {
    const store = await lockStore(dataDir, log, patience);
    opened.defer(store.close);
    const template = await readTemplate(await synthesize());
    const { restApi, functions, tables, queues, streamSources, schedules, outputs } = template;
    const address = await store.open({ tables, streamSources, queues });
    const { accessKeyId, secretAccessKey } = address;
    const credentials = { accessKeyId, secretAccessKey };
    const { sendMessage } = store.calls;
    const buckets = await openBuckets(dataDir, template.buckets, clock);
    const services = await serveServices(template, { dataDir, credentials, secrets, sendMessage, buckets, clock, log });
    opened.defer(services.close);
    const variables: Record<string, string> = {
      AWS_ENDPOINT_URL: services.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: address.endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      // Keeps the compiled code of the bundles for later starts: https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache
      NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
    };
    const pool = createFunctionPool(functions, variables, clock, log);
    opened.defer(pool.close);
    // Starts the authorizer now: staff requests need it before the function of their route.
    for (const { authorizer } of restApi.methods) if (authorizer) pool.begin(authorizer.functionArn);
    await announceStore(dataDir, { ...address, services: services.endpoint, outputs });

    const delivery = createDelivery(template, { store, invoke: pool.invoke, clock, log });
    opened.defer(delivery.close);
    const regular = await createSchedules(dataDir, schedules, { invoke: pool.invoke, clock, log });
    opened.defer(regular.close);
    let baseUrl = '';
    const signedUrls = createSignedUrls({ buckets, credentials, origin: () => publicUrl ?? baseUrl, clock, log });
    const respond = signedUrls(createGateway(restApi, pool.invoke, clock, log));
    const server = createGatewayServer(respond, restApi.gatewayResponses, clock, log, observe);
    const listening = await listen(server, port);
    opened.defer(listening.stop);
    baseUrl = `http://127.0.0.1:${listening.port}`;
    // In time: of the functions, only the authorizer has started.
    variables['PUBLIC_ENDPOINT_URL_S3'] = publicUrl ?? baseUrl;
    delivery.start();
    regular.start();
    opened.defer(startTimeToLive(tables, store.calls, clock, log));

    return {
      baseUrl,
      outputs,
      store: address,
      storeEnded: store.ended,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};

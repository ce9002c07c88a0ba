import type { BlockList } from 'node:net';
import { join } from 'node:path';
import { openBuckets } from './aws/objects.ts';
import type { SendEmail } from './aws/outgoing-email.ts';
import { serveServices } from './aws/services.ts';
import { createSignedUrls } from './aws/signed-urls.ts';
import { type Clock, systemClock } from './clock.ts';
import { createDelivery, type Undelivered } from './deliver/delivery.ts';
import { createSchedules } from './deliver/schedules.ts';
import { createAddressLimits } from './gateway/address-limits.ts';
import { clientAddressOf, networkOfClient, networksOf } from './gateway/client-address.ts';
import { createGateway } from './gateway/gateway.ts';
import { type Admits, createGatewayServer } from './gateway/gateway-server.ts';
import type { Exchange } from './gateway/http-message.ts';
import { type Log, logToStderr } from './host-log.ts';
import { createFunctionPool } from './lambda/function-pool.ts';
import { listen } from './listen.ts';
import { announceStore, type StoreAddress } from './store/announcement.ts';
import { lockStore } from './store/store.ts';
import type { FunctionDefinition } from './template/definitions.ts';
import { type Assembly, readTemplate } from './template/template.ts';
import { startTimeToLive } from './time-to-live.ts';

interface HostOptions {
  /** The folder of all data of the host. */
  readonly dataDir: string;
  /** Synthesizes the stack. Called after the data directory is locked. */
  readonly synthesize: () => Promise<Assembly>;
  /** The address to listen on. @defaultValue that of this machine alone */
  readonly host?: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** The origin that all URLs in responses and emails name. @defaultValue that of the request */
  readonly publicUrl?: string | undefined;
  /** Proxies whose `X-Forwarded-For` names the client. @defaultValue none */
  readonly trustedProxies?: BlockList;
  /** Sends emails. @defaultValue writes them into files */
  readonly sendEmail?: SendEmail | undefined;
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
  /** The URL of the API, without a stage, as with a custom domain: `publicUrl`, or else its address on this machine. */
  readonly baseUrl: string;
  readonly port: number;
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly store: StoreAddress;
  /** Resolves when the store has ended. Before `close`, this means that it failed, and nothing works any more: the log says why. */
  readonly storeEnded: Promise<void>;
  /** The messages of the queues. */
  undelivered(): Promise<Undelivered>;
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
  host,
  port,
  publicUrl,
  trustedProxies = networksOf([]),
  sendEmail,
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
    const { restApi, addressLimits, functions, tables, queues, streamSources, schedules, outputs } = template;
    const url = publicUrl === undefined ? undefined : new URL(publicUrl);
    const address = await store.open({ tables, streamSources, queues });
    const { accessKeyId, secretAccessKey } = address;
    const credentials = { accessKeyId, secretAccessKey };
    const { sendMessage } = store.calls;
    const buckets = await openBuckets(dataDir, template.buckets, clock);
    const services = await serveServices(template, {
      dataDir,
      credentials,
      secrets,
      sendMessage,
      sendEmail,
      messageHost: url?.hostname,
      buckets,
      clock,
      log,
    });
    opened.defer(services.close);
    let baseUrl = publicUrl ?? `http://127.0.0.1:${port}`;
    const variables: Record<string, string> = {
      AWS_ENDPOINT_URL: services.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: address.endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      PUBLIC_ENDPOINT_URL_S3: baseUrl,
      // Keeps the compiled code of the bundles for later starts: https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache
      NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
    };
    // What visitors wait for has a thread of its own. The others share one: each thread takes 25 MB.
    const isPublic = ({ arn }: FunctionDefinition) =>
      restApi.methods.some(({ integration, authorizer }) => integration === arn && !authorizer);
    const threadOf = (definition: FunctionDefinition) => (isPublic(definition) ? definition.name : 'functions');
    const pool = createFunctionPool(functions, variables, clock, log, threadOf);
    opened.defer(pool.close);
    await announceStore(dataDir, { ...address, services: services.endpoint, outputs });

    const delivery = createDelivery(template, { store, invoke: pool.invoke, clock, log });
    opened.defer(delivery.close);
    const regular = await createSchedules(dataDir, schedules, { invoke: pool.invoke, clock, log });
    opened.defer(regular.close);
    const signedUrls = createSignedUrls({ buckets, credentials, origin: () => baseUrl, clock, log });
    const respond = signedUrls(createGateway(restApi, pool.invoke, clock, log, url));
    const passesLimit = createAddressLimits(addressLimits, clock);
    const admits: Admits = (message, { httpMethod, path }) =>
      !passesLimit(networkOfClient(clientAddressOf(message, trustedProxies)), httpMethod, path);
    const server = createGatewayServer(respond, restApi.gatewayResponses, clock, log, observe, admits);
    const listening = await listen(server, port, host);
    opened.defer(listening.stop);
    baseUrl = publicUrl ?? `http://127.0.0.1:${listening.port}`;
    // In time: no function has started.
    variables['PUBLIC_ENDPOINT_URL_S3'] = baseUrl;
    // Starts the authorizer now: staff requests need it before the function of their route.
    for (const { authorizer } of restApi.methods) if (authorizer) pool.begin(authorizer.functionArn);
    delivery.start();
    regular.start();
    opened.defer(startTimeToLive(tables, store.calls, clock, log));

    return {
      baseUrl,
      port: listening.port,
      outputs,
      store: address,
      storeEnded: store.ended,
      undelivered: delivery.undelivered,
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};

// A thread of functions. It runs the handler for each message of function-pool.ts.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FunctionDefinition } from '../template/definitions.ts';

/** Asks to load a function, by its ARN, unless it is loaded, and to invoke it. */
export interface WorkerRequest {
  readonly load: string;
  readonly invocation?: Invocation;
}

interface Invocation {
  readonly id: string;
  /** The event as JSON, so that no two invocations share an object. */
  readonly event: string;
  readonly remainingMilliseconds: number;
}

/** The result of an invocation: what the handler returned, as JSON, or its error. */
export interface WorkerResponse {
  readonly id: string;
  readonly result:
    | { readonly ok: true; readonly payload: string }
    | { readonly ok: false; readonly errorMessage: string };
}

type Handler = (event: unknown, context: object) => unknown;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const definitions: readonly FunctionDefinition[] = workerData;

/** The variables of the function that was loaded last: functions read theirs while they are loaded. */
let variables: FunctionDefinition['variables'] = {};

const load = async (definition: FunctionDefinition): Promise<Handler> => {
  for (const name of Object.keys(variables)) delete process.env[name];
  ({ variables } = definition);
  Object.assign(process.env, variables);
  const { handler }: { readonly handler?: unknown } = await import(
    pathToFileURL(join(definition.folder, 'index.mjs')).href
  );
  if (!isHandler(handler)) throw new Error('index.handler is undefined or not exported');
  return handler;
};

const loaded = new Map<string, Promise<Handler>>();
/** Loads one after the other, since the variables are those of the whole thread. */
let lastLoad: Promise<unknown> = Promise.resolve();

/** If a function cannot be loaded, the thread ends. */
const handlerOf = (arn: string): Promise<Handler> => {
  const known = loaded.get(arn);
  if (known) return known;
  const definition = definitions.find((each) => each.arn === arn);
  if (!definition) throw new Error(`${arn} is no function of this thread`);
  const handler = lastLoad.then(() => load(definition));
  loaded.set(arn, handler);
  lastLoad = handler;
  return handler;
};

/** The parts of the context that handlers read: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html */
const contextOf = ({ id, remainingMilliseconds }: Invocation) => {
  const deadline = Date.now() + remainingMilliseconds;
  return { awsRequestId: id, getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()) };
};

/**
 * An authorizer refuses a token by this error, which is no failure:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
const isRefusal = (error: unknown) => error instanceof Error && error.message === 'Unauthorized';

const run = async (handler: Handler, invocation: Invocation): Promise<WorkerResponse['result']> => {
  try {
    const returned = await handler(JSON.parse(invocation.event), contextOf(invocation));
    return { ok: true, payload: JSON.stringify(returned) ?? 'null' };
  } catch (error) {
    if (!isRefusal(error)) console.error('Invoke Error', error);
    return { ok: false, errorMessage: error instanceof Error ? error.message : String(error) };
  }
};

/** Waits until the host has what was logged, so that it has a request's log lines before the response. */
const flushLog = async (): Promise<void> => {
  if (process.stdout.writableLength === 0) return;
  await new Promise((resolve) => process.stdout.write('', resolve));
};

parentPort?.on('message', async ({ load: arn, invocation }: WorkerRequest) => {
  const handler = await handlerOf(arn);
  if (!invocation) return;
  const response: WorkerResponse = { id: invocation.id, result: await run(handler, invocation) };
  await flushLog();
  parentPort?.postMessage(response);
});

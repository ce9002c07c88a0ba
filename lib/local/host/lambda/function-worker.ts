// The thread of a function. It runs the handler for each message of function-pool.ts.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FunctionDefinition } from '../template/definitions.ts';

/** An invocation. */
export interface WorkerRequest {
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

const definition: FunctionDefinition = workerData;
const { handler }: { readonly handler?: unknown } = await import(
  pathToFileURL(join(definition.folder, 'index.mjs')).href
);
if (typeof handler !== 'function') throw new Error('index.handler is undefined or not exported');

/** The parts of the context that handlers read: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html */
const contextOf = ({ id, remainingMilliseconds }: WorkerRequest) => {
  const deadline = Date.now() + remainingMilliseconds;
  return { awsRequestId: id, getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()) };
};

/**
 * An authorizer refuses a token by this error, which is no failure:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
const isRefusal = (error: unknown) => error instanceof Error && error.message === 'Unauthorized';

const run = async (request: WorkerRequest): Promise<WorkerResponse['result']> => {
  try {
    const returned: unknown = await handler(JSON.parse(request.event), contextOf(request));
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

parentPort?.on('message', async (request: WorkerRequest) => {
  const response: WorkerResponse = { id: request.id, result: await run(request) };
  await flushLog();
  parentPort?.postMessage(response);
});

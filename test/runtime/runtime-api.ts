import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import type { InvocationResult } from '../../lib/local/host/lambda/function-pool.ts';
import { listen, stop } from '../support/server.ts';

const errorSchema = v.object({ errorMessage: v.string(), errorType: v.string() });

interface RuntimeApiOptions {
  readonly functionArn: string;
  readonly timeoutSeconds: number;
}

/** Plays Lambda for one process of a function. */
interface RuntimeApi {
  /** The process's `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string;
  /** Resolves when the function is loaded and asks for an event; rejects with the error of a failed start. */
  readonly ready: Promise<void>;
  /** One at a time. */
  invoke(event: unknown): Promise<InvocationResult>;
  /** Ends all waiting, because the process has ended. */
  exited(): void;
  close(): Promise<void>;
}

/** Serves Lambda's Runtime API: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html */
export const serveRuntimeApi = async ({ functionArn, timeoutSeconds }: RuntimeApiOptions): Promise<RuntimeApi> => {
  /** The request for an event that the process waits on. */
  const expectNext = () => {
    const awaited = Promise.withResolvers<ServerResponse>();
    // If the process ends while no event waits for it, that is no error.
    awaited.promise.catch(() => {});
    return awaited;
  };
  let next = expectNext();
  let result = Promise.withResolvers<InvocationResult>();
  const ready = next.promise.then(() => {});

  const server = createServer(async (request, response) => {
    const path = request.url?.replace('/2018-06-01/runtime/', '') ?? '';
    if (path === 'invocation/next') {
      next.resolve(response);
      return;
    }
    const body: unknown = JSON.parse(await text(request));
    if (path.endsWith('/response')) {
      result.resolve({ ok: true, payload: body });
    } else {
      const { errorType, errorMessage } = v.parse(errorSchema, body);
      if (path === 'init/error') next.reject(new Error(`${errorType}: ${errorMessage}`));
      else result.resolve({ ok: false, errorMessage });
    }
    response.writeHead(202, { 'Content-Type': 'application/json' }).end('{"status":"OK"}');
  });
  const url = await listen(server);

  return {
    address: new URL(url).host,
    ready,
    invoke: async (event) => {
      const response = await next.promise;
      next = expectNext();
      result = Promise.withResolvers();
      response
        .writeHead(200, {
          'Content-Type': 'application/json',
          'Lambda-Runtime-Aws-Request-Id': randomUUID(),
          'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutSeconds * 1000),
          'Lambda-Runtime-Invoked-Function-Arn': functionArn,
          'Lambda-Runtime-Trace-Id': 'Root=1-00000000-000000000000000000000000;Parent=0000000000000000;Sampled=0',
        })
        .end(JSON.stringify(event));
      return result.promise;
    },
    exited: () => {
      next.reject(new Error('Runtime exited'));
      result.resolve({ ok: false, errorMessage: 'Runtime exited' });
    },
    close: () => stop(server),
  };
};

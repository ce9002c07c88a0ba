import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import { emptyAwsFiles } from '../isolation.ts';
import type { FunctionDefinition } from '../template/definitions.ts';
import { region } from '../template/intrinsics.ts';
import { createTurnstile } from '../turnstile.ts';
import type { WorkerRequest, WorkerResponse } from './function-worker.ts';

/** The result of an invocation: the parsed response of the function, or an error. */
export type InvocationResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly errorMessage: string };

/** Invokes a function by its ARN. Never rejects. */
export type Invoke = (functionArn: string, event: unknown) => Promise<InvocationResult>;

/** The variables of Lambda that the service and the AWS SDK read. */
const runtimeVariables = {
  // Without these variables, clients would look for a region and credentials in files.
  AWS_REGION: region,
  AWS_SESSION_TOKEN: 'local',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  TZ: ':UTC',
};

/**
 * How many invocations of a function run at once in its thread. They share this thread and that of the store: with 25 lists of
 * 5 MB at once, reads took longer than the functions wait for the store, and half of the lists got 503. With 8, creates are as
 * fast as with 25.
 */
const maxOverlap = 8;

/**
 * By default, V8's heap for new objects grows to 96 MB in each thread, and never shrinks. With less than this limit, garbage
 * collections took a fifth of each create's time.
 */
const maxYoungGenerationSizeMb = 24;

/** The stack of a crash, unless the code was deleted: then the host ends in a moment, and says why. */
const describe = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  return 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' ? error.message : error.stack;
};

/** A worker thread, and the invocations that it has not responded to. */
interface ExecutionEnvironment {
  readonly worker: Worker;
  readonly pending: Map<string, (result: InvocationResult) => void>;
}

/** A thread of one function or of several. It starts when it is first needed, and again after its end. */
interface FunctionThread {
  /** The running thread. */
  begin(): ExecutionEnvironment;
  /** Ends the thread with all its invocations. */
  end(environment: ExecutionEnvironment): void;
  close(): Promise<void>;
}

const createThread = (
  name: string,
  definitions: readonly FunctionDefinition[],
  extraVariables: Readonly<Record<string, string>>,
  log: Log,
): FunctionThread => {
  let current: ExecutionEnvironment | undefined;

  const start = (): ExecutionEnvironment => {
    const worker = new Worker(new URL('./function-worker.ts', import.meta.url), {
      workerData: definitions,
      env: { ...runtimeVariables, ...emptyAwsFiles, ...extraVariables },
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(...definitions.map(({ memoryMegabytes }) => memoryMegabytes)),
        maxYoungGenerationSizeMb,
      },
      stdout: true,
      stderr: true,
    });
    const environment: ExecutionEnvironment = { worker, pending: new Map() };
    for (const stream of [worker.stdout, worker.stderr]) {
      createInterface({ input: stream }).on('line', (line) => log(name, line));
    }
    worker.on('message', ({ id, result }: WorkerResponse) => {
      environment.pending.get(id)?.(
        result.ok
          ? { ok: true, payload: JSON.parse(result.payload) }
          : { ok: false, errorMessage: result.errorMessage },
      );
    });
    worker.on('error', (error) => log(name, `crashed: ${describe(error)}`));
    worker.on('exit', () => {
      if (current === environment) current = undefined;
      for (const settle of environment.pending.values()) settle({ ok: false, errorMessage: 'Runtime exited' });
    });
    return environment;
  };

  return {
    begin: () => {
      current ??= start();
      return current;
    },
    end: (environment) => {
      if (current === environment) current = undefined;
      void environment.worker.terminate();
    },
    close: async () => void (await current?.worker.terminate()),
  };
};

/**
 * Runs a function in a thread. Lambda gives each concurrent invocation a process. Here they share the thread, since handlers mostly
 * wait. After a timeout, the function may still be busy: the thread ends, with all its invocations.
 */
const createFunctionRunner = (
  { arn, name, timeoutSeconds }: FunctionDefinition,
  thread: FunctionThread,
  clock: Clock,
  log: Log,
): ((event: unknown) => Promise<InvocationResult>) => {
  const takeTurn = createTurnstile(maxOverlap);

  const invokeNow = (event: unknown): Promise<InvocationResult> =>
    new Promise((resolve) => {
      const environment = thread.begin();
      const id = randomUUID();
      const cancelTimeout = clock.after(timeoutSeconds * 1000, () => {
        log(name, `${id} Task timed out after ${timeoutSeconds.toFixed(2)} seconds`);
        thread.end(environment);
      });
      environment.pending.set(id, (result) => {
        cancelTimeout();
        environment.pending.delete(id);
        resolve(result);
      });
      const invocation = { id, event: JSON.stringify(event), remainingMilliseconds: timeoutSeconds * 1000 };
      environment.worker.postMessage({ load: arn, invocation } satisfies WorkerRequest);
    });

  return (event) => takeTurn(() => invokeNow(event));
};

/** The functions of a template. */
export interface FunctionPool {
  readonly invoke: Invoke;
  /** Starts a function before its first invocation. */
  begin(functionArn: string): void;
  close(): Promise<void>;
}

/**
 * Runs the template's functions.
 * @param extraVariables environment variables for every function
 * @param threadOf names a function's thread. Functions that share one need less memory. @defaultValue a thread for each
 */
export const createFunctionPool = (
  definitions: readonly FunctionDefinition[],
  extraVariables: Readonly<Record<string, string>>,
  clock: Clock,
  log: Log,
  threadOf: (definition: FunctionDefinition) => string = ({ name }) => name,
): FunctionPool => {
  const threads = new Map(
    [...Map.groupBy(definitions, threadOf)].map(([name, members]) => [
      name,
      createThread(name, members, extraVariables, log),
    ]),
  );
  const functions = new Map(
    definitions.flatMap((definition) => {
      const thread = threads.get(threadOf(definition));
      if (!thread) return [];
      return [[definition.arn, { thread, invoke: createFunctionRunner(definition, thread, clock, log) }] as const];
    }),
  );
  return {
    invoke: async (functionArn, event) =>
      functions.get(functionArn)?.invoke(event) ?? { ok: false, errorMessage: `There is no function ${functionArn}` },
    begin: (functionArn) => {
      functions
        .get(functionArn)
        ?.thread.begin()
        .worker.postMessage({ load: functionArn } satisfies WorkerRequest);
    },
    close: async () => {
      await Promise.all([...threads.values()].map((thread) => thread.close()));
    },
  };
};

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { emptyAwsFiles } from '../../lib/local/host/isolation.ts';
import type { InvocationResult } from '../../lib/local/host/lambda/function-pool.ts';
import type { FunctionDefinition } from '../../lib/local/host/template/definitions.ts';
import { region } from '../../lib/local/host/template/intrinsics.ts';
import { serveRuntimeApi } from './runtime-api.ts';

/** A function in a process of its own, loaded and run by AWS's runtime client. */
export interface FunctionProcess {
  readonly definition: FunctionDefinition;
  readonly results: readonly InvocationResult[];
  /** The lines of its output. */
  readonly lines: readonly string[];
  invoke(event: unknown): Promise<InvocationResult>;
  stop(): Promise<void>;
}

/**
 * Starts a function, its environment variables those of the template and of Lambda:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 * @param script of AWS's runtime client
 * @param endpoints where it finds AWS's services: variables such as `AWS_ENDPOINT_URL_DYNAMODB`
 * @throws {Error} when it cannot be loaded
 */
export const startFunction = async (
  script: string,
  definition: FunctionDefinition,
  endpoints: Readonly<Record<string, string>>,
): Promise<FunctionProcess> => {
  const { name, arn, folder, variables, timeoutSeconds, memoryMegabytes } = definition;
  const api = await serveRuntimeApi({ functionArn: arn, timeoutSeconds });
  const child = spawn(process.execPath, [script], {
    cwd: folder,
    env: {
      ...variables,
      ...emptyAwsFiles,
      ...endpoints,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_DEFAULT_REGION: region,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_REGION: region,
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      LAMBDA_TASK_ROOT: folder,
      LANG: 'en_US.UTF-8',
      TZ: ':UTC',
      _HANDLER: 'index.handler',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => lines.push(line));
  child.once('exit', api.exited);
  const stop = async () => {
    if (child.kill()) await once(child, 'exit');
    await api.close();
  };

  try {
    await api.ready;
  } catch (error) {
    await stop();
    throw new Error(`${name} did not start: ${error instanceof Error ? error.message : error}\n${lines.join('\n')}`);
  }

  const results: InvocationResult[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return {
    definition,
    results,
    lines,
    stop,
    // Lambda gives a process one event at a time.
    invoke: (event) => {
      const result = last
        .then(() => api.invoke(event))
        .catch(() => ({ ok: false, errorMessage: 'Runtime exited' }) as const);
      last = result.then((settled) => results.push(settled));
      return result;
    },
  };
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleFunctions } from '../lib/infrastructure/bundle.ts';
import { authorizerVariables, endpointVariables } from '../lib/infrastructure/endpoint-variables.ts';
import { apiHandlers, endpoints, memorySize } from '../lib/infrastructure/endpoints.ts';
import { parseEnvironment } from '../lib/infrastructure/settings.ts';
import { environments } from '../test/support/environments.ts';
import { certificateFile, credentials } from './store/store.ts';

/** A bundled function, with the environment variables that it needs. */
export interface BuiltFunction {
  readonly name: string;
  readonly module: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** The name of bench/minimal-handler.ts in tables. */
export const minimal = 'minimal handler';

const bundleMinimal = async (folder: string): Promise<string> => {
  const module = join(folder, 'minimal', 'index.cjs');
  // The defaults of the CDK's `NodejsFunction`, with the SDK bundled.
  await build({
    entryPoints: [join(import.meta.dirname, 'minimal-handler.ts')],
    outfile: module,
    bundle: true,
    platform: 'node',
    target: 'node24',
  });
  return module;
};

/** Lambda's own variables: https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const lambdaVariables = (endpoint: string) => ({
  AWS_REGION: credentials.region,
  AWS_DEFAULT_REGION: credentials.region,
  AWS_ACCESS_KEY_ID: credentials.accessKey,
  AWS_SECRET_ACCESS_KEY: credentials.secret,
  AWS_SESSION_TOKEN: credentials.sessionToken,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: 'bench',
  AWS_LAMBDA_LOG_STREAM_NAME: 'bench',
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  LAMBDA_RUNTIME_DIR: '/var/runtime',
  LAMBDA_TASK_ROOT: '/var/task',
  _X_AMZN_TRACE_ID: 'Root=1-6740a1b2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=0',
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  // These two lead to the store of the benchmarks: Lambda sets neither.
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  NODE_EXTRA_CA_CERTS: certificateFile,
});

/** The variables that the stack of `prod` sets. */
const stackVariables = (handler: string) => {
  const prod = parseEnvironment('prod', environments.prod);
  const endpoint = endpoints.find((each) => each.handler === handler);
  return endpoint ? endpointVariables(endpoint, prod) : authorizerVariables(prod);
};

/**
 * Bundles the minimal handler and the API's functions.
 * @param endpoint of the store. @defaultValue one that nobody listens on: an import needs none
 */
export const buildFunctions = async (folder: string, endpoint = 'https://localhost:9'): Promise<BuiltFunction[]> => {
  const shared = {
    ...lambdaVariables(endpoint),
    CONTACTS_TABLE: 'contacts',
    CAMPAIGNS_TABLE: 'campaigns',
    TOKENS_TABLE: 'tokens',
  };
  const bundles = await bundleFunctions(join(folder, 'functions'), apiHandlers);
  return [
    { name: minimal, module: await bundleMinimal(folder), variables: shared },
    ...apiHandlers.map((handler) => ({
      name: handler,
      module: join(bundles, handler, 'index.mjs'),
      variables: { ...shared, ...stackVariables(handler) },
    })),
  ];
};

/** Runs with a temporary folder. */
export const inFolder = async <Result>(use: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

import { toVariables } from '../../functions/shared/variables.ts';
import type { AuthorizerVariables } from '../../functions/tokens/authorizer.ts';
import { endpoints, memorySize } from '../../lib/infrastructure/endpoints.ts';
import { parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { environments } from '../../test/support/environments.ts';
import { credentials } from './credentials.ts';

const prod = parseEnvironment('prod', environments.prod);

/** What Lambda itself tells a function. https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
export const lambdaVariables = (endpoint: string): Readonly<Record<string, string>> => ({
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
  AWS_XRAY_CONTEXT_MISSING: 'LOG_ERROR',
  AWS_XRAY_DAEMON_ADDRESS: '127.0.0.1:2000',
  LAMBDA_RUNTIME_DIR: '/var/runtime',
  LAMBDA_TASK_ROOT: '/var/task',
  _X_AMZN_TRACE_ID: 'Root=1-6740a1b2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=0',
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  // Not Lambda's: the store of the benchmark, and the certificate that it shows.
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  NODE_EXTRA_CA_CERTS: `${import.meta.dirname}/localhost-certificate.pem`,
});

const grants: AuthorizerVariables['GRANTS'] = endpoints.flatMap(({ permission, method, path }) =>
  permission ? [{ permission, resource: `${method}${path.replaceAll(/\{\w+\}/g, '*')}` }] : [],
);

const variablesOf = (handler: string): Readonly<Record<string, unknown>> => {
  if (handler === 'authorizer') return { ENVIRONMENT: prod.name, GRANTS: grants };
  return endpoints.find((row) => row.handler === handler)?.variables?.(prod) ?? {};
};

/** What a function of the service is told besides: the names of the tables, and what the stack tells it of its environment. */
export const ownVariables = (handler: string): Record<string, string> => ({
  CONTACTS_TABLE: 'contacts',
  CAMPAIGNS_TABLE: 'campaigns',
  TOKENS_TABLE: 'tokens',
  ...toVariables(variablesOf(handler)),
});

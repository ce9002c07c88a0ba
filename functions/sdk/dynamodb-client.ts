import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { endpointProvider } from './dynamodb-endpoint.ts';
import { dynamoDbProtocol } from './dynamodb-protocol.ts';

/**
 * Settings that the SDK would otherwise look up at its first call, in files and variables that no function has. Only tests
 * and the local service set an endpoint; otherwise it follows from the region.
 */
const lambdaSettings = () => {
  const region = process.env['AWS_REGION'];
  const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? process.env['AWS_ENDPOINT_URL'];
  return {
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    defaultsMode: 'standard',
    ignoreConfiguredEndpointUrls: true,
    retryMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: '',
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
  } satisfies DynamoDBClientConfig;
};

/** Tags of middlewares that log, and send DynamoDB the names of the SDK and the trace. Nothing here uses that. */
export const removedMiddlewares = ['LOGGER', 'RECURSION_DETECTION', 'USER_AGENT'];

/** A client that starts quickly. */
export const createDynamoDbClient = (config: DynamoDBClientConfig): DynamoDBClient => {
  const client = new DynamoDBClient({ ...lambdaSettings(), protocol: dynamoDbProtocol, endpointProvider, ...config });
  for (const tag of removedMiddlewares) client.middlewareStack.removeByTag(tag);
  return client;
};

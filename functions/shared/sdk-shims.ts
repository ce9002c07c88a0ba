import { fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';

/**
 * Replaces `@aws-sdk/credential-provider-node`: Lambda passes credentials in environment variables
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html), so SSO, profiles and STS are not needed.
 */
export const defaultProvider = (...options: Parameters<typeof fromEnv>) => memoize(fromEnv(...options));

/** Replaces `@aws-sdk/middleware-endpoint-discovery`: DynamoDB's endpoints follow from the region. */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: undefined,
};

import { fromEnv } from '@aws-sdk/credential-provider-env';
import { memoize } from '@smithy/core/config';

/**
 * In place of `@aws-sdk/credential-provider-node`: on Lambda the credentials are in the environment
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html), which SSO, profiles and STS cannot reach. They
 * are read once, as that provider does: the variables of a process stay, and reading them takes time.
 */
export const defaultProvider = (...options: Parameters<typeof fromEnv>) => memoize(fromEnv(...options));

/** In place of `@aws-sdk/middleware-endpoint-discovery`: DynamoDB's endpoints are known by their region. */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: undefined,
};

/** In place of what reads `~/.aws`: a function has no such files, and shall not take settings from where they could be. */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

/** Between the parts of a section's name in these files. */
export const CONFIG_PREFIX_SEPARATOR = '.';

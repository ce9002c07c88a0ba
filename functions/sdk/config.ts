// Functions have no `~/.aws`, and DynamoDB's endpoints follow from the region. This file must import nothing of the SDK: the SDK's
// modules import it, and would run in the wrong order.

/** Reads no files. */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

export const CONFIG_PREFIX_SEPARATOR = '.';

/** Discovers no endpoints. */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: undefined,
};

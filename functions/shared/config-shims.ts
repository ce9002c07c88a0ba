// Replaces the reader of `~/.aws`, which functions do not have. It must import nothing of the SDK: the SDK's modules import this
// one, and would run in the wrong order.

export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

export const CONFIG_PREFIX_SEPARATOR = '.';

/** In place of what reads `~/.aws`: a function has no such files, and shall not take settings from where they could be. */
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

/** Between the parts of a section's name in these files. */
export const CONFIG_PREFIX_SEPARATOR = '.';

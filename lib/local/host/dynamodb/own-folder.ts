import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const storeFolder = 'dynamodb';

/** Where in a data directory the store is: right in it. */
export const storeFolderIn = (dataDir: string): string => join(dataDir, storeFolder);

/** What cannot be read is for what follows to complain of. */
const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
};

/** What LevelDB makes before anything else: https://github.com/google/leveldb/blob/main/doc/impl.md */
const isOfLevelDb = (name: string) => ['CURRENT', 'LOCK', 'LOG'].includes(name);

/**
 * Makes sure that a data directory is the service's own: others' files in it would lose their modes, and folders that are
 * named as its own are would be replaced.
 * @throws {Error} one line, when it holds something, and no store
 */
export const refuseOthers = async (dataDir: string): Promise<void> => {
  const names = await namesIn(dataDir);
  if (names.length === 0) return;
  if (names.includes(storeFolder)) {
    const stored = await namesIn(storeFolderIn(dataDir));
    if (stored.length === 0 || stored.some(isOfLevelDb)) return;
  }
  throw new Error(`The data directory ${dataDir} holds other files: choose an empty one, or a new one (DATA_DIR)`);
};

import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const storeFile = 'store.db';

/** Where the store of a data directory is. SQLite keeps another file beside it while the store is open. */
export const storeFileIn = (dataDir: string): string => join(dataDir, storeFile);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** As `recursive` does, which tries forever where the parent is there and takes no folder, as `/proc`. */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || (await exists(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(folder);
  }
};

/** Takes a folder and the files right in it from everybody but their owner, if the system knows of owners. */
const tighten = async (folder: string): Promise<void> => {
  const { mode, uid } = await stat(folder);
  if (process.getuid?.() === undefined) return;
  if (uid !== process.getuid()) throw new Error('it belongs to another user');
  if (mode & 0o1000) throw new Error('it is shared with other users');
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // Another process that has the store open, which is found out later, removes files meanwhile.
    await chmod(join(folder, entry.name), 0o600).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
  }
};

/**
 * Makes a data directory that is for its owner alone, as are the files right in it: also those that are there already.
 * @throws {Error} one line, if it cannot be made, is another's, or holds something else: files of others would lose their
 * modes, and folders that are named as the service's own would be replaced
 */
export const makeDataFolder = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((): string[] => []);
  if (names.length > 0 && !names.includes(storeFile)) {
    throw new Error(`The data directory ${dataDir} holds other files: choose an empty one, or a new one (DATA_DIR)`);
  }
  try {
    await makeFolder(dataDir);
    await tighten(dataDir);
  } catch (error) {
    throw new Error(
      `The data directory ${dataDir} cannot be used: ${error instanceof Error ? error.message : error}: choose another`,
    );
  }
};

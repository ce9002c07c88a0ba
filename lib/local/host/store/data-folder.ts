import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const storeFile = 'store.db';

/** Where the store of a data directory is. SQLite keeps another file beside it while the store is open. */
export const storeFileIn = (dataDir: string): string => join(dataDir, storeFile);

/** Keeps everybody but its owner out of a folder, if the system knows of owners. */
const tighten = async (folder: string): Promise<void> => {
  const { mode, uid } = await stat(folder);
  if (process.getuid?.() === undefined) return;
  if (uid !== process.getuid()) throw new Error('it belongs to another user');
  if (mode & 0o1000) throw new Error('it is shared with other users');
  await chmod(folder, 0o700);
};

/**
 * Makes a data directory that is for its owner alone, also if it is there already.
 * @throws {Error} one line, if it cannot be made, is another's, or holds something else: files of others would lose their
 * modes, and folders that are named as the service's own would be replaced
 */
export const makeDataFolder = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((): string[] => []);
  if (names.length > 0 && !names.includes(storeFile)) {
    throw new Error(`The data directory ${dataDir} holds other files: choose an empty one, or a new one (DATA_DIR)`);
  }
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await tighten(dataDir);
  } catch (error) {
    throw new Error(
      `The data directory ${dataDir} cannot be used: ${error instanceof Error ? error.message : error}: choose another`,
    );
  }
};

/** As Node, SQLite and esbuild say it; the last two have no code for it. */
const full = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded|database or disk is full/i;

/** Says what to do about an error that may come of a full disk: nothing is wrong with the files of the folder. */
export const explainFullDisk = (folder: string, error: unknown): unknown =>
  error instanceof Error && full.test(error.message)
    ? new Error(`The disk of ${folder} is full: make room on it, then try again`, { cause: error })
    : error;

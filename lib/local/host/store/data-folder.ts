import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const storeFile = 'store.db';

/** The file of the store. While it is open, SQLite keeps other files beside it. */
export const storeFileIn = (dataDir: string): string => join(dataDir, storeFile);

/** Makes a folder private to its owner, if the system has owners. */
const tighten = async (folder: string): Promise<void> => {
  const { mode, uid } = await stat(folder);
  if (process.getuid?.() === undefined) return;
  if (uid !== process.getuid()) throw new Error('it belongs to another user');
  if (mode & 0o1000) throw new Error('it is shared with other users');
  await chmod(folder, 0o700);
};

/** What lies in the folder when the very first start ends before the store has its tables. */
const filesOfFirstStart: readonly string[] = [storeFile, `${storeFile}-journal`];

/** SQLite takes an empty file for a new database, and removes what it had written beside it. */
const refuseEmptied = async (file: string, names: readonly string[]): Promise<void> => {
  if (names.every((name) => filesOfFirstStart.includes(name)) || (await stat(file)).size > 0) return;
  throw new Error(
    `The embedded store ${file} cannot be used (it is empty, but the data directory was used before): restore the data directory from a copy, or move it away to start with empty tables`,
  );
};

/**
 * Creates a data directory that is private to its owner, or makes an existing one private.
 * @throws {Error} one line if it cannot be created, belongs to another user, holds other files or an emptied store. In a folder
 * of other files, the service could replace some of them.
 */
export const makeDataFolder = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((): string[] => []);
  if (names.length > 0 && !names.includes(storeFile)) {
    throw new Error(
      `The data directory ${dataDir} contains other files: choose an empty or a new directory (DATA_DIR)`,
    );
  }
  if (names.length > 0) await refuseEmptied(storeFileIn(dataDir), names);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await tighten(dataDir);
  } catch (error) {
    throw new Error(
      `The data directory ${dataDir} cannot be used (${error instanceof Error ? error.message : error}): choose another (DATA_DIR)`,
    );
  }
};

/** What Node, SQLite and esbuild say of it. The last two have no error code. */
const fullDisk = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded|database or disk is full/i;

/** Turns the error of a full disk into one that says what to do. */
export const explainFullDisk = (folder: string, error: unknown): unknown =>
  error instanceof Error && fullDisk.test(error.message)
    ? new Error(`The disk of ${folder} is full: free some space, then try again`, { cause: error })
    : error;

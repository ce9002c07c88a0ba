import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const ignoreMissing = (error: unknown) => {
  if (codeOf(error) !== 'ENOENT') throw error;
};

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

/** Takes a folder and the files right in it from everybody but their owner, where the system knows of owners. */
const tighten = async (folder: string): Promise<void> => {
  const { mode, uid } = await stat(folder);
  if (process.getuid?.() === undefined) return;
  if (uid !== process.getuid()) throw new Error('it belongs to another user');
  if (mode & 0o1000) throw new Error('it is shared with other users');
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    // A process that has the store open, which is found out later, removes files meanwhile.
    if (entry.isFile()) await chmod(join(folder, entry.name), 0o600).catch(ignoreMissing);
  }
};

/**
 * Makes a folder that is for its owner alone, as are the files right in it: also those that are there already.
 * @throws {Error} one line, when it cannot be made or is another's
 */
export const makePrivate = async (folder: string): Promise<void> => {
  try {
    await makeFolder(folder);
    await tighten(folder);
  } catch (error) {
    throw new Error(
      `The data directory ${folder} cannot be used: ${error instanceof Error ? error.message : error}: choose another`,
    );
  }
};

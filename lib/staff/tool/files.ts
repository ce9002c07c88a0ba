import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { StaffError } from '../../shared/staff-error.ts';

export const isSystemError = (error: unknown): error is Error & { errno: number } =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number';

/** Turns an error of the file system into one line. */
export const failOn =
  (path: string) =>
  (error: unknown): never => {
    if (!isSystemError(error)) throw error;
    throw new StaffError(`Cannot write "${path}": ${getSystemErrorMessage(error.errno)}.`);
  };

const isMissing = (error: unknown) => isSystemError(error) && 'code' in error && error.code === 'ENOENT';

/** The file behind a link, which may not exist yet; the path itself if it is no link. */
const targetOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const target = await readlink(path).catch(() => undefined);
    return target === undefined ? path : targetOf(resolve(await realpath(dirname(path)), target));
  }
};

/** Makes sure that the names of files in a folder are on the disk. Windows opens no folder. */
const syncFolder = async (folder: string): Promise<void> => {
  const opened = await open(folder).catch(() => undefined);
  await opened?.sync().catch(() => {});
  await opened?.close();
};

/**
 * Writes a file as `writeWholeFile` does, if nothing has its name.
 * @throws {StaffError} if something has, or it cannot be written; also what `chunks` throws
 */
export const writeNewFile = async (path: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> => {
  // An empty file takes the name: not every file system has another way to rename without overwriting.
  const reserved = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (!isSystemError(error) || !('code' in error) || error.code !== 'EEXIST') return failOn(path)(error);
    throw new StaffError(`"${path}" exists already: choose another name.`);
  });
  await reserved.close();
  try {
    await writeWholeFile(path, chunks);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

/**
 * Writes a file that only its owner can read, since it holds personal data. The file is complete before it gets its name.
 * Until then it is called `<name>.partial`, which the next run to the same path removes.
 * @throws {StaffError} if it cannot be written; also what `chunks` throws
 */
export const writeWholeFile = async (path: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> => {
  const existing = await stat(path).catch(() => undefined);
  if (existing && !existing.isFile()) throw new StaffError(`Cannot write "${path}": it is not a file.`);

  const onFile = failOn(path);
  // To give a file the name of a link would replace the link.
  const target = await targetOf(path).catch(onFile);
  const partial = `${target}.partial`;
  // An existing file would keep its mode.
  await rm(partial, { force: true }).catch(onFile);
  const file = await open(partial, 'wx', 0o600).catch(onFile);
  try {
    try {
      for await (const chunk of chunks) await file.appendFile(chunk).catch(onFile);
      await file.sync().catch(onFile);
    } finally {
      await file.close();
    }
    await rename(partial, target).catch(onFile);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { StaffError } from './staff-error.ts';

const isSystemError = (error: unknown): error is Error & { errno: number } =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number';

const fail =
  (action: string, path: string) =>
  (error: unknown): never => {
    if (!isSystemError(error)) throw error;
    throw new StaffError(`Cannot ${action} "${path}": ${getSystemErrorMessage(error.errno)}.`);
  };

/**
 * Reads a file.
 * @throws {StaffError} when it cannot be read
 */
export const readWholeFile = (path: string): Promise<Uint8Array> => readFile(path).catch(fail('read', path));

/**
 * Writes a file that appears at its path when it is complete, and not at all when that fails: until then it is beside it
 * as `<name>.<…>.partial`. Only its owner may read it, since it holds personal data. Where the path is a link, it is the
 * file behind that.
 * @throws {StaffError} when it cannot be written, or is there without `force`; also what `chunks` throws
 */
export const writeWholeFile = async (
  path: string,
  chunks: AsyncIterable<string>,
  { force }: { readonly force: boolean },
): Promise<void> => {
  const mayTakePlace = async () => {
    const there = await stat(path).catch(() => undefined);
    // The file would take the place of a device or a pipe.
    if (there && !there.isFile()) throw new StaffError(`Cannot write "${path}": it is there and is no file.`);
    if (there && !force) throw new StaffError(`There is a file "${path}": --force replaces it.`);
  };
  await mayTakePlace();

  const onFile = fail('write', path);
  const target = await realpath(path).catch(() => path);
  const partial = `${target}.${randomUUID()}.partial`;
  const file = await open(partial, 'wx', 0o600).catch(onFile);
  try {
    try {
      for await (const chunk of chunks) await file.appendFile(chunk).catch(onFile);
      await file.sync().catch(onFile);
    } finally {
      await file.close();
    }
    // Another may have made it meanwhile.
    await mayTakePlace();
    await rename(partial, target).catch(onFile);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

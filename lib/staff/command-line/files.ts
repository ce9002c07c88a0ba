import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
 * Writes a file that appears at its path when it is complete, and not at all when that fails: until then it has a
 * temporary name beside it. Only its owner may read it, since it holds personal data.
 * @throws {StaffError} when it cannot be written; also what `chunks` throws
 */
export const writeWholeFile = async (path: string, chunks: AsyncIterable<string>): Promise<void> => {
  const there = await stat(path).catch(() => undefined);
  // The file would take the place of a device or a pipe.
  if (there && !there.isFile()) throw new StaffError(`Cannot write "${path}": it is there and is no file.`);

  const onFile = fail('write', path);
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  const file = await open(temporary, 'wx', 0o600).catch(onFile);
  try {
    try {
      for await (const chunk of chunks) await file.appendFile(chunk).catch(onFile);
      await file.sync().catch(onFile);
    } finally {
      await file.close();
    }
    await rename(temporary, path).catch(onFile);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};

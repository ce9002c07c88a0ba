import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Writes a file that only its owner can read. Readers find the complete file or none. */
export const writeOwnFile = async (folder: string, name: string, content: string | Buffer): Promise<void> => {
  const file = join(folder, name);
  try {
    await writeFile(`${file}.new`, content, { mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    // A full disk leaves an incomplete file.
    await rm(`${file}.new`, { force: true });
    throw error;
  }
};

/**
 * Reads a file of JSON that `writeOwnFile` has written.
 * @param remedy what to do if it is damaged, or another version has written it
 * @returns nothing if it does not exist
 * @throws {Error} one line if it cannot be used
 */
export const readOwnFile = async <Content>(
  folder: string,
  name: string,
  schema: v.GenericSchema<unknown, Content>,
  remedy: string,
): Promise<Content | undefined> => {
  const file = join(folder, name);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Error(`The data directory ${folder} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (result.success) return result.output;
  throw new Error(`${file} is damaged, or from another version of the service: ${remedy}`);
};

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Writes a file of a data directory or a folder in it, for its owner alone. Readers find all of it, or none. */
export const writeOwnFile = async (folder: string, name: string, content: string | Buffer): Promise<void> => {
  const file = join(folder, name);
  try {
    await writeFile(`${file}.new`, content, { mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    // On a full disk, a part of it may be there.
    await rm(`${file}.new`, { force: true });
    throw error;
  }
};

/**
 * Reads such a file, which holds JSON.
 * @returns nothing when it is not there
 * @throws {Error} one line, when it cannot be read or another version has written it
 */
export const readOwnFile = async <Content>(
  folder: string,
  name: string,
  schema: v.GenericSchema<unknown, Content>,
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
  throw new Error(`${file} is of another version of the service: start that anew`);
};

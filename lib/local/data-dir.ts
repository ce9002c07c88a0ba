import { join, relative } from 'node:path';
import * as v from 'valibot';

/** The project's own, from whichever folder a command is called; relative, as people write it. */
const ownFolder = relative(process.cwd(), join(import.meta.dirname, '..', '..', '.local'));

/** The setting `DATA_DIR`: the folder of everything that the service keeps on the machine. */
export const dataDir = v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), ownFolder);

/**
 * Reads the setting by itself, for commands that serve nothing.
 * @throws {Error} one line that names the variable
 */
export const readDataDir = ({ DATA_DIR }: Readonly<Record<string, string | undefined>>): string => {
  const result = v.safeParse(dataDir, DATA_DIR);
  if (result.success) return result.output;
  throw new Error(`DATA_DIR: ${result.issues[0].message}`);
};

import { join, relative } from 'node:path';
import * as v from 'valibot';

/** `.local` of this project, relative to the current folder. */
const ownFolder = relative(process.cwd(), join(import.meta.dirname, '..', '..', '.local'));

/** The setting `DATA_DIR`: the folder of all the data of the local service. */
export const dataDir = v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), ownFolder);

/**
 * Reads this one setting, for the staff command.
 * @throws {Error} one line that names the variable
 */
export const readDataDir = ({ DATA_DIR }: Readonly<Record<string, string | undefined>>): string => {
  const result = v.safeParse(dataDir, DATA_DIR);
  if (result.success) return result.output;
  throw new Error(`DATA_DIR: ${result.issues[0].message}`);
};

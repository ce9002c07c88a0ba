import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import * as v from 'valibot';
import { StaffError } from '../shared/staff-error.ts';

const project = join(import.meta.dirname, '..', '..');

/**
 * The setting `DATA_DIR`: the folder of all the data of the local service. A relative path starts at the project's folder, so
 * that `npm start` and the staff command find the same one from everywhere.
 */
export const dataDir = v.pipe(
  v.optional(v.string(), '.local'),
  v.nonEmpty('must not be empty'),
  v.check(
    (path) => !/^[~$]/.test(path),
    ({ input }) =>
      `"${input}" is read as it stands, because only a shell replaces ~ and $: write the whole path, as in "${join(homedir(), 'contact-data')}"`,
  ),
  v.transform((path) => (isAbsolute(path) ? path : relative(process.cwd(), join(project, path)))),
);

/**
 * Reads this one setting, for the staff command.
 * @throws {StaffError} one line that names the variable
 */
export const readDataDir = ({ DATA_DIR }: Readonly<Record<string, string | undefined>>): string => {
  const result = v.safeParse(dataDir, DATA_DIR);
  if (result.success) return result.output;
  throw new StaffError(`DATA_DIR: ${result.issues[0].message}`);
};

import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { StaffError } from '../../shared/staff-error.ts';
import { formatNumber } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { writeNewFile } from '../tool/files.ts';

/**
 * Writes all data of the local service into a new file.
 * @throws {StaffError} if something has its name, it lies in the data folder, or it cannot be written
 */
export const backUpTo = async ({ local }: StaffEnvironment, file: string): Promise<Result> => {
  if (!local) throw new StaffError('Only the service on this machine can be backed up.');
  const { dataDir, backUp } = local;
  // The next backup would have this one in it.
  if (!relative(resolve(dataDir), resolve(file)).startsWith('..')) {
    throw new StaffError(`"${file}" is in the data folder: choose another place, best on another machine.`);
  }
  await writeNewFile(file, backUp());
  const { size } = await stat(file);
  return {
    status: () => `Wrote ${formatNumber(size)} bytes. Whoever can read the file can read everything: keep it safe.`,
  };
};

import { join } from 'node:path';
import { type CommandOptions, run } from '../rehearsal/command.ts';

/**
 * Makes a virtual environment of Python below `.cache/`, with the packages in a file of requirements.
 * @returns the folder of its programs
 */
export const installPackages = async (name: string, requirements: string, options: CommandOptions): Promise<string> => {
  const venv = join(import.meta.dirname, '..', '..', '.cache', name);
  const programs = join(venv, 'bin');
  await run('python3', ['-m', 'venv', venv], options);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
  await run(join(programs, 'python'), pip, options);
  return programs;
};

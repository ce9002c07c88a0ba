import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandOptions, projectDir, run } from './command.ts';

const folderOf = (name: string) => join(projectDir, '.cache', name);

/**
 * Installs the npm packages of a folder's lock file below `.cache/`, if they are not there: they are too large, or take too
 * long, to be dependencies of the project.
 * @returns the folder of the packages
 */
export const installNpmPackages = (name: string, source: string, ...options: readonly string[]): string => {
  const folder = folderOf(name);
  const lock = join(source, 'package-lock.json');
  /** A copy of the lock file, written when all is installed. */
  const installed = join(folder, 'installed-lock.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
    mkdirSync(folder, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(folder, file));
    const install = ['ci', '--prefix', folder, '--no-audit', '--no-fund', ...options];
    execFileSync('npm', install, { stdio: 'inherit', timeout: 10 * 60_000 });
    copyFileSync(lock, installed);
  }
  return join(folder, 'node_modules');
};

/**
 * Makes a virtual environment of Python below `.cache/`, with the packages in a file of requirements.
 * @returns the folder of its programs
 */
export const installPythonPackages = async (
  name: string,
  requirements: string,
  options: CommandOptions,
): Promise<string> => {
  const venv = folderOf(name);
  const programs = join(venv, 'bin');
  await run('python3', ['-m', 'venv', venv], options);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
  await run(join(programs, 'python'), pip, options);
  return programs;
};

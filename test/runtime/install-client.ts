import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, run } from '../rehearsal/command.ts';

const source = join(import.meta.dirname, 'client');
const target = join(import.meta.dirname, '..', '..', '.cache', 'aws-lambda-ric');
const folder = join(target, 'node_modules', 'aws-lambda-ric');
/** A copy of the lock file, written when the client is built. */
const installedLock = join(target, 'installed-lock.json');

const isInstalled = async (): Promise<boolean> => {
  const [wanted, installed] = await Promise.all(
    [join(source, 'package-lock.json'), installedLock].map((file) => readFile(file, 'utf8').catch(() => undefined)),
  );
  return wanted === installed;
};

/**
 * Installs AWS's runtime client at the version of client/package-lock.json. It compiles a part of itself, in about a
 * minute, so it is no dependency of the project.
 * @returns the script that Node runs
 * @throws {CommandError} if it cannot be built, with the end of what npm printed
 */
export const installClient = async (): Promise<string> => {
  if (!(await isInstalled())) {
    await mkdir(target, { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) await copyFile(join(source, name), join(target, name));
    const install = ['ci', '--prefix', target, '--ignore-scripts=false'];
    try {
      await run('npm', install, { env: process.env, signal: AbortSignal.timeout(10 * 60_000) });
    } catch (error) {
      const needs = "aws-lambda-ric needs CMake, make, a C++ compiler, Python 3 and Node's headers";
      throw new CommandError(`${needs}. ${error instanceof Error ? error.message : error}`);
    }
    await copyFile(join(source, 'package-lock.json'), installedLock);
  }
  return join(folder, 'index.mjs');
};

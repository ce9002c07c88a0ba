import { join } from 'node:path';
import { CommandError, cacheDir, run } from './command.ts';

/** The virtual environment of Python that the emulator is in. */
export const venv = join(cacheDir, 'python');

const python = join(venv, 'bin', 'python');
const requirements = join(import.meta.dirname, 'requirements.txt');

/** Without the operator's own AWS settings: nothing here may reach a real account. */
export const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name)),
);

/** Something that the rehearsal needs is not on this machine, or cannot be fetched: one line says what. */
export class MissingError extends Error {}

const isOlder = 'import sys; sys.exit(sys.version_info < (3, 10) and "It is older.")';
const versions =
  'import importlib.metadata as m, platform as p; print(m.version("ministack"), "on Python", p.python_version())';

/**
 * Installs the emulator at the version of requirements.txt.
 * @returns its version and Python's
 * @throws {MissingError}
 */
export const installEmulator = async (signal: AbortSignal): Promise<string> => {
  const need = async (what: string, command: string, ...args: string[]) => {
    try {
      return await run(command, args, { env: ownEnvironment, signal });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new MissingError(`The rehearsal needs ${what}. ${error.message.trimEnd().split('\n').at(-1)}`);
    }
  };
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
  await need('OpenSSL', 'openssl', 'version');
  await need('Python 3.10 or later', 'python3', '-c', isOlder);
  await need("Python's module venv", 'python3', '-m', 'venv', venv);
  await need("Python's package index", python, ...pip);
  return `ministack ${(await need('the emulator', python, '-c', versions)).trim()}`;
};

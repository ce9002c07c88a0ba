import { join } from 'node:path';
import { CommandError, run } from '../support/command.ts';
import { installPythonPackages } from '../support/install.ts';

/** Without the operator's own AWS settings: nothing here may reach a real account. */
export const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name)),
);

/** @returns the folder of Python's programs */
const install = async (signal: AbortSignal) => {
  const options = { env: ownEnvironment, signal };
  await run('openssl', ['version'], options);
  return installPythonPackages('rehearsal/python', join(import.meta.dirname, 'requirements.txt'), options);
};

/** Installs the emulator at the version of requirements.txt. @returns the Python that runs it */
export const installEmulator = async (signal: AbortSignal): Promise<string> => {
  const programs = await install(signal).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    const needs = "OpenSSL, Python 3.10 or later with its module venv, and Python's package index";
    throw new CommandError(`The rehearsal needs ${needs}. ${error.message.trimEnd().split('\n').at(-1)}`);
  });
  return join(programs, 'python');
};

import { join } from 'node:path';
import { CommandError } from '../support/command.ts';
import { installNpmPackages } from '../support/install.ts';

/**
 * Installs AWS's runtime client at the version of client/package-lock.json. It compiles a part of itself, in about a minute.
 * @returns the script that Node runs
 * @throws {CommandError} if it cannot be built
 */
export const installClient = (): string => {
  try {
    const source = join(import.meta.dirname, 'client');
    const packages = installNpmPackages('aws-lambda-ric', source, '--ignore-scripts=false');
    return join(packages, 'aws-lambda-ric', 'index.mjs');
  } catch (error) {
    const needs = "aws-lambda-ric needs CMake, make, a C++ compiler, Python 3 and Node's headers";
    throw new CommandError(`${needs}. ${error instanceof Error ? error.message : error}`);
  }
};

// Node's process.loadEnvFile says of a folder, or without the permission to read, that there is no such file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorMessage, parseEnv } from 'node:util';

const file = join(import.meta.dirname, '..', '.env');

/**
 * Variables that change how Node runs, or how the system loads a program. Node has read them before this file runs, so
 * they would count for some processes only.
 */
const forShells = /^(NODE_(?!ENV$)|LD_|DYLD_|OPENSSL_)/i;

const stop = (line: string): never => {
  console.error(line);
  process.exit(1);
};

const read = (): string => {
  try {
    // Windows PowerShell writes UTF-16, in which parseEnv finds no variable.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT') return '';
    const reason =
      'errno' in error && typeof error.errno === 'number' ? getSystemErrorMessage(error.errno) : 'it is not UTF-8';
    return stop(`Cannot read .env: ${reason}. Make it a text file in UTF-8 that you can read, or delete it.`);
  }
};

/**
 * Takes variables from the project's .env, for `npm start` and the staff command, whatever the current folder: its own .env may be
 * another project's. A variable that is set already stays as it is. If that file is wrong, it prints one line and ends the
 * process.
 * @returns the names of the variables in the file
 */
export const readEnv = (): readonly string[] => {
  const variables = parseEnv(read());
  if (variables['CRCS_SETTINGS'] !== undefined) {
    // `npx cdk deploy` reads no .env, because it has its credentials from the shell: it would run with other settings.
    stop(
      'CRCS_SETTINGS in .env would not reach npx cdk: set it in your shell, or use the folder settings (docs/settings.md).',
    );
  }
  const forShell = Object.keys(variables).find((name) => forShells.test(name));
  if (forShell !== undefined) stop(`${forShell} in .env would change how Node runs: set it in your shell instead.`);
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  return Object.keys(variables);
};

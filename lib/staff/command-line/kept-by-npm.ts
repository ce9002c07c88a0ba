import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './command.ts';
import { programName } from './help.ts';
import { StaffError } from './staff-error.ts';

/**
 * Our options that are settings of npm's, too: https://docs.npmjs.com/cli/v11/using-npm/config. A shell or a CI job may well
 * set them for npm, so they count only for a command that takes them, and only where a script runs: `npx --yes` is npm's own.
 */
const ofNpm = new Set(['expires', 'force', 'json', 'name', 'yes']);

/** What npm makes of an option by its one-letter shorthands: of `--spam`, `-s -p -a -m`. */
const disguises: Readonly<Record<string, readonly string[]>> = { spam: ['parseable', 'all'] };

/** Whether somebody has the setting in a file of npm's: then nobody typed it. */
const isConfigured = (setting: string, variables: NodeJS.ProcessEnv) =>
  [
    variables['npm_config_userconfig'],
    // npm leaves it as it was set, in capitals as a rule.
    variables['NPM_CONFIG_USERCONFIG'],
    variables['npm_config_globalconfig'],
    join(variables['npm_config_local_prefix'] ?? '.', '.npmrc'),
  ].some((file) => {
    try {
      return file !== undefined && new RegExp(`^\\s*${setting}\\s*(=|$)`, 'm').test(readFileSync(file, 'utf8'));
    } catch {
      return false;
    }
  });

/**
 * Without `--`, npm takes every option after `npm run staff` for a setting of its own, which a script sees as a variable:
 * https://docs.npmjs.com/cli/v11/commands/npm-run. What is left may be another command than was meant, so nothing runs.
 * @param variables of the environment
 * @throws {StaffError} that names the options, and says what to type
 */
export const refuseWhatNpmKept = (
  commands: readonly Command[],
  argv: readonly string[],
  variables: NodeJS.ProcessEnv,
): void => {
  const isScript = variables['npm_lifecycle_event'] === 'staff';
  const words = argv.filter((argument) => !argument.startsWith('-'));
  const isCalled = ({ name }: Command) => `${words.join(' ')} `.startsWith(`${name} `);
  const command = commands.find(isCalled);
  const taken = Object.keys(command?.entries ?? {});
  const all = ['env', 'stack', ...commands.flatMap(({ entries }) => Object.keys(entries))];

  const isKept = (option: string) => {
    if (argv.some((argument) => argument === `--${option}` || argument.startsWith(`--${option}=`))) return false;
    if (ofNpm.has(option) && !(isScript && taken.includes(option))) return false;
    const settings = disguises[option] ?? [option.replaceAll('-', '_')];
    return settings.every(
      (setting) => variables[`npm_config_${setting}`] !== undefined && !isConfigured(setting, variables),
    );
  };
  const kept = [...new Set(all)].filter(isKept);
  if (kept.length === 0) return;
  const names = kept.map((option) => `--${option}`).join(', ');
  // What follows may be the value of an option.
  const called = `${command?.name ?? words.slice(0, 2).join(' ')} …`.trimStart();
  throw new StaffError(
    `npm kept ${names} for itself, so nothing was done: type "${programName} ${called}" or, with the two dashes, "npm run staff -- ${called}".`,
  );
};

import { parseArgs } from 'node:util';
import type { Staff } from '../context.ts';
import { type Command, isFlag, synopsis } from './command.ts';
import { StaffError } from './staff-error.ts';

/** What the command line asks for. */
export type Invocation =
  | { readonly help: true }
  | { readonly help: false; readonly environment: string; readonly run: (staff: Staff) => Promise<void> };

const program = 'npm run staff --';

const seeHelp = `"${program} --help" shows the commands.`;

/** The usage text. */
export const usage = (commands: readonly Command[], environments: readonly string[]): string =>
  [
    `Usage: ${program} <command> [--env <environment>]`,
    '',
    ...commands.flatMap((command) => [`  ${synopsis(command)}`, `      ${command.does}`]),
    '',
    `Environments: ${environments.join(', ')}; without --env it is ${environments[0]}.`,
    '',
  ].join('\n');

type OptionTypes = Record<string, { type: 'boolean' | 'string'; multiple: true }>;

/** Options may stand before the command, so they are read as those of all commands: a name has one type. */
const parse = (commands: readonly Command[], argv: readonly string[]) => {
  const options: OptionTypes = { env: { type: 'string', multiple: true }, help: { type: 'boolean', multiple: true } };
  for (const [name, entry] of commands.flatMap(({ entries }) => Object.entries(entries))) {
    options[name] = { type: isFlag(entry) ? 'boolean' : 'string', multiple: true };
  }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Its first sentence says what is wrong; those after it are about positional arguments.
    throw new StaffError(`${error.message.split(/\.(?:\s|$)/, 1)[0]}. ${seeHelp}`);
  }
};

const findCommand = (commands: readonly Command[], words: readonly string[]): Command => {
  const name = words.slice(0, 2).join(' ');
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  throw new StaffError(`${name === '' ? 'Name a command' : `Unknown command "${name}"`}: ${seeHelp}`);
};

/**
 * Reads the command line; nothing is done yet.
 * @param environments the names that `--env` may have; the first is the default
 * @throws {StaffError} when it names no command, or gives one what it does not take
 */
export const parseCommandLine = (
  commands: readonly Command[],
  environments: readonly string[],
  argv: readonly string[],
): Invocation => {
  const { values, positionals: words } = parse(commands, argv);
  if (values['help']) return { help: true };
  const command = findCommand(commands, words);

  const given: Record<string, string | boolean> = {};
  for (const [option, [value, ...more] = []] of Object.entries(values)) {
    if (value === undefined || more.length > 0) throw new StaffError(`Give --${option} once.`);
    given[option] = value;
  }
  const { env = environments[0], ...options } = given;
  if (typeof env !== 'string' || !environments.includes(env)) {
    throw new StaffError(`Unknown environment "${env}": choose from ${environments.join(', ')}.`);
  }

  const { name, positionals, entries } = command;
  const foreign = Object.keys(options).find(
    (option) => !Object.hasOwn(entries, option) || positionals.includes(option),
  );
  if (foreign !== undefined) throw new StaffError(`"${name}" takes no --${foreign}. Usage: ${synopsis(command)}`);
  const places = words.slice(2);
  const excess = places[positionals.length];
  if (excess !== undefined) {
    throw new StaffError(
      `"${name}" takes no "${excess}"; put quotes around several words. Usage: ${synopsis(command)}`,
    );
  }
  const placed = Object.fromEntries(places.map((value, place) => [positionals[place], value]));
  return { help: false, environment: env, run: command.prepare({ ...options, ...placed }) };
};

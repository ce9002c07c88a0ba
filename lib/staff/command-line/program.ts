import { CommanderError, Option, Command as Program } from 'commander';
import type { WrittenEnvironments } from '../../settings-file.ts';
import type { StaffContext } from '../context.ts';
import { namesOf, type Place, placeOf, placeOfStack } from '../place.ts';
import { type Command, isFlag } from './command.ts';
import { meaningOf, programName, showHelpOf } from './help.ts';
import { StaffError } from './staff-error.ts';

/** What the staff command is made of. */
export interface ProgramSpec {
  readonly commands: readonly Command[];
  /** Those that `--env` may name, besides `local`, which is the default. */
  readonly environments: WrittenEnvironments;
  readonly version: string;
}

type Task = (context: StaffContext) => Promise<void>;

/** What a command line asks for: a text to show, as a mistake or not, or work to do. */
export type Invocation = { readonly text: string; readonly isMistake: boolean } | { readonly run: Task };

const helpHint = (path: string) => `"${[programName, path, '--help'].filter(Boolean).join(' ')}" shows how.`;

/** What commander says of a mistake, in a sentence of our own where it knows too little. */
const sentenceOf = ({ message }: CommanderError, commands: readonly Command[], path: string) => {
  const [, option = '', value] = /unknown option '--([^=']+)(=)?/.exec(message) ?? [];
  const taking = commands.filter(({ entries }) => Object.hasOwn(entries, option));
  if (value && taking.some(({ name }) => name === path)) return `--${option} takes no value.`;
  if (taking.length > 0 && !commands.some(({ name }) => name === path)) return `Put --${option} after the command.`;
  const text = message.replace(/^error: /, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

/** Fills in what a program's options are given, each once, and none with the name of another for its value. */
const gather = (program: Program, argv: readonly string[]): Record<string, string | true> => {
  const given: Record<string, string | true> = {};
  for (const option of program.options.map((each) => each.name())) {
    program.on(`option:${option}`, (value?: string) => {
      if (Object.hasOwn(given, option)) throw new StaffError(`Give --${option} once.`);
      if (value !== undefined && /^-./.test(value) && !argv.includes(`--${option}=${value}`)) {
        throw new StaffError(`--${option} needs a value: one that begins with "-" is written --${option}=…`);
      }
      given[option] = value ?? true;
    });
  }
  return given;
};

/** What a command line gives to a command: words by their place, its options, and those of the program. */
interface Given {
  readonly places: readonly string[];
  readonly options: Readonly<Record<string, string | true>>;
  readonly common: Readonly<Record<string, string | true>>;
}

/** @throws {StaffError} when two are named, or one that there is not */
const chosen = (environments: WrittenEnvironments, { env, stack }: Given['common']): Place => {
  if (typeof stack !== 'string') return placeOf(environments, typeof env === 'string' ? env : 'local');
  if (env !== undefined) throw new StaffError('Give --env or --stack: each names where to act.');
  return placeOfStack(stack);
};

/** @throws {StaffError} when the command does not take what it is given */
const taskOf = (command: Command, environments: WrittenEnvironments, { places, options, common }: Given): Task => {
  const { name, positionals } = command;
  const [unwanted] = Object.keys(common);
  if (command.environment === 'none' && unwanted !== undefined) {
    throw new StaffError(`"${name}" asks no environment: leave out --${unwanted}.`);
  }
  const place = chosen(environments, common);
  const excess = places[positionals.length];
  if (excess !== undefined) {
    throw new StaffError(`"${name}" takes no "${excess}": put quotes around several words. ${helpHint(name)}`);
  }
  const placed = Object.fromEntries(places.map((value, place) => [positionals[place], value]));
  const start = command.prepare({ ...options, ...placed });
  return (context) => start(context, place);
};

/**
 * Reads a command line; nothing is done yet.
 * @param argv the arguments, without the program
 * @throws {StaffError} when it names no command, or gives one what it does not take
 */
export const readCommandLine = (
  { commands, environments, version }: ProgramSpec,
  argv: readonly string[],
): Invocation => {
  let text = '';
  let run: Task | undefined;
  const write = (part: string) => {
    text += part;
  };
  const endAt = (path: string) => (error: CommanderError) => {
    // It ends this way after a help text, too.
    if (text !== '') throw error;
    throw new StaffError(`${sentenceOf(error, commands, path)} ${helpHint(path)}`);
  };

  const placeOptions = [
    new Option('--env <environment>', `One of ${namesOf(environments).join(', ')} (default: local).`),
    new Option('--stack <name>', 'A stack in place of an environment, also one that no settings name.'),
  ];
  const root = new Program(programName)
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .configureHelp({ subcommandTerm: (program) => program.name() })
    .exitOverride(endAt(''))
    .helpCommand(false)
    .helpOption('-h, --help', 'Shows this help.')
    .version(version, '--version', 'Shows the version.')
    .usage('<command> [options]')
    .addHelpText('after', `\n"${programName} <command> --help" explains its options, with an example.`);
  for (const option of placeOptions) root.addOption(option);
  const common = gather(root, argv);

  const addGroup = (name: string): Program => {
    const words = commands.map((command) => command.name.split(' ')).filter(([group]) => group === name);
    return root
      .command(name)
      .summary(words.map(([, word]) => word).join(', '))
      .usage('<command> [options]')
      .helpCommand(false)
      .exitOverride(endAt(name));
  };

  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    const group = root.commands.find((program) => program.name() === first);
    const parent = second === undefined ? root : (group ?? addGroup(first));
    const program = parent
      .command(second ?? first)
      .allowExcessArguments()
      .exitOverride(endAt(command.name));
    for (const [argument, entry] of Object.entries(command.entries)) {
      if (command.positionals.includes(argument)) program.argument(`[${argument}]`, meaningOf(entry));
      else program.option(isFlag(entry) ? `--${argument}` : `--${argument} <${argument}>`, meaningOf(entry));
    }
    showHelpOf(command, program, placeOptions);
    const options = gather(program, argv);
    program.action(() => {
      run = taskOf(command, environments, { places: program.args, options, common });
    });
  }

  const isHelp = argv[0] === 'help';
  const words = isHelp ? argv.slice(1) : argv;
  const path = words.join(' ');
  // With the option commander shows some help whatever the words are; without it, what is wrong with them.
  const isThere = path === '' || commands.some(({ name }) => `${name} `.startsWith(`${path} `));
  try {
    root.parse(isHelp && isThere ? [...words, '--help'] : words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { text, isMistake: error.exitCode !== 0 };
    throw error;
  }
  if (isHelp) throw new StaffError(`There is no command "${path}". ${helpHint('')}`);
  if (!run) throw new Error('Commander ran no command.');
  return { run };
};

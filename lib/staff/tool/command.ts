import type { Command, Option } from 'commander';
import * as v from 'valibot';
import type { Settings, WrittenEnvironments } from '../../shared/settings-file.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { Choice, StaffEnvironment } from '../environment/staff-environment.ts';
import { type CommandIo, openCommandIo, type Terminal } from './command-io.ts';
import { flag } from './options.ts';
import { type Json, printJson, printText, type Text } from './output.ts';

export interface StaffContext extends Terminal {
  /** Reads the settings in force. */
  readonly loadSettings: () => Promise<Settings>;
  readonly openEnvironment: (choice: Choice, environments: WrittenEnvironments) => Promise<StaffEnvironment>;
}

/** What a command found or did. It reads the pages of lists only when they are printed. */
export interface Result {
  /** Printed with `--json`. */
  readonly json?: Json;
  /** Printed without `--json`. */
  readonly text?: Text;
  /** A line on stderr after the text, for people: not printed with `--json`. */
  readonly status?: (() => string | undefined) | undefined;
  /** A line on stderr after the result. */
  readonly note?: (() => string) | undefined;
  /** Why the command fails nevertheless. */
  readonly error?: unknown;
}

interface Definition<Values> {
  /** A line for the help of its group. @defaultValue the first sentence of the description */
  readonly summary?: string;
  readonly description: string;
  /** Calls that work, for the help. */
  readonly examples: readonly string[];
  /** Besides `--json`. */
  readonly options?: readonly Option[];
  /** @defaultValue true */
  readonly hasJson?: boolean;
  /** The schema of its arguments and options, by name. */
  readonly values: v.GenericSchema<unknown, Values>;
  /** Refuses `local`, with this line. */
  readonly onLocal?: string;
  /** Refuses deployed environments, with this line. */
  readonly onDeployed?: string;
  /** Does the work. It prints nothing, but says what cannot wait for its result. */
  readonly run: (environment: StaffEnvironment, values: Values, io: CommandIo) => Promise<Result>;
}

/** @param name with the arguments, as in `rename <id> <name>` */
type Definer = <Values>(parent: Command, name: string, definition: Definition<Values>) => void;

/** The two ways to define a command. */
export interface Definers {
  readonly reads: Definer;
  /** For a command that, before it changes anything, says which account and region it writes to. */
  readonly writes: Definer;
}

const choiceSchema = v.object({ env: v.optional(v.string()), stack: v.optional(v.string()) });

/** Options that this file handles for all commands that have them. */
const commonOptions = v.object({ json: flag, yes: flag });

/** @throws {StaffError} one line that names each wrong argument */
const parseValues = <Values>(schema: v.GenericSchema<unknown, Values>, command: Command): Values => {
  const names = command.registeredArguments.map((argument) => argument.name());
  const placed: Record<string, unknown> = Object.fromEntries(
    names.map((name, at) => [name, command.processedArgs[at]]),
  );
  const result = v.safeParse(schema, { ...command.optsWithGlobals(), ...placed });
  if (result.success) return result.output;
  const lines = result.issues.map((issue) => {
    const [name] = v.getDotPath(issue)?.split('.') ?? [];
    if (name === undefined) return issue.message;
    return `${names.includes(name) ? `<${name}>` : `--${name}`}: ${issue.message}`;
  });
  throw new StaffError([...new Set(lines)].join(' '));
};

const printResult = async ({ stdout }: Terminal, result: Result, json: boolean, io: CommandIo): Promise<void> => {
  if (json && result.json) await printJson(stdout, result.json);
  if (!json && result.text) await printText(stdout, result.text, io);
  const status = json ? undefined : result.status?.();
  if (status !== undefined) io.say(status);
  if (result.note) io.say(result.note());
};

export const definersIn = (terminal: Terminal, open: (choice: Choice) => Promise<StaffEnvironment>): Definers => {
  const define = <Values>(command: Command, definition: Definition<Values>, writes: boolean): void => {
    const { description, examples, options = [], hasJson = true, onLocal, onDeployed } = definition;
    const [firstSentence = description] = /^.*?\.(?=\s)/.exec(description) ?? [];
    command.summary(definition.summary ?? firstSentence).description(description);
    for (const option of options) command.addOption(option);
    if (hasJson) command.option('--json', 'print JSON');
    const lines = examples.map((example) => `  npx --no-install crcs ${example}`);
    command.addHelpText('after', ['', examples.length > 1 ? 'Examples:' : 'Example:', ...lines].join('\n'));

    command.action(async () => {
      const values = parseValues(definition.values, command);
      const choice = v.parse(choiceSchema, command.optsWithGlobals());
      const { json, yes } = v.parse(commonOptions, command.optsWithGlobals());
      const { env = 'local', stack } = choice;
      const refusal = env === 'local' && stack === undefined ? onLocal : onDeployed;
      if (refusal !== undefined) throw new StaffError(refusal);

      await using environment = await open(choice);
      using io = openCommandIo(terminal, yes);
      io.signal.throwIfAborted();
      if (writes && environment.where !== undefined) io.say(`Changing ${environment.where}.`);
      const result = await definition.run(environment, values, io);
      await printResult(terminal, result, json, io);
      if (result.error !== undefined) throw result.error;
    });
  };
  return {
    reads: (parent, name, definition) => define(parent.command(name), definition, false),
    writes: (parent, name, definition) => define(parent.command(name), definition, true),
  };
};

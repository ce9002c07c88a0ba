import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import * as v from 'valibot';
import type { Settings, WrittenEnvironments } from '../settings-file.ts';
import type { Choice, Environment } from './environment.ts';
import { StaffError } from './staff-error.ts';

/** Streams, waiting and Ctrl-C of a command. A process passes its own, a test passes others. */
export interface CommandIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Results. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Hints, questions, progress and mistakes. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Waits for so many milliseconds, or until the signal. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Aborted by Ctrl-C: long work stops after the current step. */
  readonly signal: AbortSignal;
}

export interface StaffContext extends CommandIo {
  /** Reads the settings in force. */
  readonly loadSettings: () => Promise<Settings>;
  readonly openEnvironment: (choice: Choice, environments: WrittenEnvironments) => Promise<Environment>;
}

export interface Staff extends CommandIo {
  readonly environment: Environment;
}

type Action = (this: Command) => Promise<void>;

interface ActionOptions {
  /** Refuses `local`, with this line. */
  readonly onLocal?: string;
}

/** Makes an action of the schema of all arguments and options, by name, and the work to do with them. */
type ActionMaker = <Values>(
  schema: v.GenericSchema<unknown, Values>,
  work: (staff: Staff, values: Values) => Promise<void>,
  options?: ActionOptions,
) => Action;

export interface Actions {
  readonly reads: ActionMaker;
  /** Before it changes anything, the command says which account and region it writes to. */
  readonly writes: ActionMaker;
}

const chosen = v.object({ env: v.optional(v.string()), stack: v.optional(v.string()) });

/** @throws {StaffError} one line that names each argument with a mistake */
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

export const actionsIn = (io: CommandIo, open: (choice: Choice) => Promise<Environment>): Actions => {
  const maker =
    (writes: boolean): ActionMaker =>
    (schema, work, { onLocal } = {}) =>
      async function () {
        const values = parseValues(schema, this);
        const choice = v.parse(chosen, this.optsWithGlobals());
        const { env = 'local', stack } = choice;
        if (onLocal !== undefined && env === 'local' && stack === undefined) throw new StaffError(onLocal);
        const environment = await open(choice);
        try {
          io.signal.throwIfAborted();
          if (writes && environment.where !== undefined) io.stderr.write(`Changing ${environment.where}.\n`);
          await work({ ...io, environment }, values);
        } finally {
          await environment.close();
        }
      };
  return { reads: maker(false), writes: maker(true) };
};

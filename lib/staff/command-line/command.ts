import * as v from 'valibot';
import type {
  DeploymentStaff,
  EnvironmentStaff,
  NotificationsStaff,
  Staff,
  StaffContext,
  Surroundings,
} from '../context.ts';
import { chosenBy, type Place } from '../place.ts';
import { StaffError } from './staff-error.ts';

interface CommandSpec<Entries extends v.ObjectEntries, Context> {
  /** What it is called by: a group and what to do with it, as in `tokens issue`, or one word. */
  readonly name: string;
  /** What it does, for the help. */
  readonly does: string;
  /** Arguments that it is called with, for the help: `--allow all --name "CRM sync"`. */
  readonly example: string;
  /** Which arguments are given by their place instead of by an option, in order. */
  readonly positionals?: readonly (keyof Entries & string)[];
  /** The rule of each argument, by name; `shownAs` says how the help shows a value, `explained` what it says of it. */
  readonly entries: Entries;
  /** What is wrong with arguments that are each right; nothing where they go together. */
  readonly mistakeIn?: (values: v.InferOutput<v.ObjectSchema<Entries, undefined>>) => string | undefined;
  readonly run: (context: Context, values: v.InferOutput<v.ObjectSchema<Entries, undefined>>) => Promise<void>;
}

interface EnvironmentCommandSpec<Entries extends v.ObjectEntries, Context> extends CommandSpec<Entries, Context> {
  /** Whether it changes what is stored: then it says first in which account and region. */
  readonly changes?: true;
}

/** A command of the staff. */
export interface Command {
  readonly name: string;
  readonly does: string;
  readonly example: string;
  readonly positionals: readonly string[];
  readonly entries: v.ObjectEntries;
  /** Whether it is about an environment, and what it does to what is stored there. */
  readonly environment: 'changed' | 'read' | 'none';
  /**
   * Checks the arguments.
   * @returns what runs the command with them
   * @throws {StaffError} that names every argument at fault
   */
  readonly prepare: (
    given: Readonly<Record<string, string | true>>,
  ) => (context: StaffContext, place: Place) => Promise<void>;
}

/** Whether an argument is an option without a value. */
export const isFlag = (entry: v.ObjectEntries[string]): boolean => v.is(entry, true);

const hintOf = (name: string, entry: v.ObjectEntries[string]) => v.getDescription(entry) ?? `<${name}>`;

/** How an argument is shown: `<id>`, `--spam` or `--name <name>`. */
export const termOf = (
  { positionals, entries }: Pick<Command, 'positionals' | 'entries'>,
  argument: string,
): string => {
  const entry = entries[argument];
  if (!entry) throw new Error(`There is no argument ${argument}.`);
  if (positionals.includes(argument)) return hintOf(argument, entry);
  return isFlag(entry) ? `--${argument}` : `--${argument} ${hintOf(argument, entry)}`;
};

/** What has to follow a command's name: `<id> <name>`. */
export const neededBy = (command: Pick<Command, 'positionals' | 'entries'>): string =>
  Object.entries(command.entries)
    .filter(([, entry]) => !v.is(entry, undefined))
    .map(([argument]) => termOf(command, argument))
    .join(' ');

/** All that may follow a command's name: `<id> [--json]`. */
const takenBy = (command: Pick<Command, 'positionals' | 'entries'>): string =>
  Object.entries(command.entries)
    .map(([argument, entry]) => (v.is(entry, undefined) ? `[${termOf(command, argument)}]` : termOf(command, argument)))
    .join(' ');

const define = <const Entries extends v.ObjectEntries, Context>(
  { name, does, example, entries, run, ...spec }: CommandSpec<Entries, Context>,
  environment: Command['environment'],
  start: (run: (context: Context) => Promise<void>, context: StaffContext, place: Place) => Promise<void>,
): Command => {
  const positionals: readonly string[] = spec.positionals ?? [];
  const label = (argument: string) => (positionals.includes(argument) ? `<${argument}>` : `--${argument}`);
  return {
    name,
    does,
    example: `${name} ${example}`,
    positionals,
    entries,
    environment,
    prepare: (given) => {
      const missing = Object.entries(entries)
        .filter(([argument, entry]) => !Object.hasOwn(given, argument) && !v.is(entry, undefined))
        .map(([argument]) => label(argument));
      if (missing.length > 0) {
        throw new StaffError(`Missing: ${missing.join(', ')}. Usage: ${name} ${takenBy({ positionals, entries })}`);
      }
      const result = v.safeParse(v.object(entries), given);
      if (result.success) {
        const mistake = spec.mistakeIn?.(result.output);
        if (mistake !== undefined) throw new StaffError(mistake);
        return (context, chosen) => start((prepared) => run(prepared, result.output), context, chosen);
      }
      // A value of several parts has a longer path: the argument is its beginning.
      const argumentOf = (issue: v.BaseIssue<unknown>) => v.getDotPath(issue)?.split('.', 1)[0] ?? '';
      throw new StaffError(result.issues.map((issue) => `${label(argumentOf(issue))}: ${issue.message}`).join(' '));
    },
  };
};

/** What is open of an environment while a command runs. */
interface Opened {
  readonly where?: string;
  readonly now: () => Date;
  close(): Promise<void>;
}

const defineOfEnvironment = <const Entries extends v.ObjectEntries, Context, Part extends Opened>(
  spec: EnvironmentCommandSpec<Entries, Context>,
  open: (context: StaffContext, place: Place) => Promise<Part>,
  withPart: (staff: EnvironmentStaff, part: Part) => Context,
): Command =>
  define(spec, spec.changes ? 'changed' : 'read', async (run, context, place) => {
    const part = await open(context, place);
    const environment = place === 'local' ? place : place.called;
    try {
      const { openTables: _, openNotifications: __, openDeployment: ___, ...surroundings } = context;
      surroundings.signal.throwIfAborted();
      if (spec.changes && part.where) surroundings.stderr.write(`${part.where}.\n`);
      await run(withPart({ ...surroundings, environment, chosenBy: chosenBy(place), now: part.now() }, part));
    } finally {
      await part.close();
    }
  });

/** Defines a command that reads or writes the tables of an environment, by its arguments' rules. */
export const command = <const Entries extends v.ObjectEntries>(spec: EnvironmentCommandSpec<Entries, Staff>): Command =>
  defineOfEnvironment(
    spec,
    ({ openTables }, place) => openTables(place),
    (staff, tables) => ({ ...staff, tables }),
  );

interface NotificationsCommandSpec<Entries extends v.ObjectEntries>
  extends EnvironmentCommandSpec<Entries, NotificationsStaff> {
  readonly deployedOnly?: true;
}

/** Defines a command about an environment's notifications. */
export const notificationsCommand = <const Entries extends v.ObjectEntries>(
  spec: NotificationsCommandSpec<Entries>,
): Command =>
  defineOfEnvironment(
    spec,
    async ({ openNotifications }, place) => {
      if (place !== 'local' || !spec.deployedOnly) return openNotifications(place);
      throw new StaffError(
        'On this machine, "notifications" has only "secret": to try the notifications, send the form of the example site.',
      );
    },
    (staff, notifications) => ({ ...staff, notifications }),
  );

/** Defines a command that looks at all that is deployed of an environment. */
export const deploymentCommand = <const Entries extends v.ObjectEntries>(
  spec: EnvironmentCommandSpec<Entries, DeploymentStaff>,
): Command =>
  defineOfEnvironment(
    spec,
    ({ openDeployment }, place) => openDeployment(place),
    (staff, deployment) => ({ ...staff, deployment }),
  );

/** Defines a command that is about no environment. */
export const toolCommand = <const Entries extends v.ObjectEntries>(spec: CommandSpec<Entries, Surroundings>): Command =>
  define(spec, 'none', (run, surroundings) => run(surroundings));

import * as v from 'valibot';
import type { Staff } from '../context.ts';
import { StaffError } from './staff-error.ts';

interface CommandSpec<Entries extends v.ObjectEntries> {
  /** A group and what to do with it: `tokens issue`. */
  readonly name: string;
  /** What it does, for the usage text. */
  readonly does: string;
  /** Whether it changes what is stored: then it says first in which account and region. */
  readonly changes?: true;
  /** Which arguments are given by their place instead of by an option, in order. */
  readonly positionals?: readonly (keyof Entries & string)[];
  /** The rule of each argument, by name; `shownAs` says how the usage text shows a value. */
  readonly entries: Entries;
  readonly run: (staff: Staff, values: v.InferOutput<v.ObjectSchema<Entries, undefined>>) => Promise<void>;
}

/** A command of the staff. */
export interface Command {
  readonly name: string;
  readonly does: string;
  readonly positionals: readonly string[];
  readonly entries: v.ObjectEntries;
  /**
   * Checks the arguments.
   * @returns what runs the command with them
   * @throws {StaffError} that names every argument at fault
   */
  readonly prepare: (given: Readonly<Record<string, string | boolean>>) => (staff: Staff) => Promise<void>;
}

/** Whether an argument is an option without a value. */
export const isFlag = (entry: v.ObjectEntries[string]): boolean => v.is(entry, true);

const hintOf = (name: string, entry: v.ObjectEntries[string]) => v.getDescription(entry) ?? `<${name}>`;

const showOption = (name: string, entry: v.ObjectEntries[string]) => {
  const option = isFlag(entry) ? `--${name}` : `--${name} ${hintOf(name, entry)}`;
  return v.is(entry, undefined) ? `[${option}]` : option;
};

/** What a command is called with: `campaigns rename <id> <name>`. */
export const synopsis = ({ name, positionals, entries }: Pick<Command, 'name' | 'positionals' | 'entries'>): string =>
  [
    name,
    ...Object.entries(entries).map(([argument, entry]) =>
      positionals.includes(argument) ? hintOf(argument, entry) : showOption(argument, entry),
    ),
  ].join(' ');

/** Defines a command by its arguments' rules. */
export const command = <const Entries extends v.ObjectEntries>(spec: CommandSpec<Entries>): Command => {
  const { name, does, entries, run } = spec;
  const positionals: readonly string[] = spec.positionals ?? [];
  const label = (argument: string) => (positionals.includes(argument) ? `<${argument}>` : `--${argument}`);
  return {
    name,
    does,
    positionals,
    entries,
    prepare: (given) => {
      const missing = Object.entries(entries)
        .filter(([argument, entry]) => !Object.hasOwn(given, argument) && !v.is(entry, undefined))
        .map(([argument]) => label(argument));
      if (missing.length > 0) {
        throw new StaffError(`Missing: ${missing.join(', ')}. Usage: ${synopsis({ name, positionals, entries })}`);
      }
      const result = v.safeParse(v.object(entries), given);
      if (result.success) {
        return (staff) => {
          if (spec.changes && staff.tables.where) staff.stderr.write(`${staff.tables.where}.\n`);
          return run(staff, result.output);
        };
      }
      // A value of several parts has a longer path: the argument is its beginning.
      const argumentOf = (issue: v.BaseIssue<unknown>) => v.getDotPath(issue)?.split('.', 1)[0] ?? '';
      throw new StaffError(result.issues.map((issue) => `${label(argumentOf(issue))}: ${issue.message}`).join(' '));
    },
  };
};

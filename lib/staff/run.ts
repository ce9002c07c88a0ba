import { environments } from '../environments.ts';
import { campaignCommands } from './campaigns/commands.ts';
import { parseCommandLine, usage } from './command-line/command-line.ts';
import { describeFailure } from './command-line/failure.ts';
import { contactCommands } from './contacts/commands.ts';
import type { StaffContext } from './context.ts';
import { tokenCommands } from './tokens/commands.ts';

const commands = [...tokenCommands, ...campaignCommands, ...contactCommands];
const environmentNames = ['local', ...Object.keys(environments)];

/**
 * The staff command.
 * @param argv the arguments, without the program
 * @returns the exit code: 0, 1 after a mistake that stderr tells of, or 130 after Ctrl-C
 */
export const runStaff = async (argv: readonly string[], { openTables, ...context }: StaffContext): Promise<number> => {
  const { stdout, stderr, signal } = context;
  try {
    const invocation = parseCommandLine(commands, environmentNames, argv);
    if (invocation.help) {
      stdout.write(usage(commands, environmentNames));
      return 0;
    }
    const tables = await openTables(invocation.environment);
    try {
      signal.throwIfAborted();
      await invocation.run({ ...context, tables, now: tables.now() });
    } finally {
      await tables.close();
    }
    return 0;
  } catch (error) {
    stderr.write(`${signal.aborted ? 'Stopped before the end.' : describeFailure(error)}\n`);
    return signal.aborted ? 130 : 1;
  }
};

import packageJson from '../../package.json' with { type: 'json' };
import { SettingsError } from '../settings-error.ts';
import type { WrittenEnvironments } from '../settings-file.ts';
import { campaignCommands } from './campaigns/commands.ts';
import { type ProgramSpec, readCommandLine } from './command-line/program.ts';
import { StaffError } from './command-line/staff-error.ts';
import { completeCommand } from './completion/commands.ts';
import { contactCommands } from './contacts/commands.ts';
import type { StaffContext } from './context.ts';
import { doctorCommand } from './doctor/commands.ts';
import { notificationCommands } from './notifications/commands.ts';
import { tableCommands } from './tables/commands.ts';
import { tokenCommands } from './tokens/commands.ts';

const programFor = (environments: WrittenEnvironments): ProgramSpec => ({
  commands: [
    ...tokenCommands,
    ...campaignCommands,
    ...contactCommands,
    ...notificationCommands,
    ...tableCommands,
    doctorCommand,
    completeCommand,
  ],
  environments,
  version: packageJson.version,
});

/** The line that a person reads about what went wrong. */
const describe = async (error: unknown): Promise<string> => {
  if (error instanceof StaffError || error instanceof SettingsError) return error.message;
  // It knows the SDK's errors: whoever only mistypes need not wait for that to load.
  const { describeFailure } = await import('./command-line/failure.ts');
  return describeFailure(error);
};

/**
 * The staff command.
 * @param argv the arguments, without the program
 * @returns the exit code: 0, 1 after a mistake that stderr tells of, or 130 after Ctrl-C
 */
export const runStaff = async (argv: readonly string[], context: StaffContext): Promise<number> => {
  const { stdout, stderr, signal, loadSettings } = context;
  let unwritten: unknown;
  stdout.on('error', (error) => {
    unwritten = error;
  });
  try {
    const program = programFor((await loadSettings()).environments);
    // Asked by the scripts of lib/staff/completion/, at each press of the Tab key.
    if (argv[0] === 'complete' && argv[1] === '--') {
      const { candidatesFor } = await import('./completion/candidates.ts');
      stdout.write(
        candidatesFor(program, argv.slice(2))
          .map((line) => `${line}\n`)
          .join(''),
      );
      return 0;
    }
    const invocation = readCommandLine(program, argv);
    if ('run' in invocation) {
      await invocation.run(context);
      return 0;
    }
    (invocation.isMistake ? stderr : stdout).write(invocation.text);
    return invocation.isMistake ? 1 : 0;
  } catch (error) {
    // Whoever gave the output hears of it, too.
    if (error === unwritten) return 0;
    stderr.write(`${signal.aborted ? 'Stopped before the end.' : await describe(error)}\n`);
    return signal.aborted ? 130 : 1;
  }
};

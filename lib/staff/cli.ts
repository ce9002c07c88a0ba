import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Command, CommanderError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { SettingsError } from '../shared/settings-error.ts';
import type { WrittenEnvironments } from '../shared/settings-file.ts';
import { StaffError } from '../shared/staff-error.ts';
import { printable, styleFor } from '../shared/terminal-text.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addCampaignCommands } from './commands/campaigns.ts';
import { addConfirmationCommands } from './commands/confirmations.ts';
import { addContactCommands } from './commands/contacts.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addNotificationCommands } from './commands/notifications.ts';
import { addSecretCommands } from './commands/secrets.ts';
import { addTableCommands } from './commands/tables.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { definersIn, type StaffContext } from './tool/command.ts';

/** Builds the program, which writes to the context's streams only. */
const programFor = (environments: WrittenEnvironments, context: StaffContext): Command => {
  const { stdout, stderr } = context;
  const program = new Command('npx --no-install crcs')
    .description(
      'Manages contact requests, campaigns, tokens and notifications. Without --env, it works on the local service of "npm start". With --env, it works on a deployed environment, with your AWS credentials.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .configureHelp({ showGlobalOptions: true })
    .version(packageJson.version, '--version', 'show the version')
    .addOption(
      new Option('--env <name>', `environment: ${['local', ...Object.keys(environments)].join(', ')} (default: local)`),
    )
    .addOption(
      new Option('--stack <name>', 'name of a deployed stack that is not in the settings, instead of --env').conflicts(
        'env',
      ),
    );
  const definers = definersIn(context, (choice) => context.openEnvironment(choice, environments));
  addTokenCommands(program, definers);
  addCampaignCommands(program, definers);
  addContactCommands(program, definers);
  addNotificationCommands(program, definers);
  addConfirmationCommands(program, definers);
  addSecretCommands(program, definers);
  addTableCommands(program, definers);
  addBackupCommand(program, definers);
  addDoctorCommand(program, definers);
  return program;
};

/** The command at which commander stopped. */
const stoppedAt = (command: Command): Command => {
  const next = command.commands.find((each) => each.name() === command.args[0]);
  return next ? stoppedAt(next) : command;
};

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** Turns an error of commander into a sentence. */
const explain = (error: CommanderError, program: Command): string => {
  // The removed parts may be somebody's address.
  const [said = '', hint] = error.message
    .replace(/^error: |(?<=but got \d+): .*|(?<=unknown option '-{1,2}\w+)[^'\w-][^']*/gs, '')
    .split(/\n\((Did you mean .*)\?\)$/);
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1).replace(/\.$/, '')}.`;
  return `${sentence}${hint === undefined ? '' : ` ${hint}?`} Run "${pathOf(stoppedAt(program))} --help".`;
};

const describe = async (error: unknown): Promise<string> => {
  if (error instanceof StaffError || error instanceof SettingsError) return error.message;
  // This module loads the SDK, which a typing error does not need.
  const { describeFailure } = await import('./environment/failure.ts');
  return describeFailure(error);
};

/**
 * Runs the staff command.
 * @param argv the arguments, without the program
 * @returns the exit code: 0, 1 after an error that stderr explains, or 130 after Ctrl-C
 */
export const runStaff = async (argv: readonly string[], context: StaffContext): Promise<number> => {
  const { stdout, stderr, signal, loadSettings } = context;
  const style = styleFor(stderr);
  const sayError = (message: string) => stderr.write(`${style('red', message)}\n`);
  let unwritten: unknown;
  stdout.on('error', (error) => {
    unwritten = error;
  });
  let program: Command | undefined;
  try {
    program = programFor((await loadSettings()).environments, context);
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // The process handles its streams' errors.
    if (error === unwritten) return 0;
    if (error instanceof CommanderError && program) {
      if (error.code === 'commander.help' || error.exitCode === 0) return error.exitCode;
      sayError(printable(explain(error, program)));
      return 1;
    }
    sayError(signal.aborted ? 'Stopped before the end.' : await describe(error));
    return signal.aborted ? 130 : 1;
  }
};

/** Resolves when a stream has written what it got, or cannot. */
const written = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

/** Runs the staff command as this process, with its arguments, terminal and signals. */
export const runAsProcess = async (doors: Pick<StaffContext, 'loadSettings' | 'openEnvironment'>): Promise<void> => {
  // The first signal stops the work after the current step, the second stops the process at once.
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());

  // A reader may leave early, as `head` does.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`Cannot write the output: ${message}\n`);
    process.exitCode = 1;
  });
  // The work goes on even if nobody reads stderr.
  process.stderr.on('error', () => {});

  const code = await runStaff(process.argv.slice(2), {
    ...doors,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
    signal: stop.signal,
  });
  process.exitCode ||= code;
  // A request under way would keep the process, and so would a proxy that refused, for minutes.
  if (!stop.signal.aborted) await Promise.all([process.stdout, process.stderr].map(written));
  process.exit();
};

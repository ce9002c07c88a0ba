import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const projectDir = join(import.meta.dirname, '..', '..');

/** A command that ended with an error; the message ends with the last lines of what it printed. */
export class CommandError extends Error {
  /** All that it printed. */
  readonly output: string;

  constructor(message: string, output = '') {
    super(message);
    this.output = output;
  }
}

/** Sends a signal to a child that leads a process group, and to all that it started. */
export const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The processes have ended by themselves.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Where it runs. @defaultValue the project's folder */
  readonly cwd?: string;
  /** Prints the output as it comes. */
  readonly shown?: boolean;
}

/**
 * Runs a command.
 * @returns what it printed, to stdout and to stderr
 * @throws {CommandError} when it does not exist, or its exit code is not 0
 */
export const run = async (
  command: string,
  args: readonly string[],
  { env, signal, cwd = projectDir, shown = false }: CommandOptions,
): Promise<string> => {
  signal.throwIfAborted();
  // In a group of its own: npx and npm do not pass every signal on to what they run.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => signalGroup(child, 'SIGTERM');
  signal.addEventListener('abort', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (shown) process.stdout.write(text);
    });
  }
  const [code] = await once(child, 'close').catch((error: unknown) => {
    throw new CommandError(`${command} cannot be run: ${error instanceof Error ? error.message : error}`);
  });
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code === 0) return output;
  const end = shown ? [] : output.trimEnd().split('\n').slice(-40);
  throw new CommandError([`${[command, ...args].join(' ')}: exit code ${code}`, ...end].join('\n'), output);
};

/** Aborts on Ctrl-C, when the terminal is closed, or after some minutes. */
export const untilStopped = (minutes: number): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => stop.abort(new Error(`Stopped by ${name}.`)));
  return AbortSignal.any([stop.signal, AbortSignal.timeout(minutes * 60_000)]);
};

import { setTimeout } from 'node:timers/promises';
import type { StaffContext } from './context.ts';
import { runStaff } from './run.ts';

/** Runs the staff command as this process: by its arguments, with its terminal and signals. */
export const runAsProcess = async (
  doors: Pick<StaffContext, 'loadSettings' | 'openDeployment' | 'openNotifications' | 'openTables'>,
): Promise<void> => {
  // The first Ctrl-C stops after the step under way, the second at once; so do a supervisor, and a terminal that is closed.
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());

  // Who reads the output may leave early, as `head` does.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`Cannot write the output: ${message}\n`);
    process.exitCode = 1;
  });
  // What is said besides may go unheard: work under way goes on.
  process.stderr.on('error', () => {});

  const code = await runStaff(process.argv.slice(2), {
    ...doors,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
    signal: stop.signal,
  });
  // A request that nobody waits for any more would go on until AWS answers, or its time is over.
  if (stop.signal.aborted) process.exit(code);
  process.exitCode ||= code;
};

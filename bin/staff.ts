// The staff command, which bin/crcs.cjs starts: `npx crcs --help` shows what it does.
import { setTimeout } from 'node:timers/promises';
import { loadSettings } from '../lib/settings-file.ts';
import { openDeployment } from '../lib/staff/doctor/open.ts';
import { openNotifications } from '../lib/staff/notifications/open.ts';
import { runStaff } from '../lib/staff/run.ts';
import { openTables } from '../lib/staff/tables/open.ts';

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
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  loadSettings: () => loadSettings(process.env),
  openTables,
  openNotifications,
  openDeployment,
  variables: process.env,
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
  signal: stop.signal,
});
process.exitCode ||= code;

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'vitest';

const file = join(import.meta.dirname, '..', '..', 'examples', 'sync.py');

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const hasPython = succeeds('python3', '-c', 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))');

/** Skips a test if the machine cannot run examples/sync.py. */
export const requiresPython = ({ skip }: TestContext) => skip(!hasPython, 'this machine lacks Python 3.9');

/** Python ends its lines as the machine does. */
const withLf = (output: string) => output.replaceAll('\r\n', '\n');

/** Starts examples/sync.py in a folder, as its head comment says. */
export const startSync = (folder: string, variables: Readonly<Record<string, string>>, ...args: string[]) => {
  const child = spawn('python3', [file, ...args], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = async () => {
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, stdout: withLf(stdout), stderr: withLf(stderr) };
  };
  return { ended: read(), kill: () => child.kill('SIGKILL') };
};

export const runSync = (...args: Parameters<typeof startSync>) => startSync(...args).ended;

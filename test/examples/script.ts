import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'vitest';

const examples = join(import.meta.dirname, '..', '..', 'examples');

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** The program that runs each kind of script, and whether it is installed. */
const interpreters = {
  py: {
    command: 'python3',
    needs: 'Python 3.9',
    isThere: () => succeeds('python3', '-c', 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))'),
  },
  sh: {
    command: 'bash',
    needs: 'bash, curl and jq',
    isThere: () => process.platform !== 'win32' && succeeds('bash', '-c', 'command -v curl && command -v jq'),
  },
} as const;

export type ScriptName = `${string}.${keyof typeof interpreters}`;

/** Python ends its lines as the machine does. */
const withLf = (output: string) => output.replaceAll('\r\n', '\n');

/** A script of examples/, run as its head comment says. */
export const exampleScript = (name: ScriptName) => {
  const { command, needs, isThere } = name.endsWith('.py') ? interpreters.py : interpreters.sh;
  const missing = isThere() ? undefined : needs;

  /** Starts it in a folder. */
  const start = (folder: string, variables: Readonly<Record<string, string>>, ...args: string[]) => {
    const child = spawn(command, [join(examples, name), ...args], {
      cwd: folder,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it has started can be killed with it.
      detached: true,
    });
    const read = async () => {
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      return { code: child.exitCode, stdout: withLf(stdout), stderr: withLf(stderr) };
    };
    return { ended: read(), kill: () => process.kill(-(child.pid ?? Number.NaN), 'SIGKILL') };
  };

  return {
    /** Skips a test if something is not installed. */
    requiredBy: ({ skip }: TestContext) => skip(missing !== undefined, `this machine lacks ${missing}`),
    start,
    run: (...args: Parameters<typeof start>) => start(...args).ended,
  };
};

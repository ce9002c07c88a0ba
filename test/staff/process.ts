import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { settingsFile } from '../support/environments.ts';
import { projectWithoutEnv } from '../support/project.ts';

/** The file that Node runs. */
export const programIn = (project: string): string => join(project, 'bin', 'crcs.cjs');

/**
 * Starts the staff command as a process, with these environment variables besides the test's.
 * @param project the folder whose .env it reads
 */
export const start = (
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  { project = projectWithoutEnv(), cwd = inject('scratch') } = {},
) =>
  spawn(process.execPath, [programIn(project), ...args], {
    cwd,
    env: { ...process.env, CRCS_SETTINGS: settingsFile, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

export const outcome = async (child: ReturnType<typeof start>) => {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
};

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, projectDir, run } from '../../support/command.ts';
import { ownEnvironment } from '../emulator.ts';
import { cacheDir } from '../settings.ts';
import type { Cast } from '../steps.ts';

/** 4.0.0, the oldest version that data can come from. */
const commit = '3c7ea5b36f028780a19fd61d95ef96d5000d2160';

/**
 * Checks 4.0.0 out below `.cache/`, and installs its packages, unless they are there.
 * @returns its folder; undefined if this clone does not have it, which is noted as a gap
 */
export const checkOutOldestRelease = async ({ steps, signal }: Cast): Promise<string | undefined> => {
  const options = { env: ownEnvironment, signal };
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    steps.notShown(`an upgrade: this clone lacks the commit of 4.0.0, ${commit}`);
    return undefined;
  }
  const folder = join(cacheDir, commit);
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return folder;
  return steps.run('Check out 4.0.0, and install its packages', async () => {
    await rm(folder, { recursive: true, force: true });
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', projectDir, folder], options);
    await run('git', ['checkout', '--quiet', commit], { ...options, cwd: folder });
    await run('npm', ['ci'], { ...options, cwd: folder });
    return folder;
  });
};

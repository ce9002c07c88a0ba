import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, projectDir, run } from '../../support/command.ts';
import { ownEnvironment } from '../emulator.ts';
import { cacheDir } from '../settings.ts';
import type { Cast } from '../steps.ts';

/** The oldest version that data can come from. A clone can lack the tag, and a copy of this project the commit. */
const release = { tag: 'v3.0.0', commit: 'f690ab8afedcba2b97dc7d1b4533802ab9964263' };

const commitOf = async (name: string, signal: AbortSignal): Promise<string | undefined> => {
  try {
    const found = await run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
      env: ownEnvironment,
      signal,
    });
    return found.trim();
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
};

/**
 * Checks 3.0.0 out below `.cache/`, and installs its packages, unless they are there.
 * @returns its folder; undefined if this clone does not have it, which is noted as a gap
 */
export const checkOutOldestRelease = async ({ steps, signal }: Cast): Promise<string | undefined> => {
  const commit = (await commitOf(release.tag, signal)) ?? (await commitOf(release.commit, signal));
  if (commit === undefined) {
    steps.notShown(`an upgrade: this clone has neither the tag ${release.tag} nor its commit ${release.commit}`);
    return undefined;
  }
  const folder = join(cacheDir, commit);
  // npm writes this file last.
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return folder;
  return steps.run(`Check out ${release.tag}, and install its packages`, async () => {
    await rm(folder, { recursive: true, force: true });
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', projectDir, folder], {
      env: ownEnvironment,
      signal,
    });
    await run('git', ['checkout', '--quiet', commit], { env: ownEnvironment, signal, cwd: folder });
    await run('npm', ['ci'], { env: ownEnvironment, signal, cwd: folder });
    return folder;
  });
};

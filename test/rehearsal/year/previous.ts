import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import packageJson from '../../../package.json' with { type: 'json' };
import { CommandError, cacheDir, projectDir, run } from '../command.ts';
import { ownEnvironment } from '../install-emulator.ts';
import type { Project } from '../operator.ts';

/** 1.0.0, where no tag says which commit a version is. */
const firstVersion = 'dd53761445abbfa1e9ea12af989f7b35f184d103';

const dir = join(cacheDir, 'previous');
const commitFile = join(dir, '.commit');

/** The version that an operator upgrades from. */
export interface PreviousVersion extends Project {
  readonly version: string;
}

const packages = v.object({ packages: v.record(v.string(), v.object({ version: v.optional(v.string()) })) });

const packagesOf = async (project: string) =>
  v.parse(packages, JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'))).packages;

/** Whether every package of the previous version is among those that are installed here, at the same version. */
const isInstalledHere = async (): Promise<boolean> => {
  const here = await packagesOf(projectDir);
  const { '': _itself, ...needed } = await packagesOf(dir);
  return Object.entries(needed).every(([path, { version }]) => here[path]?.version === version);
};

/**
 * Lays the previous version out in a folder of its own, with its packages: what the latest tag names of another
 * version than this one.
 * @returns nothing where the history of git is not there
 */
export const layOutPrevious = async (signal: AbortSignal): Promise<PreviousVersion | undefined> => {
  const git = async (...args: string[]) => (await run('git', args, { env: ownEnvironment, signal })).trim();
  const found = async (...args: string[]) => {
    try {
      return await git(...args);
    } catch (error) {
      if (error instanceof CommandError) return undefined;
      throw error;
    }
  };
  const tag = await found('describe', '--tags', '--abbrev=0', '--match', 'v*', '--exclude', `v${packageJson.version}`);
  const commit = await found('rev-parse', '--verify', '--quiet', `${tag ?? firstVersion}^{commit}`);
  if (commit === undefined) return undefined;

  if (!existsSync(commitFile) || (await readFile(commitFile, 'utf8')) !== commit) {
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir, { recursive: true });
    const archive = join(cacheDir, 'previous.tar');
    await git('archive', '--output', archive, commit);
    await run('tar', ['-xf', archive, '-C', dir], { env: ownEnvironment, signal });
    await rm(archive);
    if (await isInstalledHere()) await symlink(join(projectDir, 'node_modules'), join(dir, 'node_modules'));
    else await run('npm', ['ci', '--ignore-scripts'], { env: ownEnvironment, signal, cwd: dir });
    await writeFile(commitFile, commit);
  }
  const { version = '' } = v.parse(
    v.object({ version: v.string() }),
    JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')),
  );
  return {
    version,
    dir,
    cdkOptions: [],
    env: {},
    // In its code, as of 1.0.0.
    write: (settings) =>
      writeFile(
        join(dir, 'lib', 'environments.ts'),
        `export const environments = ${JSON.stringify(settings, null, 2)};\n`,
      ),
  };
};

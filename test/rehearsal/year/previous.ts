import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { CommandError, cacheDir, projectDir, run } from '../command.ts';
import { ownEnvironment } from '../install-emulator.ts';
import type { Project } from '../operator.ts';

const packages = v.object({ packages: v.record(v.string(), v.object({ version: v.optional(v.string()) })) });

const packagesOf = async (project: string) =>
  v.parse(packages, JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'))).packages;

/** Whether every package of a version in a folder is among those that are installed here, at the same version. */
const isInstalledHere = async (dir: string): Promise<boolean> => {
  const here = await packagesOf(projectDir);
  const { '': _itself, ...needed } = await packagesOf(dir);
  return Object.entries(needed).every(([path, { version }]) => here[path]?.version === version);
};

/**
 * The commit that gave package.json a version: a clone may have no tags.
 * @returns nothing where git has no history that goes back so far
 */
const releaseOf = async (version: string, git: (...args: string[]) => Promise<string>) => {
  const search = `-S"version": "${version}"`;
  const printed = await git('log', '--reverse', '--format=%H %P', search, '--', 'package.json').catch((error) => {
    if (error instanceof CommandError) return '';
    throw error;
  });
  // The first: the one after it took the version away. Without a parent it is where a shallow clone ends, and all of its
  // files seem to be new.
  const [commit, parent] = printed.split('\n', 1).join().split(' ');
  return parent ? commit : undefined;
};

/**
 * Lays an earlier version out in a folder of its own, with its packages.
 * @returns nothing where the history of git is not there
 */
export const layOut = async (version: string, signal: AbortSignal): Promise<Project | undefined> => {
  const git = (...args: string[]) => run('git', args, { env: ownEnvironment, signal });
  const commit = await releaseOf(version, git);
  if (commit === undefined) return undefined;

  const dir = join(cacheDir, version);
  const commitFile = join(dir, '.commit');
  if (!existsSync(commitFile) || (await readFile(commitFile, 'utf8')) !== commit) {
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir, { recursive: true });
    const archive = join(cacheDir, 'previous.tar');
    await git('archive', '--output', archive, commit);
    await run('tar', ['-xf', archive, '-C', dir], { env: ownEnvironment, signal });
    await rm(archive);
    if (await isInstalledHere(dir)) await symlink(join(projectDir, 'node_modules'), join(dir, 'node_modules'));
    else await run('npm', ['ci', '--ignore-scripts'], { env: ownEnvironment, signal, cwd: dir });
    await writeFile(commitFile, commit);
  }
  const settingsFile = join(dir, 'lib', 'environments.ts');
  return {
    dir,
    cdkOptions: [],
    env: { CRCS_SETTINGS: settingsFile },
    // In its code: 1.0.0 knows no other place.
    write: (settings) => writeFile(settingsFile, `export const environments = ${JSON.stringify(settings, null, 2)};\n`),
  };
};

/** What is noted where a version cannot be laid out. */
export const notLaidOut = (version: string) =>
  `an upgrade from ${version}: the history of git is not here (a clone of all of it has it)`;

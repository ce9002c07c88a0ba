import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { readOwnFile, writeOwnFile } from './host/store/own-file.ts';
import type { Assembly } from './host/template/template.ts';

/** The files of the project that a synthesis and the bundles are made of; the last one lists the installed packages. */
const sources = ['functions', 'lib', 'package.json', 'tsconfig.json', join('node_modules', '.package-lock.json')];

const ownProject = join(import.meta.dirname, '..', '..');

/** The files at or below a path of a folder, by their paths in it. */
const filesAt = (folder: string, path: string): string[] =>
  statSync(join(folder, path)).isDirectory()
    ? readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .sort()
    : [path];

/**
 * A digest of the sources. Of their bytes: a time of change can stay as it was, or be set back.
 * @returns nothing when some cannot be read, for example if another program than npm has installed the packages
 */
export const digestSources = (project = ownProject): string | undefined => {
  try {
    const files = sources.flatMap((path) => filesAt(project, path));
    const digests = files.map((file) => [file, hash('sha256', readFileSync(join(project, file)))]);
    return hash('sha256', JSON.stringify(digests));
  } catch {
    return undefined;
  }
};

/** A digest of everything that an assembly is made of: two assemblies with the same key are the same. */
export const assemblyKey = (environment: EnvironmentInput, sourcesDigest: string): string =>
  hash('sha256', JSON.stringify([process.version, process.platform, process.arch, environment, sourcesDigest]));

/** The note beside an assembly that is whole. */
const name = 'assembly.json';

const noteSchema = v.object({ key: v.string(), stackName: v.string() });

/** Whether an assembly is kept; it may be of other sources. */
export const isAssemblyKept = (directory: string): boolean => existsSync(join(directory, name));

export const keepAssembly = (key: string, { directory, stackName }: Assembly): Promise<void> =>
  writeOwnFile(directory, name, JSON.stringify({ key, stackName } satisfies v.InferOutput<typeof noteSchema>));

/** Removes an assembly, its note first: a process that ends in between leaves no note of a part. */
export const removeAssembly = async (directory: string): Promise<void> => {
  await rm(join(directory, name), { force: true });
  await rm(directory, { recursive: true, force: true });
};

/** The assembly of that key, if it is kept. */
export const findAssembly = async (key: string, directory: string): Promise<Assembly | undefined> => {
  const note = await readOwnFile(directory, name, noteSchema).catch(() => undefined);
  return note?.key === key ? { directory, stackName: note.stackName } : undefined;
};

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { readOwnFile, writeOwnFile } from './host/store/own-file.ts';
import type { Assembly } from './host/template/template.ts';

/** What is read to synthesize and to bundle, in the project; the last one says which packages are installed. */
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

/** What the files at these paths of a folder hold. Their bytes: a time of change can stay as it was, or be set back. */
const digest = (folder: string, paths: readonly string[]): string => {
  const files = paths.flatMap((path) => filesAt(folder, path));
  return JSON.stringify(files.map((file) => [file, hash('sha256', readFileSync(join(folder, file)))]));
};

/**
 * Stands for all that is read to synthesize and to bundle.
 * @returns nothing when some of it cannot be read, as where another program than npm has installed the packages
 */
export const digestSources = (project = ownProject): string | undefined => {
  try {
    return hash('sha256', digest(project, sources));
  } catch {
    return undefined;
  }
};

/** Stands for all that an assembly is made of, which begins with the sources: who finds one with the same key need not make it. */
export const assemblyKey = (environment: EnvironmentInput, sourcesDigest: string): string =>
  hash('sha256', JSON.stringify([process.version, process.platform, process.arch, environment, sourcesDigest]));

const name = 'assembly.json';

const keptSchema = v.object({ key: v.string(), stackName: v.string(), content: v.string() });

/** Whether an assembly seems to be kept; it may be of other sources. */
export const isAssemblyKept = (dataDir: string): boolean => existsSync(join(dataDir, name));

/** Notes what an assembly was made of, and what is in it now that it is whole. */
export const keepAssembly = (dataDir: string, key: string, { directory, stackName }: Assembly): Promise<void> => {
  const kept: v.InferOutput<typeof keptSchema> = { key, stackName, content: hash('sha256', digest(directory, ['.'])) };
  return writeOwnFile(dataDir, name, kept);
};

/** Before anything in its directory changes: what ends the process then leaves no note of what is not there. */
export const forgetAssembly = (dataDir: string): Promise<void> => rm(join(dataDir, name), { force: true });

/** The assembly of that key, when its directory holds what it was kept with. */
export const findAssembly = async (dataDir: string, key: string, directory: string): Promise<Assembly | undefined> => {
  try {
    const kept = await readOwnFile(dataDir, name, keptSchema);
    const isWhole = kept?.key === key && kept.content === hash('sha256', digest(directory, ['.']));
    return isWhole ? { directory, stackName: kept.stackName } : undefined;
  } catch {
    return undefined;
  }
};

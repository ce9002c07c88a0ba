import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { isolate } from './host/isolation.ts';
import { readOwnFile, writeOwnFile } from './host/store/own-file.ts';
import type { Assembly } from './host/template/template.ts';
import type { SynthesisOrder } from './synthesize-worker.ts';

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
 * A digest of everything that an assembly is made of: two assemblies with the same key are the same. Of the bytes of the
 * sources: a time of change can stay as it was, or be set back.
 * @returns nothing when some source cannot be read, for example if another program than npm has installed the packages
 */
export const assemblyKey = (environment: EnvironmentInput, project = ownProject): string | undefined => {
  try {
    const files = sources.flatMap((path) => filesAt(project, path));
    const digests = files.map((file) => [file, hash('sha256', readFileSync(join(project, file)))]);
    return hash('sha256', JSON.stringify([process.version, process.platform, process.arch, environment, digests]));
  } catch {
    return undefined;
  }
};

/** The note in an assembly that is whole. */
const note = 'assembly.json';

const noteSchema = v.object({ key: v.string(), stackName: v.string() });

/** Synthesizes in a thread that ends with its work: the CDK would stay in memory as long as the service runs. */
const synthesize = async (workerData: SynthesisOrder): Promise<string> => {
  const worker = new Worker(new URL('./synthesize-worker.ts', import.meta.url), {
    workerData,
    // esbuild collects no garbage when its own command runs it, which bundles once and ends, as this does: a quarter less to compute.
    env: isolate({ ...process.env, GOGC: 'off' }),
    execArgv: [],
  });
  const [stackName] = await once(worker, 'message');
  return String(stackName);
};

/**
 * Synthesizes the service as an environment of its own, `local`, below the data directory, which this process holds. An
 * assembly of an earlier start is used again while everything that it was made of is the same.
 * @throws {Error} which setting is wrong
 */
export const synthesizeLocal = async (dataDir: string, environment: EnvironmentInput): Promise<Assembly> => {
  const directory = join(dataDir, 'cdk.out');
  const key = assemblyKey(environment);
  const kept = await readOwnFile(directory, note, noteSchema).catch(() => undefined);
  if (kept && kept.key === key) return { directory, stackName: kept.stackName };
  // The note first: a process that ends in between leaves no note in a part of an assembly.
  await rm(join(directory, note), { force: true });
  await rm(directory, { recursive: true, force: true });
  const stackName = await synthesize({ directory, environment });
  if (key !== undefined) await writeOwnFile(directory, note, JSON.stringify({ key, stackName }));
  return { directory, stackName };
};

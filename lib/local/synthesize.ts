import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { isolate } from './host/isolation.ts';
import { readOwnFile, writeOwnFile } from './host/store/own-file.ts';
import type { Assembly } from './host/template/template.ts';
import type { SynthesisOrder, Synthesized } from './synthesize-worker.ts';

/** The sources of an assembly. The last file lists the installed packages. */
const sources = ['functions', 'lib', 'package.json', 'tsconfig.json', join('node_modules', '.package-lock.json')];

const ownProject = join(import.meta.dirname, '..', '..');

/** The files at or below a path of a folder, relative to the folder. */
const filesAt = (folder: string, path: string): string[] =>
  statSync(join(folder, path)).isDirectory()
    ? readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .sort()
    : [path];

/** The digests of the files at or below some paths of a folder. */
const digestsOf = (folder: string, paths: readonly string[]) =>
  paths
    .flatMap((path) => filesAt(folder, path))
    .map((file) => [file, hash('sha256', readFileSync(join(folder, file)))] as const);

/**
 * A digest of all sources of an assembly. It uses the contents of the files, since the times of their changes can be set back.
 * @returns nothing if a source cannot be read, for example after an installation without npm
 */
export const assemblyKey = (environment: EnvironmentInput, project = ownProject): string | undefined => {
  try {
    const { version, platform, arch } = process;
    return hash('sha256', JSON.stringify([version, platform, arch, environment, digestsOf(project, sources)]));
  } catch {
    return undefined;
  }
};

/** The file that marks a complete assembly. */
const note = 'assembly.json';

const noteSchema = v.object({ key: v.string(), stackName: v.string(), digest: v.string() });

/** A digest of an assembly's files: a crash or a full disk can damage them. */
const digestOf = (directory: string): string =>
  hash('sha256', JSON.stringify(digestsOf(directory, ['.']).filter(([file]) => file !== note)));

/** Synthesizes in a process of its own. When it ends, the memory of the CDK is free: that of a thread is not. */
const synthesize = async (order: SynthesisOrder): Promise<string> => {
  const child = fork(new URL('./synthesize-worker.ts', import.meta.url), {
    // esbuild runs once and ends: with little garbage collection it computes less. Without any, it takes too much for a small server.
    env: isolate({ ...process.env, GOGC: 'off', GOMEMLIMIT: '128MiB' }),
    execArgv: [],
  });
  const result = new Promise<Synthesized>((resolve, reject) => {
    child.once('message', (message: Synthesized) => resolve(message));
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`The synthesis ended with ${signal ?? code}`)));
  });
  child.send(order);
  const synthesized = await result;
  if ('error' in synthesized) throw new Error(synthesized.error);
  return synthesized.stackName;
};

/**
 * Synthesizes the service as the environment `local` into the data directory, which this process has locked. Uses the
 * assembly of an earlier start again if all its sources and files are the same.
 * @throws {Error} if a setting is wrong
 */
export const synthesizeLocal = async (dataDir: string, environment: EnvironmentInput): Promise<Assembly> => {
  const directory = join(dataDir, 'cdk.out');
  const key = assemblyKey(environment);
  const kept = await readOwnFile(directory, note, noteSchema, 'delete it').catch(() => undefined);
  if (kept && kept.key === key && kept.digest === digestOf(directory)) return { directory, stackName: kept.stackName };
  // The note goes first: a process that ends here must not leave it in an incomplete assembly.
  await rm(join(directory, note), { force: true });
  await rm(directory, { recursive: true, force: true });
  const stackName = await synthesize({ directory, environment });
  if (key !== undefined) {
    const digest = digestOf(directory);
    await writeOwnFile(
      directory,
      note,
      JSON.stringify({ key, stackName, digest } satisfies v.InferOutput<typeof noteSchema>),
    );
  }
  return { directory, stackName };
};

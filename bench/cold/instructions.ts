import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Built } from './built.ts';
import { buildScript } from './script.ts';

/** Whether this machine has what counts instructions: https://valgrind.org */
export const hasValgrind = (): boolean => spawnSync('valgrind', ['--version']).status === 0;

const valgrind = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', '--smc-check=all-non-file'];

/** Nothing is left to chance or to another thread: the same module counts the same to a ten-thousandth. */
const node = ['--single-threaded', '--predictable', '--hash-seed=1', '--random-seed=1'];

const run = promisify(execFile);

const countOf = async (script: string, { module, variables }: Omit<Built, 'name'>): Promise<number> => {
  // Without what tells a function that it is on Lambda: it would prime its first call (functions/shared/prime.ts).
  const { AWS_LAMBDA_INITIALIZATION_TYPE: _, ...env } = variables;
  const { stderr } = await run('valgrind', [...valgrind, process.execPath, ...node, script, module], {
    env: { ...env, PATH: process.env['PATH'] },
  });
  const [, count = ''] = /I\s+refs:\s+([\d,]+)/.exec(stderr) ?? [];
  return Number(count.replaceAll(',', ''));
};

/** How many instructions the import of each module executes, by its name: those of an empty one are taken off. */
export const countInstructions = async (folder: string, modules: readonly Built[]): Promise<Map<string, number>> => {
  const script = await buildScript(folder, join(import.meta.dirname, 'load.ts'));
  const empty = join(folder, 'empty.mjs');
  await writeFile(empty, '');
  const started = await countOf(script, { module: empty, variables: {} });
  const counts = new Map(modules.map(({ name }) => [name, 0]));
  const left = modules.values();
  const countNext = async () => {
    for (const module of left) counts.set(module.name, (await countOf(script, module)) - started);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, countNext));
  return counts;
};

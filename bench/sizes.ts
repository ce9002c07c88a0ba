import { execFile, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuiltFunction } from './functions.ts';
import { buildScript } from './starts.ts';

export const bytesOf = ({ module }: BuiltFunction): number => statSync(module).size;

/** Whether https://valgrind.org is installed. */
export const hasValgrind = (): boolean => spawnSync('valgrind', ['--version']).status === 0;

const valgrind = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null', '--smc-check=all-non-file'];

/** Without chance and other threads, two counts of the same module differ by a ten-thousandth. */
const node = ['--single-threaded', '--predictable', '--hash-seed=1', '--random-seed=1'];

const run = promisify(execFile);

const countOf = async (script: string, { module, variables }: Omit<BuiltFunction, 'name'>): Promise<number> => {
  // Functions prime their first call only if Lambda starts them, which this variable tells.
  const { AWS_LAMBDA_INITIALIZATION_TYPE: _, ...env } = variables;
  const counting = run('valgrind', [...valgrind, process.execPath, ...node, script, module], {
    env: { ...env, PATH: process.env['PATH'] },
  });
  counting.child.stdin?.end();
  const [, count = ''] = /I\s+refs:\s+([\d,]+)/.exec((await counting).stderr) ?? [];
  return Number(count.replaceAll(',', ''));
};

/** How many instructions each import executes, without those of Node's own start. @returns by name; empty without valgrind */
export const countInstructions = async (
  folder: string,
  functions: readonly BuiltFunction[],
): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  if (!hasValgrind()) return counts;
  const script = await buildScript(folder);
  const empty = join(folder, 'empty.mjs');
  await writeFile(empty, 'export const handler = undefined;');
  const ofNode = await countOf(script, { module: empty, variables: {} });
  const left = functions.values();
  const countNext = async () => {
    for (const one of left) counts.set(one.name, (await countOf(script, one)) - ofNode);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, countNext));
  return counts;
};

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import * as v from 'valibot';
import { memorySize } from '../../lib/infrastructure/endpoints.ts';
import type { Built } from './built.ts';
import { holdToShare } from './share.ts';

/** What a start and the first call after it took: milliseconds, and MiB. */
export const sample = v.object({
  import: v.number(),
  call: v.number(),
  /** From the beginning of the import to the answer. */
  total: v.number(),
  importCpu: v.number(),
  cpu: v.number(),
  peak: v.number(),
  answer: v.unknown(),
});

export type Sample = v.InferOutput<typeof sample>;

/**
 * How Lambda starts Node 24: most of it decides how often V8 collects.
 * https://dev.to/wonderfulsoap/deep-dive-into-aws-lambda-3-official-nodejs-runtime-analysis-43je
 */
export const lambdaFlags = [
  '--expose-gc',
  '--max-http-header-size=81920',
  `--max-semi-space-size=${Math.floor(memorySize / 20)}`,
  `--max-old-space-size=${Math.floor((memorySize * 9) / 10)}`,
];

/**
 * Starts a function in a new process, and sends it an event.
 * @param share of a processor that it has from the end of its import on: until then Lambda holds nobody back.
 * https://hichaelmart.medium.com/shave-99-93-off-your-lambda-bill-with-this-one-weird-trick-33c0acebb2ea
 */
export const takeSample = async (
  child: string,
  { module, variables }: Built,
  event: unknown,
  share?: number,
): Promise<Sample> => {
  const started = spawn(process.execPath, [...lambdaFlags, child, module], {
    env: { ...variables },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr, pid } = started;
  const reports = v.parse(v.instance(Readable), started.stdio[3]);
  // What functions log is no part of the output.
  stdout.resume();
  if (share !== undefined) await once(reports, 'readable');
  stdin.end(JSON.stringify(event));
  if (share !== undefined && pid !== undefined) holdToShare(pid, share);
  const [errors, reported] = [textOf(stderr), textOf(reports)];
  await once(started, 'close');
  const [, last] = (await reported).split('\n');
  if (!last) throw new Error(`${module} does not start or does not answer: ${await errors}`);
  return v.parse(sample, JSON.parse(last));
};

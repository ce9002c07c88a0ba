import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import * as v from 'valibot';
import type { Built } from './built.ts';

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

/** Starts a function in a new process, and sends it an event. */
export const takeSample = async (child: string, { module, variables }: Built, event: unknown): Promise<Sample> => {
  const started = spawn(process.execPath, [child, module], {
    env: { ...variables },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [stdin, stdout, stderr, reports] = started.stdio;
  stdin.end(JSON.stringify(event));
  // What functions log is no part of the output.
  stdout.resume();
  const [errors, reported] = [textOf(stderr), textOf(v.parse(v.instance(Readable), reports))];
  await once(started, 'close');
  const [, last] = (await reported).split('\n');
  if (!last) throw new Error(`${module} does not start or does not answer: ${await errors}`);
  return v.parse(sample, JSON.parse(last));
};

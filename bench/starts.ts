import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import * as v from 'valibot';
import { memorySize } from '../lib/infrastructure/endpoints.ts';
import type { Variant } from './variants.ts';

const report = v.object({
  /** Milliseconds of CPU for the import and the first call. */
  cpu: v.number(),
  response: v.unknown(),
});

const readable = v.instance(Readable);

/**
 * How Lambda starts Node 24. Most of it decides how often V8 collects garbage.
 * https://dev.to/wonderfulsoap/deep-dive-into-aws-lambda-3-official-nodejs-runtime-analysis-43je
 */
export const lambdaFlags = [
  '--expose-gc',
  '--max-http-header-size=81920',
  `--max-semi-space-size=${Math.floor(memorySize / 20)}`,
  `--max-old-space-size=${Math.floor((memorySize * 9) / 10)}`,
];

/** The script that starts a function, as JavaScript: stripping its types would count as part of the start. */
export const buildScript = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'cold-process.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'cold-process.ts')],
    outfile,
    format: 'esm',
    platform: 'node',
  });
  return outfile;
};

/** Starts a function in a new process, sends it its event, and checks the response. @returns milliseconds of CPU */
export const start = async (script: string, { name, module, variables, event, response }: Variant): Promise<number> => {
  const started = spawn(process.execPath, [...lambdaFlags, script, module], {
    env: { ...variables },
    // Functions log to the standard output.
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  const { stdin, stderr, stdio } = started;
  stdin?.end(JSON.stringify(event));
  const [written, errors] = await Promise.all([stdio[3], stderr].map((stream) => text(v.parse(readable, stream))));
  if (!written) throw new Error(`${name} does not start, or does not respond: ${errors}`);
  const taken = v.parse(report, JSON.parse(written));
  if (v.is(response, taken.response)) return taken.cpu;
  throw new Error(`${name} responds with ${JSON.stringify(taken.response)}`);
};

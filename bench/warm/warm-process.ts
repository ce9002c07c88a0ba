import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { lambdaFlags } from '../cold/sample.ts';
import { buildScript } from '../cold/script.ts';
import type { Starts } from '../cold/starts.ts';

const figures = v.object({
  /** Milliseconds a call. */
  cpu: v.number(),
  /** In bytes, after a collection. */
  heap: v.number(),
  resident: v.number(),
});

/** A function that goes on answering, in a process of its own. */
export interface WarmFunction {
  readonly call: (times: number) => Promise<v.InferOutput<typeof figures>>;
  readonly stop: () => void;
}

/** How many calls it takes until what is called often has been compiled for good. */
export const untilCompiled = 5_000;

/** Starts the variant of that name. */
export const startWarm = async ({ folder, variants }: Starts, name: string): Promise<WarmFunction> => {
  const variant = variants.find((one) => one.name === name);
  if (!variant) throw new Error(`There is no ${name}.`);
  const { module, variables, exchange } = variant;
  const caller = await buildScript(folder, join(import.meta.dirname, 'caller.ts'));
  const started = spawn(process.execPath, [...lambdaFlags, caller, module, JSON.stringify(exchange.event)], {
    env: { ...variables },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = started;
  stderr.pipe(process.stderr);
  // What functions log is no part of the output.
  stdout.resume();
  const ended = once(started, 'exit').then(() => []);
  const reports = createInterface(v.parse(v.instance(Readable), started.stdio[3]));
  return {
    call: async (times) => {
      stdin.write(`${times}\n`);
      const [line] = await Promise.race([once(reports, 'line'), ended]);
      if (line === undefined) throw new Error(`${name} has stopped answering.`);
      return v.parse(figures, JSON.parse(line));
    },
    stop: () => started.kill(),
  };
};

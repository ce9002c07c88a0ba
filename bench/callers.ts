import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { lambdaFlags } from './starts.ts';
import type { Variant } from './variants.ts';

const report = v.object({
  /** Milliseconds of CPU for a call. */
  cpu: v.number(),
  /** The response to the last call. */
  response: v.unknown(),
});

/** A function in a process of its own that goes on responding. */
interface Caller {
  readonly call: (calls: number, event: unknown) => Promise<v.InferOutput<typeof report>>;
  readonly stop: () => void;
}

export const startCaller = ({ name, module, variables }: Variant): Caller => {
  const script = join(import.meta.dirname, 'warm-process.ts');
  const started = spawn(process.execPath, [...lambdaFlags, script, module], {
    env: { ...variables },
    // Functions log to the standard output.
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  const ended = once(started, 'exit').then(() => []);
  const reports = createInterface(v.parse(v.instance(Readable), started.stdio[3]));
  return {
    call: async (calls, event) => {
      started.stdin?.write(`${JSON.stringify({ event, calls })}\n`);
      const [line] = await Promise.race([once(reports, 'line'), ended]);
      if (line === undefined) throw new Error(`${name} has stopped responding.`);
      return v.parse(report, JSON.parse(line));
    },
    stop: () => started.kill(),
  };
};

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isolate } from './host/isolation.ts';
import { digestSources } from './kept-assembly.ts';
import type { SynthesisOrder } from './synthesize-worker.ts';

/** A thread that synthesizes once. */
export interface Synthesizer {
  /** What the sources were before it read any; nothing when they could not be read. */
  readonly sourcesDigest: string | undefined;
  /** @returns the stack's name */
  synthesize(order: SynthesisOrder): Promise<unknown>;
  end(): Promise<unknown>;
}

/** Has a thread load what synthesizes. It ends with that: the CDK would stay in memory as long as the service runs. */
export const startSynthesizer = (sourcesDigest = digestSources()): Synthesizer => {
  const worker = new Worker(new URL('./synthesize-worker.ts', import.meta.url), {
    // esbuild collects no garbage when its own command runs it, which bundles once and ends, as this does: a quarter less to compute.
    env: isolate({ ...process.env, GOGC: 'off' }),
    execArgv: [],
  });
  const answer = once(worker, 'message');
  // Who gives an order is told.
  answer.catch(() => {});
  return {
    sourcesDigest,
    synthesize: async (order) => {
      worker.postMessage(order);
      const [stackName] = await answer;
      return stackName;
    },
    end: () => worker.terminate(),
  };
};

import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { isolate } from './host/isolation.ts';
import type { Assembly } from './host/template/template.ts';
import { assemblyKey, digestSources, findAssembly, keepAssembly, removeAssembly } from './kept-assembly.ts';
import type { SynthesisOrder } from './synthesize-worker.ts';

/** Where the assembly of a data directory lies. */
export const assemblyDirectory = (dataDir: string): string => join(dataDir, 'cdk.out');

/** A thread that synthesizes once. */
export interface Synthesizer {
  /** A digest of the sources before the thread read any; nothing when they could not be read. */
  readonly sourcesDigest: string | undefined;
  /** @returns the stack's name */
  synthesize(order: SynthesisOrder): Promise<string>;
  end(): Promise<unknown>;
}

/** Has a thread load the CDK app. It ends with its work: the CDK would stay in memory as long as the service runs. */
export const startSynthesizer = (sourcesDigest = digestSources()): Synthesizer => {
  const worker = new Worker(new URL('./synthesize-worker.ts', import.meta.url), {
    // esbuild collects no garbage when its own command runs it, which bundles once and ends, as this does: a quarter less to compute.
    env: isolate({ ...process.env, GOGC: 'off' }),
    execArgv: [],
  });
  const answer = once(worker, 'message');
  // A failure before the order is the order's.
  answer.catch(() => {});
  return {
    sourcesDigest,
    synthesize: async (order) => {
      worker.postMessage(order);
      const [stackName] = await answer;
      return String(stackName);
    },
    end: () => worker.terminate(),
  };
};

/**
 * Synthesizes the service as an environment of its own, `local`, below the data directory, which this process holds. An
 * assembly of an earlier start is used again while everything that it was made of is the same.
 * @param synthesizer one that was started before
 * @throws {Error} which setting is wrong
 */
export const synthesizeLocal = async (
  dataDir: string,
  environment: EnvironmentInput,
  synthesizer?: Synthesizer,
): Promise<Assembly> => {
  const directory = assemblyDirectory(dataDir);
  const sourcesDigest = synthesizer ? synthesizer.sourcesDigest : digestSources();
  const key = sourcesDigest === undefined ? undefined : assemblyKey(environment, sourcesDigest);
  const kept = key === undefined ? undefined : await findAssembly(key, directory);
  if (kept) {
    await synthesizer?.end();
    return kept;
  }
  await removeAssembly(directory);
  const { synthesize } = synthesizer ?? startSynthesizer(sourcesDigest);
  const assembly = { directory, stackName: await synthesize({ directory, environment }) };
  // Unless somebody has saved a source meanwhile.
  if (key !== undefined && sourcesDigest === digestSources()) await keepAssembly(key, assembly);
  return assembly;
};

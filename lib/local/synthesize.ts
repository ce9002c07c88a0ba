import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import type { Assembly } from './host/template/template.ts';
import { assemblyKey, findAssembly, forgetAssembly, keepAssembly } from './kept-assembly.ts';
import type { SynthesisOrder } from './synthesize-worker.ts';

/** In a thread that ends with it: the CDK would stay in memory as long as the service runs. */
const synthesizeInThread = async (workerData: SynthesisOrder): Promise<string> => {
  const worker = new Worker(new URL('./synthesize-worker.ts', import.meta.url), { workerData, execArgv: [] });
  const [stackName] = await once(worker, 'message');
  return v.parse(v.string(), stackName);
};

/**
 * Synthesizes the service as an environment of its own, `local`, below the data directory, which somebody holds. What an
 * earlier start has left there is taken as long as all that it was made of is the same.
 * @throws {Error} which setting is wrong
 */
export const synthesizeLocal = async (dataDir: string, environment: EnvironmentInput): Promise<Assembly> => {
  const directory = join(dataDir, 'cdk.out');
  const key = assemblyKey(environment);
  const kept = key === undefined ? undefined : await findAssembly(dataDir, key, directory);
  if (kept) return kept;
  await forgetAssembly(dataDir);
  const assembly = { directory, stackName: await synthesizeInThread({ directory, environment }) };
  // Unless somebody has saved a source meanwhile.
  if (key !== undefined && key === assemblyKey(environment)) await keepAssembly(dataDir, key, assembly);
  return assembly;
};

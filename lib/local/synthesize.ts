import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import type { Assembly } from './host/template/template.ts';
import type { SynthesisOrder } from './synthesize-worker.ts';

const assemblySchema = v.object({ directory: v.string(), stackName: v.string() });

/**
 * Synthesizes the service as an environment of its own, `local`, below the data directory. In a thread that ends with it:
 * the CDK would stay in memory as long as the service runs.
 * @throws {Error} which setting is wrong
 */
export const synthesizeLocal = async (dataDir: string, environment: EnvironmentInput): Promise<Assembly> => {
  const workerData: SynthesisOrder = { dataDir, environment };
  const worker = new Worker(new URL('./synthesize-worker.ts', import.meta.url), { workerData, execArgv: [] });
  const [assembly] = await once(worker, 'message');
  return v.parse(assemblySchema, assembly);
};

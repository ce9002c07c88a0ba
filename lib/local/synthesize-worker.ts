// The thread that synthesizes the local service. See synthesize.ts.
import { rm } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { stackName } from '../infrastructure/stack-name.ts';
import type { Assembly } from './host/template/template.ts';

/** What the thread is to synthesize, and where. */
export interface SynthesisOrder {
  readonly dataDir: string;
  readonly environment: EnvironmentInput;
}

const synthesize = async ({ dataDir, environment }: SynthesisOrder): Promise<Assembly> => {
  // Loading the CDK takes 40 % less from the second start on.
  enableCompileCache(join(dataDir, 'compile-cache'));
  const outdir = join(dataDir, 'cdk.out');
  await rm(outdir, { recursive: true, force: true });
  // esbuild is a process of its own: it bundles while this one loads the CDK, which is most of what a start takes.
  const { bundleFunctions } = await import('../infrastructure/bundle.ts');
  const [bundles, { createApp }] = await Promise.all([
    bundleFunctions(join(dataDir, 'functions')),
    import('../infrastructure/app.ts'),
  ]);
  const app = createApp({ local: environment }, bundles, { outdir });
  return { directory: app.synth().directory, stackName: stackName('local') };
};

const order: SynthesisOrder = workerData;
parentPort?.postMessage(await synthesize(order));

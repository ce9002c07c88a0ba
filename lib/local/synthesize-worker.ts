// The thread that synthesizes the local service. See synthesize.ts.
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { build } from 'esbuild';
import { bundleFunctions } from '../infrastructure/bundle.ts';
import { type EnvironmentInput, stackName } from '../infrastructure/settings.ts';

/** The environment to synthesize, and the new folder for it. */
export interface SynthesisOrder {
  readonly directory: string;
  readonly environment: EnvironmentInput;
}

type App = Pick<typeof import('../infrastructure/app.ts'), 'createApp'>;

const appFile = join(import.meta.dirname, '..', 'infrastructure', 'app.ts');

/**
 * Loads the CDK app as CommonJS. There, the CDK loads the file of each class at its first use. From an ES module, Node would
 * load all of them, which doubles the time of a synthesis.
 * https://nodejs.org/docs/latest-v24.x/api/esm.html#commonjs-namespaces
 */
const loadApp = async (): Promise<App> => {
  const { outputFiles } = await build({
    entryPoints: [appFile],
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    write: false,
    logLevel: 'warning',
  });
  const run = compileFunction(outputFiles[0]?.text ?? '', ['require', 'module'], { filename: appFile });
  const loaded: { exports: Partial<App> } = { exports: {} };
  run(createRequire(appFile), loaded);
  const { createApp } = loaded.exports;
  if (!createApp) throw new Error(`${appFile} does not export the app`);
  return { createApp };
};

const { directory, environment }: SynthesisOrder = workerData;
const bundles = join(directory, 'bundles');
const [{ createApp }] = await Promise.all([loadApp(), bundleFunctions(bundles)]);
createApp({ local: environment }, bundles, { outdir: directory, stackTraces: false, treeMetadata: false }).synth();
await rm(bundles, { recursive: true });
parentPort?.postMessage(stackName('local'));

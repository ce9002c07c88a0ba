// The thread that synthesizes the local service. See synthesize.ts.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createApp } from '../infrastructure/app.ts';
import { bundleFunctions } from '../infrastructure/bundle.ts';
import { type EnvironmentInput, stackName } from '../infrastructure/settings.ts';

/** The environment to synthesize, and the new folder for it. */
export interface SynthesisOrder {
  readonly directory: string;
  readonly environment: EnvironmentInput;
}

const { directory, environment }: SynthesisOrder = workerData;
const bundles = await bundleFunctions(join(directory, 'bundles'));
createApp({ local: environment }, bundles, { outdir: directory, stackTraces: false, treeMetadata: false }).synth();
await rm(bundles, { recursive: true });
parentPort?.postMessage(stackName('local'));

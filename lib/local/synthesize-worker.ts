// The thread that synthesizes the local service. See synthesize.ts.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { bundleFunctions } from '../infrastructure/bundle.ts';
import { handlerNames, notifyHandler } from '../infrastructure/handlers.ts';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { stackName } from '../infrastructure/stack-name.ts';
import { type App, loadApp } from './load-app.ts';

/** What the thread is to synthesize, and into which folder. */
export interface SynthesisOrder {
  readonly directory: string;
  readonly environment: EnvironmentInput;
}

const synthesize = async (app: Promise<App>, { directory, environment }: SynthesisOrder): Promise<void> => {
  await rm(directory, { recursive: true, force: true });
  const bundles = join(directory, 'bundles');
  const handlers = environment.notifications ? handlerNames : handlerNames.filter((name) => name !== notifyHandler);
  const [{ createApp }] = await Promise.all([app, bundleFunctions(bundles, handlers)]);
  createApp({ local: environment }, bundles, { outdir: directory, stackTraces: false, treeMetadata: false }).synth();
  await rm(bundles, { recursive: true });
};

if (!parentPort) throw new Error('This runs in a thread');
const app = loadApp();
const [order] = await once(parentPort, 'message');
await synthesize(app, order);
parentPort.postMessage(stackName('local'));

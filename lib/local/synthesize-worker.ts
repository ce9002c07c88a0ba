// The thread that synthesizes the local service. See synthesizer.ts.
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';
import { bundleDir, handlerNames, notificationHandlers } from '../infrastructure/handlers.ts';
import type { EnvironmentInput } from '../infrastructure/settings.ts';
import { stackName } from '../infrastructure/stack-name.ts';
import { type App, loadApp } from './load-app.ts';

/** What the thread is to synthesize, and into which folder. */
export interface SynthesisOrder {
  readonly directory: string;
  readonly environment: EnvironmentInput;
}

/** In an asset whose bundle is still being made: the handler's name. */
const draft = 'handler.txt';

const writeDrafts = async (folder: string, handlers: readonly string[]): Promise<void> => {
  for (const handler of handlers) {
    await mkdir(bundleDir(folder, handler), { recursive: true });
    await writeFile(join(bundleDir(folder, handler), draft), handler);
  }
};

/** Puts the bundles where an assembly has drafts of them. */
const replaceDrafts = async (directory: string, bundles: string) => {
  const assets = (await readdir(directory)).filter((name) => name.startsWith('asset.'));
  for (const asset of assets.map((name) => join(directory, name))) {
    const handler = await readFile(join(asset, draft), 'utf8');
    await rm(asset, { recursive: true });
    await rename(bundleDir(bundles, handler), asset);
  }
};

/** A thread of its own, since esbuild asks its plugins in the middle of its work: https://esbuild.github.io/plugins/ */
const bundler = new Worker(new URL('./bundle-worker.ts', import.meta.url), { execArgv: [] });

const bundle = async (folder: string, handlers: readonly string[]): Promise<void> => {
  bundler.postMessage([folder, handlers]);
  await once(bundler, 'message');
};

/** The template says where the code is, not what it does: the stack is synthesized while its functions are bundled. */
const synthesize = async ({ createApp }: App, { directory, environment }: SynthesisOrder): Promise<void> => {
  await rm(directory, { recursive: true, force: true });
  const [drafts, bundles] = [join(directory, 'drafts'), join(directory, 'bundles')];
  // To bundle the functions of notifications takes a fifth of the time of all.
  const handlers = environment.notifications
    ? handlerNames
    : handlerNames.filter((name) => !notificationHandlers.includes(name));
  const synthesizeDrafts = async () => {
    await writeDrafts(drafts, handlers);
    createApp({ local: environment }, drafts, { outdir: directory, stackTraces: false, treeMetadata: false }).synth();
  };
  await Promise.all([synthesizeDrafts(), bundle(bundles, handlers)]);
  await replaceDrafts(directory, bundles);
  await Promise.all([drafts, bundles].map((folder) => rm(folder, { recursive: true })));
};

if (!parentPort) throw new Error('This runs in a thread');
const [app, [order]] = await Promise.all([loadApp(), once(parentPort, 'message')]);
await synthesize(app, order);
parentPort.postMessage(stackName('local'));

// The process that synthesizes the local service. See synthesize.ts.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { bundleFunctions } from '../infrastructure/bundle.ts';
import { type EnvironmentInput, stackName } from '../infrastructure/settings.ts';

/** The environment to synthesize, and the new folder for it. */
export interface SynthesisOrder {
  readonly directory: string;
  readonly environment: EnvironmentInput;
}

/** The stack's name, or one line about what is wrong. */
export type Synthesized = { readonly stackName: string } | { readonly error: string };

const synthesize = async ({ directory, environment }: SynthesisOrder): Promise<Synthesized> => {
  try {
    const bundles = await bundleFunctions(join(directory, 'bundles'));
    // A small server has no memory for esbuild and the CDK at once.
    await stop();
    const { createApp } = await import('../infrastructure/app.ts');
    createApp({ local: environment }, bundles, { outdir: directory, stackTraces: false, treeMetadata: false }).synth();
    await rm(bundles, { recursive: true });
    return { stackName: stackName('local') };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
};

// The service was killed: the next start writes into the same folder.
process.once('disconnect', () => process.exit());

process.once('message', async (order: SynthesisOrder) => {
  const result = await synthesize(order);
  process.send?.(result);
  process.disconnect();
});

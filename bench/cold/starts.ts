import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as v from 'valibot';
import { fillStore } from './answers.ts';
import { type Sample, takeSample } from './sample.ts';
import { withStore } from './store.ts';
import { buildVariants, type Exchange, type Variant } from './variants.ts';

/** What to start, and with what. */
export interface Starts {
  readonly variants: readonly Variant[];
  /** The module of the process that starts one. */
  readonly child: string;
}

const buildChild = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'child.mjs');
  const entryPoints = [join(import.meta.dirname, 'child.ts')];
  await build({ entryPoints, outfile, format: 'esm', platform: 'node', target: 'node24' });
  return outfile;
};

/** Runs with the variants, built and with a store behind them. */
export const withStarts = async <Result>(run: (starts: Starts) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-cold-'));
  try {
    const stored = await fillStore();
    return await withStore(folder, stored.items, async (endpoint) =>
      run({ variants: await buildVariants(folder, endpoint, stored), child: await buildChild(folder) }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Starts a variant, and looks whether it answers as it has to. */
const start = async (child: string, variant: Variant, { event, answer }: Exchange): Promise<Sample> => {
  const sample = await takeSample(child, variant, event);
  if (v.is(answer, sample.answer)) return sample;
  throw new Error(`${variant.name} answers ${JSON.stringify(sample.answer)}`);
};

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);

/** Starts each variant once a round, in another order each time, after it has answered well all that it is asked. */
export const sampleStarts = async (
  { child }: Starts,
  variants: readonly Variant[],
  rounds: number,
): Promise<Map<Variant, Sample[]>> => {
  for (const variant of variants) {
    for (const exchange of [variant.exchange, ...variant.others]) await start(child, variant, exchange);
  }
  const samples = new Map<Variant, Sample[]>(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const variant of shuffled(variants)) {
      samples.get(variant)?.push(await start(child, variant, variant.exchange));
    }
  }
  return samples;
};

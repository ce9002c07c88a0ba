import * as v from 'valibot';
import { fillStore } from './answers.ts';
import type { Exchange } from './exchanges.ts';
import { inFolder } from './folder.ts';
import { type Sample, takeSample } from './sample.ts';
import { buildScript } from './script.ts';
import { withStore } from './store.ts';
import { buildVariants, type Variant } from './variants.ts';

/** What to start, and with what. */
export interface Starts {
  readonly variants: readonly Variant[];
  /** The module of the process that starts one. */
  readonly child: string;
}

/** Runs with the variants, built and with a store behind them. */
export const withStarts = <Result>(run: (starts: Starts) => Promise<Result>): Promise<Result> =>
  inFolder(async (folder) => {
    const stored = await fillStore();
    return withStore(folder, stored.items, async (endpoint) =>
      run({ variants: await buildVariants(folder, endpoint, stored), child: await buildScript(folder, 'child.ts') }),
    );
  });

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

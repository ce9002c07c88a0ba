import { join } from 'node:path';
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
  /** For what else is built. */
  readonly folder: string;
  readonly variants: readonly Variant[];
  /** The module of the process that starts one. */
  readonly child: string;
}

/** Runs with the variants, built and with a store behind them. */
export const withStarts = <Result>(run: (starts: Starts) => Promise<Result>): Promise<Result> =>
  inFolder(async (folder) => {
    const stored = await fillStore();
    return withStore(folder, stored.items, async (endpoint) =>
      run({
        folder,
        variants: await buildVariants(folder, endpoint, stored),
        child: await buildScript(folder, join(import.meta.dirname, 'child.ts')),
      }),
    );
  });

/** Starts a variant, and looks whether it answers as it has to. */
const start = async (child: string, variant: Variant, { event, answer }: Exchange, share?: number): Promise<Sample> => {
  const sample = await takeSample(child, variant, event, share);
  if (v.is(answer, sample.answer)) return sample;
  throw new Error(`${variant.name} answers ${JSON.stringify(sample.answer)}`);
};

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, index: Math.random() }))
    .sort((one, other) => one.index - other.index)
    .map(({ item }) => item);

/** A variant to start again and again, and the share of a processor that its first call has. */
export interface Series {
  readonly variant: Variant;
  /** @defaultValue all of it */
  readonly share?: number | undefined;
}

/** Starts each once a round, in another order each time, after it has answered well all that it is asked. */
export const sampleStarts = async <One extends Series>(
  child: string,
  series: readonly One[],
  rounds: number,
): Promise<Map<One, Sample[]>> => {
  for (const variant of new Set(series.map((one) => one.variant))) {
    for (const exchange of [variant.exchange, ...variant.others]) await start(child, variant, exchange);
  }
  const samples = new Map<One, Sample[]>(series.map((one) => [one, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const one of shuffled(series)) {
      samples.get(one)?.push(await start(child, one.variant, one.variant.exchange, one.share));
    }
  }
  return samples;
};

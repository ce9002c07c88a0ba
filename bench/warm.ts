import { startCaller } from './callers.ts';
import { minimal } from './functions.ts';
import { inTurns, named } from './measure.ts';
import { comparedCpu, figure, ratio, type Section } from './page.ts';
import { create, withVariants } from './variants.ts';

/** After so many calls V8 has compiled what runs often. */
const untilCompiled = 3_000;

const callsOfRound = 200;

export const warm = (rounds: number): Promise<Section> =>
  withVariants(async (variants) => {
    const compared = [create, minimal].map((name) => named(variants, name));
    const callers = compared.map((variant) => ({ variant, ...startCaller(variant) }));
    try {
      for (const { call, variant } of callers) await call(untilCompiled, variant.event);
      const results = await inTurns(
        rounds,
        minimal,
        callers.map(({ call, variant }) => [variant.name, async () => (await call(callsOfRound, variant.event)).cpu]),
      );
      const ours = named(results, create);
      return {
        title: 'Warm calls',
        headline: `A warm call, which finds the function running, uses ${comparedCpu(ours.ratio)} the minimal handler: ${figure(ours.value)} ms.`,
        text: `The CPU time of one call after ${untilCompiled.toLocaleString('en')} others. The store is not counted.`,
        columns: ['function', 'CPU ms', 'ratio'],
        rows: results.map((one) => [one.name, figure(one.value), ratio(one.ratio)]),
      };
    } finally {
      for (const { stop } of callers) stop();
    }
  });

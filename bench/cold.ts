import { minimal } from './functions.ts';
import { inTurns, named } from './measure.ts';
import { comparedCpu, figure, ratio, type Section } from './page.ts';
import { bytesOf, countInstructions, hasValgrind } from './sizes.ts';
import { buildScript, start } from './starts.ts';
import { create, withVariants } from './variants.ts';

export const cold = (rounds: number): Promise<Section> =>
  withVariants(async (variants, folder) => {
    const script = await buildScript(folder);
    const times = await inTurns(
      rounds,
      minimal,
      variants.map((variant) => [variant.name, () => start(script, variant)]),
    );
    const instructions = await countInstructions(folder, variants);
    const counts = hasValgrind();
    return {
      title: 'Cold start',
      headline: `A cold start uses ${comparedCpu(named(times, create).ratio)} a minimal handler on the AWS SDK.`,
      text: 'A new process imports the bundle and responds to one event, as Lambda does for the first request after a pause. A store like DynamoDB runs in another process.',
      columns: ['function', 'CPU ms', 'ratio', 'bundle KB', ...(counts ? ['import, million instructions'] : [])],
      rows: times.map((time) => [
        time.name,
        figure(time.value),
        ratio(time.ratio),
        figure(bytesOf(named(variants, time.name)) / 1000),
        ...(counts ? [figure((instructions.get(time.name) ?? Number.NaN) / 1e6)] : []),
      ]),
    };
  });

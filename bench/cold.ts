import { bare } from './functions.ts';
import { inTurns, named } from './measure.ts';
import { figure, ratio, type Section } from './page.ts';
import { bytesOf, countInstructions, hasValgrind } from './sizes.ts';
import { buildScript, start } from './starts.ts';
import { create, withVariants } from './variants.ts';

export const cold = (rounds: number): Promise<Section> =>
  withVariants(async (variants, folder) => {
    const script = await buildScript(folder);
    const times = await inTurns(
      rounds,
      bare,
      variants.map((variant) => [variant.name, () => start(script, variant)]),
    );
    const instructions = await countInstructions(folder, variants);
    const counts = hasValgrind();
    return {
      title: 'Cold start',
      headline: `A cold \`create-contact\` computes for ${ratio(named(times, create).ratio)} of the time of a bare handler on the SDK's client.`,
      text: `A new process imports the bundle and handles one event, with a store like DynamoDB in another process. **b** is a bare handler on \`client-dynamodb\`, bundled by the CDK's defaults. It stores a contact request without sites, idempotency and spam traps.`,
      columns: ['function', 'CPU ms', 'ratio to b', 'bundle KB', ...(counts ? ['import, million instructions'] : [])],
      rows: times.map((time) => [
        time.name,
        figure(time.value),
        ratio(time.ratio),
        figure(bytesOf(named(variants, time.name)) / 1000),
        ...(counts ? [figure((instructions.get(time.name) ?? Number.NaN) / 1e6)] : []),
      ]),
    };
  });

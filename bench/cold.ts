import { bare } from './functions.ts';
import { median } from './measure.ts';
import { figure, ratio, type Section } from './page.ts';
import { bytesOf, countInstructions, hasValgrind } from './sizes.ts';
import { sampleStarts } from './starts.ts';
import { create, named, withVariants } from './variants.ts';

export const cold = (rounds: number): Promise<Section> =>
  withVariants(async (variants, folder) => {
    const samplesOf = await sampleStarts(folder, variants, rounds);
    const instructions = await countInstructions(folder, variants);
    const results = variants.map((variant) => {
      const samples = samplesOf(variant.name);
      return {
        name: variant.name,
        cpu: median(samples.map(({ cpu }) => cpu)),
        bytes: bytesOf(variant),
        instructions: instructions.get(variant.name) ?? Number.NaN,
      };
    });
    const base = named(results, bare).cpu;
    const ours = named(results, create);
    const counts = hasValgrind();
    return {
      title: 'Cold start',
      headline: `A cold \`create-contact\` computes for ${ratio(ours.cpu / base)} of the time of a bare handler on the SDK's client.`,
      text: `A new process imports the bundle and answers one event, with a store like DynamoDB in another process. **b** is a bare handler on \`client-dynamodb\`, bundled by the CDK's defaults. It stores a contact request without sites, idempotency and spam traps.`,
      columns: ['function', 'CPU ms', 'ratio to b', 'bundle KB', ...(counts ? ['import, million instructions'] : [])],
      rows: results.map((one) => [
        one.name,
        figure(one.cpu),
        ratio(one.cpu / base),
        figure(one.bytes / 1000),
        ...(counts ? [figure(one.instructions / 1e6)] : []),
      ]),
    };
  });

import { barChart } from './chart.ts';
import { bare, peers } from './functions.ts';
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
        total: median(samples.map(({ total }) => total)),
        cpu: median(samples.map(({ cpu }) => cpu)),
        bytes: bytesOf(variant),
        instructions: instructions.get(variant.name) ?? Number.NaN,
      };
    });
    const base = named(results, bare.name).total;
    const ours = named(results, create);
    const counts = hasValgrind();
    return {
      title: 'Cold start',
      headline: `A cold \`create-contact\` takes ${ratio(ours.total / base)} of the time of a bare handler on the SDK's client.`,
      text: `A new process imports the bundle and answers one event. The store answers like DynamoDB, over TLS, from another process. Instructions are those of the import.

Five peers do the work of \`create-contact\`, without sites, idempotency and spam traps: **b**, a bare handler on \`client-dynamodb\`; middy and Hono with the SDK's document client; and the **floor**, which signs one HTTPS request itself. They are bundled by the CDK's defaults or, if *tuned*, like the service's functions.`,
      columns: ['function', 'ms', 'ratio to b', 'CPU ms', 'bundle KB', ...(counts ? ['million instructions'] : [])],
      rows: results.map((one) => [
        one.name,
        figure(one.total),
        ratio(one.total / base),
        figure(one.cpu),
        figure(one.bytes / 1000),
        ...(counts ? [figure(one.instructions / 1e6)] : []),
      ]),
      chart: barChart(
        'cold-starts',
        'Cold start: one contact request, stored over TLS',
        'Milliseconds for import and first call, less is better',
        [ours, ...results.filter(({ name }) => peers.some((peer) => peer.name === name))]
          .sort((first, second) => first.total - second.total)
          .map((one) => ({
            label: one.name,
            value: one.total,
            text: figure(one.total),
            isOurs: one === ours,
          })),
      ),
    };
  });

import { barChart } from './chart.ts';
import { bare, peers } from './functions.ts';
import { median } from './measure.ts';
import { figure, ratio, type Section } from './page.ts';
import { bytesOf, countInstructions, hasValgrind } from './sizes.ts';
import { sampleStarts } from './starts.ts';
import { withVariants } from './variants.ts';

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
    const base = results.find(({ name }) => name === bare.name)?.total ?? Number.NaN;
    const create = results.filter(({ name }) => name === 'create-contact');
    const counts = hasValgrind();
    return {
      title: 'Cold start',
      headline: `A cold \`create-contact\` takes ${create.map(({ total }) => ratio(total / base))} of the time of a bare handler on the SDK's client.`,
      text: `A new process imports the bundle and answers one event, ${rounds} times in random order. The store answers like DynamoDB, over TLS, from another process.

Five peers do the work of \`create-contact\`, without sites, idempotency and spam traps: **b**, a bare handler on \`client-dynamodb\`; middy and Hono with the SDK's document client; and the **floor**, which signs one HTTPS request itself. They are bundled by the CDK's defaults or, if *tuned*, like the service's functions. \`npm run bench:gate\` limits bundles and instructions in CI.`,
      columns: ['function', 'ms', 'to b', 'CPU ms', 'bundle KB', ...(counts ? ['import, million instructions'] : [])],
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
        [...create, ...results.filter(({ name }) => peers.some((peer) => peer.name === name))]
          .sort((first, second) => first.total - second.total)
          .map((one) => ({
            label: one.name,
            value: one.total,
            text: figure(one.total),
            isOurs: create.includes(one),
          })),
      ),
    };
  });

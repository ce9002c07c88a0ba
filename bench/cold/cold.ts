import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { barChart } from '../plot/bars.ts';
import { peers } from './bundle-peers.ts';
import type { Sample } from './sample.ts';
import { sampleStarts, withStarts } from './starts.ts';
import { createTargets, otherTargets } from './targets.ts';

const rounds = 31;

type Figure = Exclude<keyof Sample, 'answer'>;

const measureCold: Part['measure'] = async (show) => {
  const samples = await withStarts(({ child, variants }) =>
    sampleStarts(
      child,
      variants.map((variant) => ({ variant })),
      rounds,
    ),
  );
  const byName = new Map([...samples].map(([{ variant }, taken]) => [variant.name, taken]));
  const names = [...byName.keys()];
  const medianOf = (name: string, figure: Figure) => median((byName.get(name) ?? []).map((sample) => sample[figure]));

  const row = (figure: Figure, unit: Measurement['unit'], name: string, what: string, other?: string): Measurement => {
    const value = medianOf(name, figure);
    const measured = { name: `${name}${what}`, value, unit };
    return other ? { ...measured, beside: { what: other, ratio: value / medianOf(other, figure) } } : measured;
  };
  const total = (name: string, other?: string) => row('total', 'ms', name, '', other);
  const each = (figure: Figure, unit: Measurement['unit'], what: string) =>
    names.map((name) => row(figure, unit, name, what, name === 'b' ? undefined : 'b'));

  const drawn = names.filter((name) => name.startsWith('create-contact') || peers.some((peer) => peer.name === name));
  show(
    barChart({
      name: 'cold-starts',
      title: 'Import and first call of a new process: one contact request, stored over TLS',
      subtitle: 'ms, less is better',
      bars: drawn
        .map((name) => ({ label: name, value: medianOf(name, 'total'), isOurs: name.startsWith('create-contact') }))
        .sort((one, other) => one.value - other.value),
      format: (value) => value.toFixed(1),
    }),
  );
  const held = [
    ...Object.entries(createTargets).map(([other, most]) => [total('create-contact', other), most] as const),
    ...Object.entries(otherTargets).map(([name, most]) => [total(name, 'b'), most] as const),
  ];
  return [
    ...held.map(([measured, most]): Measurement => ({ ...measured, target: { bound: '≤', value: most } })),
    total('b'),
    ...names
      .filter((name) => name !== 'b' && !held.some(([measured]) => measured.name === name))
      .map((name) => total(name, 'b')),
    ...each('import', 'ms', ': import'),
    ...each('cpu', 'CPU ms', ': CPU of both'),
    ...each('peak', 'MiB', ': peak memory'),
  ];
};

export const cold: Part = {
  title: 'Cold start',
  tells: `A new process for each start, as Lambda begins one: it imports the bundle, then answers one event, and this is what both take. What answers as DynamoDB does, over TLS, and checks each signature, is a process of its own. Medians of ${rounds} rounds, each in another order.

Beside the functions stand others that do the work of \`create-contact\`, each written as its documentation recommends and answering 201 and 400 where it must: **b**, a bare handler on \`client-dynamodb\`; middy, Powertools (router, logger, tracer, metrics), Hono and Express with the SDK's document client; and the **floor**, which has no SDK and signs one HTTPS request itself. They are bundled as \`NodejsFunction\` does by default or, where it says *tuned*, as the service's functions are. They validate by the same few lines, take JSON alone, and know neither sites, idempotency keys nor spam.`,
  measure: measureCold,
};

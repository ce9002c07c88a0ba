import { memorySize } from '../../lib/infrastructure/endpoints.ts';
import { type Starts, sampleStarts, withStarts } from '../cold/starts.ts';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { type LineChart, lineChart } from '../plot/lines.ts';
import type { Picture } from '../plot/picture.ts';
import { startWarm, untilCompiled } from '../warm/warm-process.ts';
import { coldTime, dollarsOfMillion, leastSize, sizes, type Work, warmTime } from './model.ts';

const rounds = 15;

/** Those whose start somebody waits for: a visitor, a script. */
const measured = ['create-contact', 'list-contacts', 'authorizer'] as const;

interface Measured {
  readonly name: string;
  readonly init: number;
  readonly first: number;
  readonly peak: number;
}

const measureStarts = async ({ child, variants }: Starts): Promise<Measured[]> => {
  const series = variants.filter(({ name }) => measured.some((one) => one === name)).map((variant) => ({ variant }));
  return [...(await sampleStarts(child, series, rounds))].map(([{ variant }, samples]) => {
    const init = median(samples.map(({ importCpu }) => importCpu));
    const both = median(samples.map(({ cpu }) => cpu));
    return { name: variant.name, init, first: both - init, peak: Math.max(...samples.map(({ peak }) => peak)) };
  });
};

const measureWarm = async (starts: Starts): Promise<number> => {
  const create = await startWarm(starts, 'create-contact');
  try {
    await create.call(untilCompiled);
    return (await create.call(1_000)).cpu;
  } finally {
    create.stop();
  }
};

const along: Pick<LineChart, 'x' | 'marks'> = {
  x: { title: 'memory, MB', isLog: true, ticks: [128, 256, 512, 1_024, 1_769] },
  marks: [{ label: `${memorySize.toLocaleString('en')} MB, chosen`, x: memorySize }],
};

const line = (label: string, at: (size: number) => number) => ({
  label,
  points: sizes.map((size) => [size, at(size)] as const),
});

const showModel = (work: Work, show: (picture: Picture) => void) => {
  show(
    lineChart({
      name: 'memory-time',
      title: 'Time of a create, by the memory of its function',
      subtitle:
        'A model: measured CPU over the share of a processor that the memory brings, and the waiting for the store',
      ...along,
      y: { title: 'milliseconds', isLog: true, ticks: [5, 10, 30, 100, 300, 1_000] },
      series: [
        line('cold, start at its share', (size) => coldTime(work, size, 'share')),
        line('cold, start at full speed', (size) => coldTime(work, size, 'whole')),
        line('warm', (size) => warmTime(work, size)),
      ],
    }),
  );
  show(
    lineChart({
      name: 'memory-cost',
      title: "What a million creates' time costs, by the memory of their function",
      subtitle: 'A model: the same times, billed by the millisecond',
      ...along,
      y: { title: 'US dollars' },
      series: [
        line('each cold', (size) => dollarsOfMillion(work, size, 1)),
        line('each warm', (size) => dollarsOfMillion(work, size, 0)),
      ],
    }),
  );
};

const measure = async (show: (picture: Picture) => void): Promise<Measurement[]> => {
  const { measuredStarts, warm } = await withStarts(async (starts) => ({
    measuredStarts: await measureStarts(starts),
    warm: await measureWarm(starts),
  }));
  const works = measuredStarts.map((start) => ({ ...start, warm }));
  const create = works.find(({ name }) => name === 'create-contact');
  if (!create) throw new Error('Nothing was measured of create-contact.');
  showModel(create, show);
  return [
    ...works.flatMap(({ name, init, first, peak }): Measurement[] => [
      { name: `${name}: CPU of its import`, value: init, unit: 'CPU ms' },
      { name: '… of its first call', value: first, unit: 'CPU ms' },
      { name: '… peak memory', value: peak, unit: 'MiB', target: { bound: '≤', value: memorySize / 2 } },
    ]),
    { name: 'create-contact: CPU of a warm call', value: warm, unit: 'CPU ms' },
    ...sizes.flatMap((size): Measurement[] => {
      const megabytes = `${size.toLocaleString('en')} MB`;
      const cold = coldTime(create, size, 'share');
      return [
        {
          name: `${megabytes}: a cold create, at the most`,
          value: cold,
          unit: 'ms',
          beside: { what: 'one with the memory chosen', ratio: cold / coldTime(create, memorySize, 'share') },
        },
        {
          name: '… a million, one in a hundred of them cold',
          value: dollarsOfMillion(create, size, 0.01),
          unit: 'dollars',
        },
      ];
    }),
    ...works.map(
      (work): Measurement => ({
        name: `${work.name}: the least size than which no larger one is felt to be faster`,
        value: leastSize(work),
        unit: 'MB',
        target: { bound: '≤', value: memorySize },
      }),
    ),
  ];
};

export const memory: Part = {
  title: 'Memory size',
  tells:
    'A model, not a measurement of AWS: CPU was measured here; Lambda gives it [in proportion to memory](https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html), one processor at 1,769 MB. That a start has a whole processor at any size [is observed](https://bitesizedserverless.com/bite/lambda-cold-start-bootstrap/) and nowhere promised, so both are shown. The store is assumed to answer in 5 ms, and to take as much to connect to; what Lambda does before it runs any code is left out. What is felt is a tenth of a second; at the most is with its share. [Why this size](decisions.md#1024-mb-for-functions-that-someone-waits-for).',
  measure,
};

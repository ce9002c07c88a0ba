import { bare } from '../cold/bundle-peers.ts';
import { withStarts } from '../cold/starts.ts';
import type { Measurement } from '../measurement.ts';
import { paired } from '../paired.ts';
import type { Part } from '../part.ts';
import { startWarm, untilCompiled, type WarmFunction } from './warm-process.ts';

const rounds = 15;
const callsOfRound = 1_000;

/** How many calls memory is compared after. */
const [few, many] = [10_000, 100_000];

const measureWarm: Part['measure'] = () =>
  withStarts(async (starts) => {
    const started: WarmFunction[] = [];
    const start = async (name: string) => {
      const warm = await startWarm(starts, name);
      started.push(warm);
      return warm;
    };
    try {
      const [create, b] = [await start('create-contact'), await start(bare.name)];
      for (const one of [create, b]) await one.call(untilCompiled);
      const { value, ratio } = await paired(
        rounds,
        async () => (await create.call(callsOfRound)).cpu,
        async () => (await b.call(callsOfRound)).cpu,
      );
      const measureMemory = async (fresh: WarmFunction) => ({
        few: await fresh.call(few),
        many: await fresh.call(many - few),
      });
      const [freshCreate, freshB] = [await start('create-contact'), await start(bare.name)];
      // Side by side: neither looks at the time.
      const [ofCreate, ofB] = await Promise.all([measureMemory(freshCreate), measureMemory(freshB)]);
      const memory = (what: string, value: number, beside: string, of: number, most: number): Measurement => ({
        name: `${what} after ${many.toLocaleString('en')} calls`,
        value: value / 1024 ** 2,
        unit: 'MiB',
        beside: { what: beside, ratio: value / of },
        target: { bound: '≤', value: most },
      });
      return [
        {
          name: 'A call of create-contact',
          value,
          unit: 'CPU ms',
          beside: { what: bare.name, ratio },
          target: { bound: '≤', value: 1.05 },
        },
        memory('Heap in use', ofCreate.many.heap, `after ${few.toLocaleString('en')}`, ofCreate.few.heap, 1.05),
        memory('Resident memory', ofCreate.many.resident, bare.name, ofB.many.resident, 1),
      ];
    } finally {
      for (const one of started) one.stop();
    }
  });

export const warm: Part = {
  title: 'Warm',
  tells:
    'What `create-contact` computes for a call once it has answered thousands, with all that it does (validation, CORS, Link and error handling; a line of log where there is something to say), in turns with **b** of the cold start, which only parses and stores: both put over TLS into the same store, which is a process of its own. Memory is what is left after a collection.',
  measure: measureWarm,
};

import { memorySize } from '../../lib/infrastructure/memory-size.ts';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { shareOf } from './share.ts';
import { sampleStarts, withStarts } from './starts.ts';
import { shareTargets } from './targets.ts';

const rounds = 31;

const sizes = new Set([...shareTargets.map(({ size }) => size), memorySize]);

/** What stands beside it. */
const peer = 'middy';

const measureShares: Part['measure'] = async () => {
  // Only Linux tells what a process has computed to the nanosecond (bench/cold/share.ts).
  if (process.platform !== 'linux') return [];
  const samples = await withStarts(({ child, variants }) => {
    const of = (name: string, size: number) =>
      variants.filter((variant) => variant.name === name).map((variant) => ({ variant, size, share: shareOf(size) }));
    return sampleStarts(
      child,
      [
        ...[...sizes].flatMap((size) => [...of('contacts/create', size), ...of(peer, size)]),
        ...of('authorizer', memorySize),
        ...of('contacts/list', memorySize),
      ],
      rounds,
    );
  });
  const total = (name: string, size: number) => {
    const taken = [...samples].find(([one]) => one.variant.name === name && one.size === size)?.[1] ?? [];
    return median(taken.map((sample) => sample.total));
  };
  return [
    ...shareTargets.map(({ size, most }): Measurement => {
      const value = total('contacts/create', size);
      return {
        name: `contacts/create with ${size.toLocaleString('en')} MB`,
        value,
        unit: 'ms',
        beside: { what: peer, ratio: value / total(peer, size) },
        target: { bound: '≤', value: most },
      };
    }),
    {
      name: `What a visitor waits for, with ${memorySize} MB: contacts/create`,
      value: total('contacts/create', memorySize),
      unit: 'ms',
    },
    {
      name: `What a script waits for, with ${memorySize} MB: authorizer, then contacts/list`,
      value: total('authorizer', memorySize) + total('contacts/list', memorySize),
      unit: 'ms',
    },
  ];
};

export const shares: Part = {
  title: 'Cold start with a share of a processor',
  tells:
    'The same, simulated for sizes of memory: Lambda gives a function that part of a processor that its memory is of 1,769 MB, but not while it starts. So the import has all of a processor, and the first call is stopped in each 20 ms when it has computed for its part of them. A visitor waits for one function; a script waits for the authorizer and, when that has answered, for the function of its route, and here both have to start.',
  measure: measureShares,
};

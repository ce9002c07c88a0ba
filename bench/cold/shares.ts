import { join } from 'node:path';
import * as v from 'valibot';
import { memorySize } from '../../lib/infrastructure/endpoints.ts';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { buildScript } from './script.ts';
import { shareOf, whole } from './share.ts';
import { sampleStarts, withStarts } from './starts.ts';
import { shareTargets } from './targets.ts';

const rounds = 31;

const sizes = new Set([...shareTargets.map(({ size }) => size), memorySize]);
const least = Math.min(...sizes);

const loopName = 'loop';

const megabytes = (size: number) => `${size.toLocaleString('en')} MB`;

/** What stands beside it. */
const peer = 'middy';

const measureShares: Part['measure'] = async () => {
  // Only Linux tells what a process has computed to the nanosecond (bench/cold/share.ts).
  if (process.platform !== 'linux') return [];
  const samples = await withStarts(async ({ child, folder, variants }) => {
    const loop = {
      name: loopName,
      module: await buildScript(folder, join(import.meta.dirname, 'loop.ts')),
      variables: {},
      exchange: { event: {}, answer: v.object({ statusCode: v.literal(200) }) },
      others: [],
    };
    const of = (name: string, size: number) =>
      [...variants, loop].flatMap((variant) =>
        variant.name === name ? [{ variant, size, share: size < whole ? shareOf(size) : undefined }] : [],
      );
    return sampleStarts(
      child,
      [
        ...[...sizes].flatMap((size) => [...of('create-contact', size), ...of(peer, size)]),
        ...of('authorizer', memorySize),
        ...of('list-contacts', memorySize),
        ...[least, whole].flatMap((size) => of(loopName, size)),
      ],
      rounds,
    );
  });
  const taken = (name: string, size: number, figure: 'call' | 'total') => {
    const found = [...samples].find(([one]) => one.variant.name === name && one.size === size)?.[1] ?? [];
    return median(found.map((sample) => sample[figure]));
  };
  const total = (name: string, size: number) => taken(name, size, 'total');
  const looped = taken(loopName, least, 'call');
  return [
    ...shareTargets.map(({ size, most }): Measurement => {
      const value = total('create-contact', size);
      return {
        name: `create-contact with ${megabytes(size)}`,
        value,
        unit: 'ms',
        beside: { what: peer, ratio: value / total(peer, size) },
        target: { bound: '≤', value: most },
      };
    }),
    {
      name: `What a visitor waits for, with ${megabytes(memorySize)}: create-contact`,
      value: total('create-contact', memorySize),
      unit: 'ms',
    },
    {
      name: `What a script waits for, with ${megabytes(memorySize)}: authorizer, then list-contacts`,
      value: total('authorizer', memorySize) + total('list-contacts', memorySize),
      unit: 'ms',
    },
    {
      name: `A loop that only computes, with ${megabytes(least)}: × ${(1 / shareOf(least)).toFixed(2)} if the simulation is right`,
      value: looped,
      unit: 'ms',
      beside: { what: 'one with a whole processor', ratio: looped / taken(loopName, whole, 'call') },
    },
  ];
};

export const shares: Part = {
  title: 'Cold start with a share of a processor',
  tells:
    'The same, simulated for sizes of memory: Lambda gives a function that part of a processor that its memory is of 1,769 MB, but, as is often observed and nowhere promised, not while it starts. So the import has all of a processor, and the first call is stopped in each 20 ms when it has computed for its part of them. A visitor waits for one function; a script waits for the authorizer and, when that has answered, for the function of its route, and here both have to start.',
  measure: measureShares,
};

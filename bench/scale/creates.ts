import { listPartition } from '../../functions/contacts/table.ts';
import { seeded } from './random.ts';

export interface Traffic {
  /** Creates a second, on average. */
  readonly rate: number;
  readonly listShards: number;
  readonly seconds: number;
  /** How many of a second come at its beginning and are missing before: as a throttle lets pass once it was idle. */
  readonly burst: number;
  /** The share that is marked as spam. */
  readonly spam: number;
}

const most = 2 ** 32;

/** Each number below 2¹⁶ in four digits: there are millions of ids to make. */
const digits = Array.from({ length: 2 ** 16 }, (_, number) => number.toString(16).padStart(4, '0'));

/** An id whose end is random, as `crypto.randomUUID` gives it. */
const idOf = (random: number) => `7f9b3c0e-6f0a-4b52-9c7c-0a1b${digits[random >>> 16]}${digits[random & 0xffff]}`;

/** Creates of a second: each minute begins with a burst, for which the second before saved up. */
const createsIn = (second: number, { rate, burst }: Traffic) => {
  if (second % 60 === 0) return rate + burst;
  return second % 60 === 59 ? rate - burst : rate;
};

/** How many creates the busiest partition of the list gets in each second, each placed as the service places it. */
export const busiestOf = (traffic: Traffic): number[] => {
  const random = seeded(13);
  return Array.from({ length: traffic.seconds }, (_, second) => {
    const partitions = new Map<string, { creates: number }>();
    for (let count = createsIn(second, traffic); count > 0; count -= 1) {
      const isSpam = traffic.spam > 0 && random() < traffic.spam * most;
      const partition = listPartition(idOf(random()), isSpam, traffic.listShards);
      const found = partitions.get(partition);
      if (found) found.creates += 1;
      else partitions.set(partition, { creates: 1 });
    }
    return Math.max(...[...partitions.values()].map(({ creates }) => creates));
  });
};

import { limits } from './limits.ts';
import { seeded } from './random.ts';

const tries = 2_000;

/**
 * How often no partition of an index gets too much, before DynamoDB has split any: it lays the keys of an index by their
 * hash on as many partitions as take its warm throughput, so some keys share one. That there is a partition for each 1,000
 * write units is read from what a new table takes, and from what one of them does; AWS does not say so.
 * @param writes units a second, of all keys
 */
export const shareOfGoodPlacements = (keys: number, writes: number, warmWrites: number): number => {
  const random = seeded(17);
  const partitions = Math.ceil(warmWrites / limits.partitionWrites);
  const fitting = Math.floor((limits.partitionWrites * keys) / writes);
  let good = 0;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const placed = new Uint16Array(partitions);
    for (let key = 0; key < keys; key += 1) {
      const partition = random() % partitions;
      placed[partition] = (placed[partition] ?? 0) + 1;
    }
    if (Math.max(...placed) <= fitting) good += 1;
  }
  return good / tries;
};

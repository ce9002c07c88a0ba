import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { AddressLimit } from '../template/rate-rules.ts';

/**
 * Counters of each row. Addresses share counters, so the memory stays the same whatever comes, and nothing of an address is kept.
 * An address that shares one of its counters has another; only if all of them are shared, it seems to have sent more.
 * https://en.wikipedia.org/wiki/Count%E2%80%93min_sketch
 */
const width = 2 ** 16;
const rows = 4;

const createCounters = () => {
  const counters = new Uint32Array(rows * width);
  return {
    read: (places: readonly number[]) => Math.min(...places.map((place) => counters[place] ?? 0)),
    add: (places: readonly number[]): void => {
      for (const place of places) counters[place] = (counters[place] ?? 0) + 1;
    },
  };
};

/**
 * Counts the requests of each address in the last seconds: those of the present window, and of the one before as much as the
 * last seconds cover of it.
 */
const createRate = (windowSeconds: number, { now }: Clock) => {
  const length = windowSeconds * 1000;
  let startedAt = now();
  let before = createCounters();
  let present = createCounters();

  const turn = (): number => {
    const time = now();
    // After the clock was set back, too.
    const windows = Math.floor((time - startedAt) / length);
    if (windows !== 0) {
      before = windows === 1 ? present : createCounters();
      present = createCounters();
      startedAt += windows * length;
    }
    return 1 - (time - startedAt) / length;
  };

  /** @returns how many there were, this one included */
  return (places: readonly number[]): number => {
    const share = turn();
    present.add(places);
    return present.read(places) + share * before.read(places);
  };
};

/**
 * The limits of a web ACL.
 * @returns a function that counts a request, and says whether a limit is passed
 */
export const createAddressLimits = (limits: readonly AddressLimit[], clock: Clock) => {
  // Nobody else can find addresses that share their counters.
  const seed = randomBytes(16).toString('hex');
  const counted = limits.map((limit) => ({ limit, count: createRate(limit.windowSeconds, clock) }));
  return (address: string, method: string, path: string): boolean => {
    const digest = hash('sha256', `${seed} ${address}`, 'buffer');
    const places = Array.from({ length: rows }, (_, row) => row * width + digest.readUInt16LE(2 * row));
    let passed = false;
    for (const { limit, count } of counted) {
      if (limit.covers(method, path) && count(places) > limit.requests) passed = true;
    }
    return passed;
  };
};

import { setTimeout } from 'node:timers/promises';

/** Times in milliseconds. */
export interface Patience {
  /** How long to wait. */
  readonly limit: number;
  /** Between two looks. */
  readonly pause: number;
}

/** For a slow machine. */
export const ofThisMachine: Patience = { limit: 30_000, pause: 50 };

/**
 * Looks for something again and again until it is there.
 * @param what it is, for the error
 */
export const until = async <Found>(
  what: string,
  look: () => Promise<Found | undefined> | Found | undefined,
  signal: AbortSignal,
  { limit, pause }: Patience = ofThisMachine,
): Promise<Found> => {
  const deadline = performance.now() + limit;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`In ${limit / 1000} s there was not: ${what}`);
    await setTimeout(pause, undefined, { signal });
  }
};

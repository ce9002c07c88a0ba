import { setTimeout } from 'node:timers/promises';

/** Milliseconds to wait for something on a slow machine. */
const patience = 30_000;

/**
 * Looks for something again and again until it is there.
 * @param what it is, for the error
 */
export const until = async <Found>(
  what: string,
  look: () => Promise<Found | undefined> | Found | undefined,
  signal: AbortSignal,
): Promise<Found> => {
  const deadline = performance.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`In ${patience / 1000} s there was not: ${what}`);
    await setTimeout(50, undefined, { signal });
  }
};

import { setTimeout } from 'node:timers/promises';

/** How long what is told may take on a slow machine, in milliseconds. */
const patience = 30_000;

/**
 * Looks again and again for what is to come.
 * @param what says it, for who reads that it did not come
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

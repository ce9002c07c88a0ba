import { median } from './median.ts';

/**
 * Measures two things in turns, so that what the machine does meanwhile meets both.
 * @param rounds that are counted; one more warms up
 */
export const paired = async (
  rounds: number,
  measure: () => Promise<number>,
  measureOther: () => Promise<number>,
): Promise<{ readonly value: number; readonly ratio: number }> => {
  const pairs: { one: number; other: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { one: await measure(), other: await measureOther() };
    if (round > 0) pairs.push(pair);
  }
  return { value: median(pairs.map(({ one }) => one)), ratio: median(pairs.map(({ one, other }) => one / other)) };
};

import { describe, expect, it } from 'vitest';
import { startForms } from '../../support/contacts.ts';

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

/** Spellings of `email`. */
const emails = times(190, (index) => `e${'-'.repeat(index % 14)}mail${'.'.repeat(index / 14)}`);

/** Milliseconds of CPU for a body; the least of some, since other tests run beside. */
const cpuOf = async (body: unknown): Promise<number> => {
  const { post } = startForms();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round += 1) {
    const before = process.cpuUsage();
    await post(body);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
};

// bench/bodies.ts measures these and others exactly. Without their limits, each of these took from 30 to 900 milliseconds.
describe('a body that an attacker has made expensive is read soon', () => {
  it.for<[string, unknown]>([
    [
      'spellings of `email`, each of which could have its address in another text',
      { ...Object.fromEntries(emails.map((name) => [name, 'no'])), notes: times(4600, (index) => `${index}@`) },
    ],
    ['C1 control characters', { notes: '\u0085'.repeat(32_000) }],
    ['international addresses', { notes: times(4900, (index) => `${index}@\u00e9`) }],
  ])('%s', async ([, body]) => {
    expect(await cpuOf(body)).toBeLessThan(25);
  });
});

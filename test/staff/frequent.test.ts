import { expect, it } from 'vitest';
import { countFrequent } from '../../lib/staff/work/frequent.ts';

it('counts what is frequent exactly in a flood of random texts, in bounded memory', () => {
  const { add, counts } = countFrequent(1000);
  for (let at = 0; at < 500; at += 1) {
    for (let n = 0; n < 49; n += 1) add(`${(at * 50 + n) % 7919}-${at}-${n}`);
    add('topic');
    if (at % 3 === 0) add('budget');
    expect(counts.size).toBeLessThanOrEqual(1000);
  }
  expect([...counts].toSorted(([, one], [, other]) => other - one).slice(0, 2)).toEqual([
    ['topic', 500],
    ['budget', 167],
  ]);
});

it('keeps the order in which the texts came', () => {
  const { add, counts } = countFrequent();
  for (const text of ['b', 'a', 'b']) add(text);
  expect([...counts]).toEqual([
    ['b', 2],
    ['a', 1],
  ]);
});

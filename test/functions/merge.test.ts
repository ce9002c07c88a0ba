import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeSorted } from '../../functions/merge.ts';

const precedes = (one: number, other: number) => one < other;

const iteratorOf = async function* (items: readonly number[]): AsyncGenerator<number, undefined> {
  yield* items;
  return undefined;
};

const collect = async (merged: AsyncIterable<number>) => {
  const items: number[] = [];
  for await (const item of merged) items.push(item);
  return items;
};

it('gives what sorting all would give', async () => {
  const sorted = fc.array(fc.integer({ min: 0, max: 20 })).map((items) => items.toSorted((one, other) => one - other));
  await fc.assert(
    fc.asyncProperty(fc.array(sorted), async (sources) => {
      const merged = await collect(mergeSorted(sources.map(iteratorOf), precedes));
      expect(merged).toStrictEqual(sources.flat().toSorted((one, other) => one - other));
    }),
  );
});

it('follows the order that it is told', async () => {
  const merged = mergeSorted([iteratorOf([5, 3]), iteratorOf([4, 0])], (one, other) => one > other);
  expect(await collect(merged)).toStrictEqual([5, 4, 3, 0]);
});

it('asks a source for an item only when the one before was given out and another is wanted', async () => {
  const asked: string[] = [];
  const source = (name: string, items: readonly number[]): AsyncIterator<number, undefined> => {
    const iterator = iteratorOf(items);
    return {
      next: () => {
        asked.push(name);
        return iterator.next();
      },
    };
  };
  const merged = mergeSorted([source('a', [1, 2, 9]), source('b', [5, 6])], precedes);
  expect((await merged.next()).value).toBe(1);
  expect(asked).toStrictEqual(['a', 'b']);
  expect((await merged.next()).value).toBe(2);
  expect(asked).toStrictEqual(['a', 'b', 'a']);
});

it('fails as its source fails', async () => {
  const failing: AsyncIterator<number, undefined> = { next: () => Promise.reject(new Error('the store is away')) };
  await expect(collect(mergeSorted([iteratorOf([1]), failing], precedes))).rejects.toThrow('the store is away');
});

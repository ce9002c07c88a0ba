import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { alarmsOf, isNearlyFull } from '../../lib/local/alarm-conditions.ts';
import { createWatch } from '../../lib/local/watch.ts';
import { createManualClock } from './host/manual-clock.ts';

const minute = 60_000;

const watching = () => {
  const clock = createManualClock();
  const told: string[] = [];
  let wrong: string | undefined;
  let canTell = true;
  const watch = createWatch({
    conditions: [{ name: 'disk', check: async () => wrong, over: 'over' }],
    tell: async (_, text) => {
      if (!canTell) throw new Error('no mail server');
      told.push(text);
    },
    report: (_, error) => told.push(String(error)),
    clock,
  });
  watch.start();
  return {
    watch,
    told,
    set: (next: { readonly wrong?: string | undefined; readonly canTell?: boolean }) => {
      if ('wrong' in next) wrong = next.wrong;
      canTell = next.canTell ?? canTell;
    },
    /** Lets minutes pass, one by one. */
    pass: async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed += 1) {
        clock.advance(minute);
        await setImmediate();
      }
    },
  };
};

test('tells once when a condition begins, and once when it is over', async () => {
  const { watch, told, set, pass } = watching();
  await pass(1);
  set({ wrong: 'full' });
  await pass(180);
  expect(watch.failing()).toEqual(['disk']);
  set({ wrong: undefined });
  await pass(2);
  expect(watch.failing()).toEqual([]);
  expect(told).toEqual(['full', 'over']);
});

test('tells of a condition that comes and goes at most once an hour', async () => {
  const { told, set, pass } = watching();
  await pass(1);
  for (let round = 0; round < 60; round += 1) {
    set({ wrong: 'full' });
    await pass(1);
    set({ wrong: undefined });
    await pass(1);
  }
  expect(told.filter((text) => text === 'full')).toHaveLength(2);
});

test('tells again each minute until somebody is told', async () => {
  const { told, set, pass } = watching();
  await pass(1);
  set({ wrong: 'full', canTell: false });
  await pass(3);
  set({ canTell: true });
  await pass(3);
  expect(told).toEqual([...Array.from({ length: 3 }, () => 'Error: no mail server'), 'full']);
});

const gigabyte = 1e9;

test.each([
  [2, 100, false],
  [0.9, 100, true],
  [0.9, 5, false],
  [0.4, 5, true],
])('with %s of %s GB free, a disk is nearly full: %s', (free, size, expected) => {
  expect(isNearlyFull({ free: free * gigabyte, size: size * gigabyte })).toBe(expected);
});

test('watches the age of notifications, and those that failed for a day', async () => {
  const clock = createManualClock();
  let state: { oldestAt?: number; deadLetters: number } = { deadLetters: 2 };
  const conditions = await alarmsOf({ undelivered: async () => state }, '.', clock, async () => ({
    free: 50 * gigabyte,
    size: 100 * gigabyte,
  }));
  const wrong = async () => {
    const texts = await Promise.all(conditions.map(async ({ name, check }) => ((await check()) ? [name] : [])));
    return texts.flat();
  };
  expect(await wrong()).toEqual([]);
  state = { oldestAt: clock.now() - 59 * minute, deadLetters: 2 };
  expect(await wrong()).toEqual([]);
  state = { oldestAt: clock.now() - 60 * minute, deadLetters: 3 };
  expect(await wrong()).toEqual(['notifications', 'dead-letters']);
  for (const { told } of conditions) told?.();
  expect(await wrong()).toEqual(['notifications']);
});

import { expect, onTestFinished, test } from 'vitest';
import { createSchedules } from '../../../../lib/local/host/deliver/schedules.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createManualClock } from '../manual-clock.ts';

const day = 86_400_000;

/** Runs a daily schedule with a manual clock. */
const start = async (dataDir = temporaryFolder(), clock = createManualClock()) => {
  const times: unknown[] = [];
  const lines: string[] = [];
  let fails = false;
  const schedules = [{ name: 'Daily', functionArn: 'sweep', intervalMilliseconds: day }];
  const { start, close } = await createSchedules(dataDir, schedules, {
    invoke: async (functionArn, event) => {
      times.push({ functionArn, event, at: clock.now() });
      return fails ? { ok: false, errorMessage: 'on purpose' } : { ok: true, payload: null };
    },
    clock,
    log: (source, line) => void lines.push(`${source}: ${line}`),
  });
  start();
  onTestFinished(close);
  return {
    dataDir,
    clock,
    times,
    lines,
    close,
    fail: (whether: boolean) => {
      fails = whether;
    },
    /** Waits for the next look, and moves the clock by so much. */
    pass: async (milliseconds: number) => {
      await expect.poll(() => clock.timers().length).toBe(1);
      clock.advance(milliseconds);
      await expect.poll(() => clock.timers().length).toBe(1);
    },
  };
};

test('invokes a function a day after the first start, and every day', async () => {
  const { clock, times, pass } = await start();
  await pass(day - 1);
  expect(times).toEqual([]);
  await pass(1);
  expect(times).toEqual([
    {
      functionArn: 'sweep',
      event: { 'detail-type': 'Scheduled Event', source: 'aws.events', time: '2026-03-05T19:15:17.135Z' },
      at: clock.now(),
    },
  ]);
  await pass(day - 1);
  expect(times).toHaveLength(1);
  await pass(1);
  expect(times).toHaveLength(2);
});

test('what became due while the service was stopped runs once at its start', async () => {
  const before = await start();
  await before.pass(day / 2);
  await before.close();
  before.clock.advance(5 * day);
  const { times, pass } = await start(before.dataDir, before.clock);
  await pass(day - 1);
  expect(times).toHaveLength(1);
  await pass(1);
  expect(times).toHaveLength(2);
});

test('runs again soon after a failure, and says why', async () => {
  const { times, lines, pass, fail } = await start();
  fail(true);
  await pass(day);
  expect(lines).toEqual(['schedules: Daily: on purpose']);
  fail(false);
  await pass(10_000);
  expect(times).toHaveLength(2);
  await pass(day - 1);
  expect(times).toHaveLength(2);
});

test('runs within its interval after the clock was set back', async () => {
  const before = await start();
  await before.pass(day);
  await before.close();
  before.clock.advance(-30 * day);
  const { times, pass } = await start(before.dataDir, before.clock);
  await pass(day);
  expect(times).toHaveLength(1);
});

import { afterEach, describe, expect, test, vi } from 'vitest';
import { countIn, dayOf, dayOfInput, inputOfDay, periodsOf, rangeOf } from '../../inbox/periods.js';

const day = dayOfInput;

/** The periods as dates: `2026-03-02/2026-03-08`. */
const written = (from: string, to: string, weekStart?: number) => {
  const { kind, periods } = periodsOf({ first: day(from), last: day(to) }, weekStart);
  return [kind, ...periods.map(({ first, last }) => `${inputOfDay(first)}/${inputOfDay(last)}`)];
};

describe('the days that the chart shows', () => {
  const today = day('2026-03-15');
  test.for([
    ['without dates, the last 31', { from: '', to: '' }, '2026-02-13', '2026-03-15'],
    ['from the first one to today', { from: '2026-03-01', to: '' }, '2026-03-01', '2026-03-15'],
    ['until the last one since the oldest', { from: '', to: '2026-03-01' }, '2025-12-24', '2026-03-01'],
    ['between two', { from: '2026-01-01', to: '2026-01-31' }, '2026-01-01', '2026-01-31'],
    ['none that is still to come', { from: '2026-03-01', to: '9999-12-31' }, '2026-03-01', '2026-03-15'],
    ['at least one', { from: '2999-01-01', to: '' }, '2999-01-01', '2999-01-01'],
    [
      'at least one, if the last is before the first',
      { from: '2026-03-05', to: '2026-03-01' },
      '2026-03-05',
      '2026-03-05',
    ],
  ] as const)('%s', ([, chosen, first, last]) => {
    const range = rangeOf({ ...chosen, today, oldest: day('2025-12-24') });
    expect([range.first, range.last].map(inputOfDay)).toEqual([first, last]);
  });

  test('the newest one, if the clock of the API is ahead', () => {
    const range = rangeOf({ from: '', to: '', today, newest: today + 1 });
    expect(range).toEqual({ first: today - 29, last: today + 1 });
  });

  test('the last one chosen, if nothing is known', () => {
    const last = day('2026-03-01');
    expect(rangeOf({ from: '', to: '2026-03-01', today })).toEqual({ first: last, last });
  });
});

describe('periods', () => {
  test('are days up to 31', () => {
    const [kind, first, ...others] = written('2024-02-28', '2024-03-29');
    expect([kind, first, others[0], others[1], others.length]).toEqual([
      'day',
      '2024-02-28/2024-02-28',
      '2024-02-29/2024-02-29',
      '2024-03-01/2024-03-01',
      30,
    ]);
  });

  test.for([
    ['Monday', 1, ['2026-03-01/2026-03-01', '2026-03-02/2026-03-08'], '2026-03-30/2026-04-01'],
    ['Sunday', 7, ['2026-03-01/2026-03-07', '2026-03-08/2026-03-14'], '2026-03-29/2026-04-01'],
    ['Saturday', 6, ['2026-03-01/2026-03-06', '2026-03-07/2026-03-13'], '2026-03-28/2026-04-01'],
  ] as const)('are weeks beyond, which can begin on %s', ([, weekStart, begin, end]) => {
    const [kind, ...periods] = written('2026-03-01', '2026-04-01', weekStart);
    expect([kind, periods.slice(0, 2), periods.at(-1)]).toEqual(['week', begin, end]);
  });

  test('are months beyond, of any length', () => {
    expect(written('2023-11-15', '2024-07-31')).toEqual([
      'month',
      '2023-11-15/2023-11-30',
      '2023-12-01/2023-12-31',
      '2024-01-01/2024-01-31',
      '2024-02-01/2024-02-29',
      '2024-03-01/2024-03-31',
      '2024-04-01/2024-04-30',
      '2024-05-01/2024-05-31',
      '2024-06-01/2024-06-30',
      '2024-07-01/2024-07-31',
    ]);
  });

  test('are years beyond', () => {
    const [kind, first, second, ...others] = written('2019-12-31', '2026-03-15');
    expect([kind, first, second, others.at(-1)]).toEqual([
      'year',
      '2019-12-31/2019-12-31',
      '2020-01-01/2020-12-31',
      '2026-01-01/2026-03-15',
    ]);
  });

  test('never overlap, leave nothing out, and are few', () => {
    for (const length of [1, 31, 32, 217, 218, 1_830, 1_831, 12_000]) {
      const first = day('2001-02-03');
      const { periods } = periodsOf({ first, last: first + length - 1 });
      expect(periods.length).toBeLessThanOrEqual(62);
      expect([periods[0]?.first, periods.at(-1)?.last]).toEqual([first, first + length - 1]);
      for (const [index, { last }] of periods.slice(0, -1).entries()) expect(periods[index + 1]?.first).toBe(last + 1);
    }
  });
});

describe('counts', () => {
  const { periods } = periodsOf({ first: day('2026-03-01'), last: day('2026-03-03') });

  test.for([
    ['of nothing', [], [0, 0, 0]],
    [
      'in any order, without other days',
      ['2026-03-03', '2026-03-01', '2026-02-28', '2026-03-04', '2026-03-03'],
      [1, 0, 2],
    ],
    ['of many on a day', Array(10_000).fill('2026-03-02'), [0, 10_000, 0]],
  ] as const)('%s', ([, days, counts]) => {
    expect(countIn(periods, days.map(day))).toEqual(counts);
  });
});

describe('a day of the reader', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.for([
    // On 29 March clocks go from 2 to 3, on 25 October from 3 to 2.
    ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00.000Z', '2026-03-30'],
    ['Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00.000Z', '2026-10-26'],
    ['America/Los_Angeles', '2026-01-01T07:59:59.999Z', '2025-12-31'],
    ['Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', '2026-01-01'],
    // Clocks go from 24 to 1 here.
    ['America/Santiago', '2026-09-06T04:00:00.000Z', '2026-09-06'],
  ] as const)('in %s at %s', ([zone, time, expected]) => {
    vi.stubEnv('TZ', zone);
    expect(inputOfDay(dayOf(new Date(time)))).toBe(expected);
  });
});

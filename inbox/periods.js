// The periods of a chart, and what falls into each. A day is a number, the days since 1970-01-01: no clock changes within it.

const dayTime = 86_400_000;

/** The number of a day in the reader's time zone. Days differ in length, so the clock does not tell. */
export const dayOf = (date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayTime;

/** The day that an input of a date holds, such as 2026-01-31. */
export const dayOfInput = (value) => Date.parse(value) / dayTime;

export const inputOfDay = (day) => new Date(day * dayTime).toISOString().slice(0, 10);

/** Midnight of a day in UTC. */
export const dateOfDay = (day) => new Date(day * dayTime);

/** Without dates, a chart shows so many days. */
export const usualDays = 31;

/**
 * The days that a chart shows. Without dates the last 31; without the first one, all since the oldest.
 * @param chosen - `from` and `to`, as inputs have them, the day of `today`, and those of the `newest` and the `oldest` one known
 */
export function rangeOf({ from, to, today, newest = today, oldest = today }) {
  // The clock of the API can be ahead, and nothing comes after today.
  const now = Math.max(today, newest);
  const end = to ? Math.min(dayOfInput(to), now) : now;
  const usual = to ? oldest : now - usualDays + 1;
  const first = from ? dayOfInput(from) : Math.min(usual, end);
  return { first, last: Math.max(first, end) };
}

const utc = (day, change) => {
  const date = dateOfDay(day);
  return Date.UTC(...change(date.getUTCFullYear(), date.getUTCMonth())) / dayTime;
};

/** By how long each is: up to how many days a chart has this kind of period, and the first day of the next one. */
const kinds = [
  { kind: 'day', maxDays: usualDays, next: (day) => day + 1 },
  // Day 0 was a Thursday, the fourth day from Monday on.
  { kind: 'week', maxDays: 31 * 7, next: (day, weekStart) => day + 7 - ((((day + 4 - weekStart) % 7) + 7) % 7) },
  { kind: 'month', maxDays: 5 * 366, next: (day) => utc(day, (year, month) => [year, month + 1]) },
  { kind: 'year', maxDays: Infinity, next: (day) => utc(day, (year) => [year + 1, 0]) },
];

/**
 * The periods from the first to the last day: days, or weeks, months or years if these are many. The first and the last period can
 * be a part of one.
 * @param weekStart - 1 for Monday to 7 for Sunday
 */
export function periodsOf({ first, last }, weekStart = 1) {
  const { kind, next } = kinds.find(({ maxDays }) => last - first < maxDays);
  const periods = [];
  for (let start = first; start <= last; start = next(start, weekStart)) {
    periods.push({ first: start, last: Math.min(next(start, weekStart) - 1, last) });
  }
  return { kind, periods };
}

/** How many of these days each period has. */
export function countIn(periods, days) {
  const perDay = new Map();
  for (const day of days) perDay.set(day, (perDay.get(day) ?? 0) + 1);
  const counts = periods.map(() => 0);
  for (const [day, count] of perDay) {
    const index = periods.findLastIndex(({ first }) => first <= day);
    if (index >= 0 && day <= periods[index].last) counts[index] += count;
  }
  return counts;
}

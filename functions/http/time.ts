import * as v from 'valibot';

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):\d{2}:\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/;

const message = 'Use an RFC 3339 time, such as 2026-01-31T12:00:00Z.';

/**
 * The first millisecond that is not before an RFC 3339 time, as stored times are written; nothing for what is none.
 * Rounding up keeps both `>= since` and `< until` true for times that are finer than a millisecond.
 */
const ceilToMillisecond = (text: string): string | undefined => {
  const [, date, time = '', fraction = '', offset = ''] = rfc3339.exec(text) ?? [];
  if (!date) return undefined;
  // A day that the month does not have rolls over in Date, and a leap second is none there: both are refused.
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
  const instant = Date.parse(`${date}T${time}${offset.toUpperCase()}`) + milliseconds;
  const utc = new Date(instant);
  return Number.isNaN(instant) || utc.getUTCFullYear() > 9999 || utc.getUTCFullYear() < 0
    ? undefined
    : utc.toISOString();
};

/** An RFC 3339 time as a query parameter; parsed to UTC with milliseconds. */
export const rfc3339Time = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const time = ceilToMillisecond(dataset.value);
    if (time !== undefined) return time;
    addIssue({ message });
    return NEVER;
  }),
);

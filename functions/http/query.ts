import * as v from 'valibot';
import { HttpError, type ScriptError } from './errors.ts';

/**
 * RFC 3339, and what clients write for it: an offset without its colon or minutes, no seconds, a comma before their fraction. An
 * unescaped plus sign in a URL arrives as a blank.
 */
const timePattern =
  /^(?<date>\d{4}-\d{2}-\d{2})[T ](?<minute>(?:[01]\d|2[0-3]):\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?(?:Z|(?<sign>[+ -])(?<hours>\d{2})(?::?(?<minutes>\d{2}))?)$/;

// Read as UTC, a local time without its offset would skip hours of contact requests.
const message =
  'Use an RFC 3339 time with its offset from UTC, such as 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00.';

/**
 * Rounds a time up to milliseconds, in the form of stored times; undefined if the text is no such time.
 * Rounding up keeps `>= since` and `< until` exact.
 * @param text in upper case
 */
const ceilToMillisecond = (text: string): string | undefined => {
  const groups = timePattern.exec(text)?.groups;
  if (!groups) return undefined;
  const { date = '', minute, second = '00', fraction = '', sign = '+', hours = '00', minutes = '00' } = groups;
  // Date rolls over days that a month does not have.
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
  const offset = `${sign.replace(' ', '+')}${hours}:${minutes}`;
  const instant = Date.parse(`${date}T${minute}:${second}${offset}`) + milliseconds;
  const utc = new Date(instant);
  return Number.isNaN(instant) || utc.getUTCFullYear() > 9999 || utc.getUTCFullYear() < 0
    ? undefined
    : utc.toISOString();
};

/** A time as a query parameter; parsed to UTC with milliseconds. */
export const rfc3339Time = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const time = ceilToMillisecond(dataset.value.toUpperCase());
    if (time !== undefined) return time;
    addIssue({ message });
    return NEVER;
  }),
);

/** A whole number in decimal digits, within bounds. */
export const wholeNumber = (min: number, max: number) => {
  const message = `Use a whole number from ${min} to ${max}.`;
  return v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,9}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
};

/**
 * Reads the query parameters. One whose schema is `v.optional(v.array(…))` can come several times.
 * @throws {HttpError} 400 that names each unknown, repeated or malformed parameter
 */
export const parseQuery = <const Entries extends v.ObjectEntries>(
  query: ReadonlyMap<string, readonly string[]>,
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> => {
  const errors: ScriptError[] = [];
  const known: Record<string, string | readonly string[] | undefined> = {};
  for (const [name, values] of query) {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (!entry)
      errors.push({
        field: name,
        code: 'unknown_parameter',
        message: 'Unknown parameter: correct its name, or leave it out.',
      });
    else if (v.isOfType('optional', entry) && entry.wrapped.type === 'array') known[name] = values;
    else if (values.length > 1)
      errors.push({ field: name, code: 'repeated_parameter', message: 'Give this parameter once.' });
    else known[name] = values[0];
  }
  const result = v.safeParse(v.object(entries), known);
  if (result.success && errors.length === 0) return result.output;
  const messages = new Map((result.issues ?? []).map(({ path, message }) => [String(path?.[0].key), message]));
  for (const [field, message] of messages) errors.push({ field, code: 'invalid_parameter', message });
  throw new HttpError(400, errors);
};

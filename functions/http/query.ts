import * as v from 'valibot';
import { HttpError } from './errors.ts';
import type { ParameterFault } from './faults.ts';

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
 * Reads the query parameters.
 * @throws {HttpError} 400 that names each parameter that is unknown, repeated or malformed
 */
export const parseQuery = <const Entries extends v.ObjectEntries>(
  query: ReadonlyMap<string, readonly string[]>,
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> => {
  const faults: ParameterFault[] = [];
  const known: Record<string, string | undefined> = {};
  for (const [name, [value, ...more]] of query) {
    if (!Object.hasOwn(entries, name))
      faults.push({ field: name, code: 'unknown_parameter', message: 'This list takes no such parameter.' });
    else if (more.length > 0)
      faults.push({ field: name, code: 'repeated_parameter', message: 'Give this parameter once.' });
    else known[name] = value;
  }
  const result = v.safeParse(v.object(entries), known);
  if (result.success && faults.length === 0) return result.output;
  for (const issue of result.issues ?? [])
    faults.push({ field: String(v.getDotPath(issue)), code: 'invalid_parameter', message: issue.message });
  throw new HttpError(400, faults);
};

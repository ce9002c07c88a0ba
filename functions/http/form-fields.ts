import { badRequest } from './errors.ts';

/** The fields of a body, by name. A value is what was sent, of any type; a repeated form field is a list. */
export type BodyFields = ReadonlyMap<string, unknown>;

/**
 * Bounds how many values a body holds: to read one takes more time than its bytes tell.
 * @throws {HttpError} 400 when there are more than `most`
 */
export const limitValues = (count: number, most = 5000): void => {
  if (count > most) throw badRequest({ field: 'body', code: 'too_many', limit: most });
};

/** Collects the name-value pairs of a form; a repeated name gets the list of its values. */
export const collectFields = (
  pairs: Iterable<readonly [name: string, value: string]>,
): Map<string, string | string[]> => {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const earlier = fields.get(name);
    if (earlier === undefined) fields.set(name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else fields.set(name, [earlier, value]);
  }
  return fields;
};

/** The fields of a body, by name. A value is what was sent, of any type; a repeated form field is a list. */
export type BodyFields = ReadonlyMap<string, unknown>;

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

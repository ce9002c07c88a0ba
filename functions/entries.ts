import * as v from 'valibot';

/**
 * An object's own entries, each value by a schema: a record schema would drop a key such as `__proto__`, which must be seen
 * to be refused or kept.
 */
export const entriesOf = <Value extends v.GenericSchema>(value: Value) =>
  v.pipe(
    v.custom<object>((input) => typeof input === 'object' && input !== null),
    v.transform((object): [string, unknown][] => Object.entries(object)),
    v.array(v.tuple([v.string(), value])),
  );

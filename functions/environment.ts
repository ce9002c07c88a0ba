import * as v from 'valibot';

/** The name of a table, as the infrastructure gives it. */
export const tableName = v.pipe(v.string(), v.minLength(3));

/** The origins of the sites, separated by spaces; empty: none. */
export const originList = v.pipe(
  v.string(),
  v.transform((text) => new Set(text.split(' ').filter(Boolean))),
);

/**
 * Reads the environment variables that a function uses, and only those.
 * @throws {Error} at start, naming each variable that is missing or wrong
 */
export const readEnvironment = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> => {
  const result = v.safeParse(v.object(entries), process.env);
  if (result.success) return result.output;
  const names = result.issues.map((issue) => v.getDotPath(issue));
  throw new Error(`Environment variables missing or wrong: ${names.join(', ')}`);
};

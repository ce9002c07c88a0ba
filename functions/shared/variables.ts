import * as v from 'valibot';

/** What a variable holds that is no text: it stands there as JSON. */
export const jsonVariable = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(v.string(), v.parseJson(), schema);

/** The environment variables for what a function is told: a text as it is, all else as JSON; what is absent, absent. */
export const toVariables = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  );

const refuse = (names: readonly unknown[]): never => {
  throw new Error(`Environment variables missing or wrong: ${[...new Set(names)].join(', ')}`);
};

/**
 * Reads the environment variables that a function uses, and only those.
 * @throws {Error} at start, naming each variable that is missing or wrong
 */
export const readVariables = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> => {
  const result = v.safeParse(v.object(entries), process.env);
  if (result.success) return result.output;
  return refuse(result.issues.map(({ path }) => path?.[0].key));
};

/**
 * Reads the name of a table.
 * @param table its definition, which says in which variable the name stands
 * @throws {Error} at start, naming the variable when it is missing or wrong
 */
export const readTableName = ({ variable }: { readonly variable: string }): string => {
  const result = v.safeParse(v.pipe(v.string(), v.minLength(3)), process.env[variable]);
  if (result.success) return result.output;
  return refuse([variable]);
};

import * as v from 'valibot';

/** An environment variable that holds JSON. */
export const jsonVariable = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(v.string(), v.parseJson(), schema);

/** Values as environment variables: texts as they are, other values as JSON. Undefined ones are left out. */
export const toVariables = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  );

const refuse = (names: readonly unknown[]): never => {
  throw new Error(`Environment variables missing or invalid: ${[...new Set(names)].join(', ')}`);
};

/**
 * Parses environment variables.
 * @throws {Error} naming each variable that is missing or invalid
 */
export const readVariables = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> => {
  const result = v.safeParse(v.object(entries), process.env);
  if (result.success) return result.output;
  return refuse(result.issues.map(({ path }) => path?.[0].key));
};

/**
 * Reads the name of a table from its environment variable.
 * @throws {Error} naming the variable if it is missing or invalid
 */
export const readTableName = ({ variable }: { readonly variable: string }): string => {
  const result = v.safeParse(v.pipe(v.string(), v.minLength(3)), process.env[variable]);
  if (result.success) return result.output;
  return refuse([variable]);
};

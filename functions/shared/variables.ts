import * as v from 'valibot';

/**
 * What a function reads from its environment variables: `retentionDays` from `RETENTION_DAYS`. Texts stand there as they are, all
 * other values as JSON. CloudFormation changes a function's code and variables one after the other, so the new code meets the
 * old variables: a new entry must be optional.
 */
type Schema = v.ObjectSchema<Readonly<Record<string, Entry>>, undefined>;

type Entry = v.GenericSchema | v.OptionalSchema<v.GenericSchema, undefined>;

const variableOf = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

const isText = (entry: Entry): boolean => {
  const { type } = v.isOfType('optional', entry) ? entry.wrapped : entry;
  return type === 'string' || type === 'picklist';
};

/** @returns the text itself if it is no JSON: no schema of JSON accepts it */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const refuse = (names: readonly string[]): never => {
  throw new Error(`Environment variables missing or invalid: ${names.join(', ')}`);
};

/**
 * Reads a function's environment variables.
 * @throws {Error} naming each variable that is missing or invalid
 */
export const readVariables = <const Given extends Schema>(
  schema: Given,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): v.InferOutput<Given> => {
  const values = Object.entries(schema.entries).flatMap(([name, entry]) => {
    const text = variables[variableOf(name)];
    return text === undefined ? [] : [[name, isText(entry) ? text : parseJson(text)]];
  });
  const result = v.safeParse(schema, Object.fromEntries(values));
  if (result.success) return result.output;
  return refuse([...new Set(result.issues.map(({ path }) => variableOf(String(path?.[0].key))))]);
};

/**
 * The environment variables from which `readVariables` reads these values. Values that the schema lacks are left out, and so are
 * defaults.
 */
export const toVariables = <const Given extends Schema>(
  schema: Given,
  values: v.InferInput<Given>,
): Record<string, string> => {
  const parsed: Readonly<Record<string, unknown>> = v.parse(schema, values);
  return Object.fromEntries(
    Object.entries(schema.entries).flatMap(([name, entry]) => {
      const json = JSON.stringify(parsed[name]);
      if (json === JSON.stringify(v.getDefault(entry))) return [];
      return [[variableOf(name), typeof parsed[name] === 'string' ? parsed[name] : json]];
    }),
  );
};

/**
 * Reads the name of a table or bucket from its environment variable.
 * @throws {Error} naming the variable if it is missing or invalid
 */
export const readTableName = ({ variable }: { readonly variable: string }): string => {
  const result = v.safeParse(v.pipe(v.string(), v.minLength(3)), process.env[variable]);
  if (result.success) return result.output;
  return refuse([variable]);
};

import type * as v from 'valibot';
import { rfc3339Time } from '../../functions/http/query.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';

/** A parameter's text as what it stands for: a number, a truth value, a time. */
const meaningOf = (entry: v.GenericSchema): JsonSchema => {
  const { default: text, ...schema } = jsonSchemaOf(entry);
  const isTime = 'wrapped' in entry && entry.wrapped === rfc3339Time;
  const isTruth = schema.enum?.every((value) => value === 'true' || value === 'false') === true;
  const isText = schema.type === 'string' && !isTruth;
  return {
    ...(isTruth ? { type: 'boolean' } : schema),
    ...(isTime && { format: 'date-time' }),
    ...(typeof text === 'string' && { default: isText ? text : JSON.parse(text) }),
  };
};

/** The query parameters that a handler parses, with what is said of each. */
export const queryParameters = <Name extends string>(
  query: Readonly<Record<Name, v.GenericSchema>>,
  described: Readonly<Record<NoInfer<Name>, string>>,
) => {
  const descriptions: Readonly<Record<string, string>> = described;
  return Object.entries<v.GenericSchema>(query).map(([name, entry]) => ({
    name,
    in: 'query' as const,
    description: descriptions[name] ?? '',
    schema: meaningOf(entry),
  }));
};

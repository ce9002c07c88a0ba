import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as v from 'valibot';
import { parse } from 'yaml';

const reference = v.object({ $ref: v.string() });

const parameter = v.object({ name: v.string(), in: v.string(), schema: v.looseObject({}) });

const response = v.object({
  headers: v.optional(v.record(v.string(), reference), {}),
  content: v.optional(v.record(v.string(), v.object({ schema: v.unknown() })), {}),
});

const operation = v.object({
  operationId: v.string(),
  description: v.string(),
  security: v.array(v.unknown()),
  parameters: v.array(v.union([reference, parameter])),
  responses: v.record(v.string(), v.union([reference, response])),
});

const documentSchema = v.object({
  info: v.object({ version: v.string() }),
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.object({
    schemas: v.record(v.string(), v.looseObject({ properties: v.record(v.string(), v.looseObject({})) })),
    parameters: v.record(v.string(), parameter),
    headers: v.record(
      v.string(),
      v.object({ required: v.optional(v.boolean(), false), schema: v.object({ type: v.string() }) }),
    ),
    responses: v.record(v.string(), response),
  }),
});

/** Reads openapi.yaml. @param reviver changes each value, as with `JSON.parse` */
export const readDocument = (reviver = (_: unknown, value: unknown): unknown => value) => {
  const text = readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8');
  const source: unknown = parse(text, reviver);
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });
  ajv.addSchema(v.parse(v.looseObject({}), source), 'openapi');

  /** The errors of a value, without the value. @param path the keys that lead to its schema */
  const errorsOf = (value: unknown, path: readonly string[]): string[] => {
    const pointer = path.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
    if (!validate) throw new Error(`openapi.yaml has nothing at ${path.join(' / ')}`);
    validate(value);
    return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? [];
  };
  return { text, source, document: v.parse(documentSchema, source), errorsOf };
};

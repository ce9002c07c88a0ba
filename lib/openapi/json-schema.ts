import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { faultCodes, faultFromMessage } from '../../functions/http/errors.ts';

export type { JsonSchema };

/** Nothing is valid: `false`, as generators read it that take only objects for schemas, such as oapi-codegen of Go. */
export const nothing = { not: {} } as const satisfies JsonSchema;

/**
 * What a regular expression with classes of Unicode says in the dialect that every reader of JSON Schema has:
 * https://json-schema.org/understanding-json-schema/reference/regular_expressions
 */
const portablePatterns: Readonly<Record<string, string>> = {
  '^\\P{Cc}*$': '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  '^[\\P{Cc}\\n\\r\\t]*$': '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$',
};

type Override = Parameters<NonNullable<ConversionConfig['overrideAction']>>[0];

const message = v.object({ message: v.string() });

/** The code and limit of the rule that an action is, by its message. */
const faultOfRule = (action: unknown) => {
  if (!v.is(message, action)) return undefined;
  const isFault = faultCodes.some((code) => action.message.split(' ')[0] === code);
  return isFault ? faultFromMessage('', action.message) : undefined;
};

/** What JSON Schema has of a rule that is a function of ours. The rest stands in words where the field is described. */
const ofCheck = ({ jsonSchema, valibotAction }: Override): JsonSchema | undefined => {
  const fault = faultOfRule(valibotAction);
  // Both count code points.
  if (fault?.code === 'too_long') return { ...jsonSchema, maxLength: fault.limit ?? 0 };
  if (fault?.code === 'invalid_name') return { ...jsonSchema, minLength: 1, maxLength: fault.limit ?? 0 };
  // What JavaScript reads without a change: all beyond is a whole number.
  if (fault?.code === 'not_text' && jsonSchema.type === 'number')
    return { ...jsonSchema, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  return fault?.code === 'malformed_text' ? jsonSchema : undefined;
};

/** More than blanks, which are trimmed. */
const notBlank = (jsonSchema: JsonSchema): JsonSchema => {
  const pattern = jsonSchema.pattern?.replace(/^\^\[\^(.*)\]\*\$$/, '^[^$1]*[^\\s$1][^$1]*$');
  return { ...jsonSchema, minLength: 1, pattern: pattern ?? '\\S' };
};

const overrideAction = (override: Override): JsonSchema | undefined => {
  const { valibotAction: action, jsonSchema } = override;
  switch (action.type) {
    case 'transform':
      // A parameter's text becomes a number; a text stays one that is cleaned.
      return 'operation' in action && action.operation === Number ? { type: 'integer' } : jsonSchema;
    case 'raw_transform':
    case 'readonly':
      return jsonSchema;
    case 'max_length':
      return faultOfRule(action)?.code === 'too_long' ? ofCheck(override) : undefined;
    case 'regex': {
      if (!('requirement' in action && action.requirement instanceof RegExp)) return undefined;
      const { source, flags } = action.requirement;
      const pattern = flags === '' ? source : portablePatterns[source];
      if (pattern === undefined) throw new Error(`portablePatterns has none for ${source}`);
      // The one that says more stands last, such as the form of a phone number, which is on one line.
      return { ...jsonSchema, pattern };
    }
    case 'non_empty':
      return notBlank(jsonSchema);
    case 'check':
      return ofCheck(override);
    default:
      return undefined;
  }
};

/** A schema of what is sent or answered as JSON Schema 2020-12, which is that of OpenAPI 3.1. */
export const jsonSchemaOf = (schema: v.GenericSchema, config: ConversionConfig = {}): JsonSchema => {
  const { $schema: _, ...converted } = toJsonSchema(schema, { target: 'draft-2020-12', overrideAction, ...config });
  return converted;
};

import * as v from 'valibot';

/** One of these values, or a text that begins so. */
const leafSchema = v.array(
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.strictObject({ prefix: v.string() })]),
);

/** What a pattern says of one property: of its value, or of what is in it. */
export type EventPattern = { readonly [name: string]: EventPattern | v.InferOutput<typeof leafSchema> };

/**
 * A pattern of EventBridge, of lists of values and of `prefix`; any other operator is none.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-event-filtering.html
 */
export const eventPatternSchema: v.GenericSchema<unknown, EventPattern> = v.record(
  v.pipe(v.string(), v.regex(/^[^$]/, 'an operator that is not supported')),
  v.union([leafSchema, v.lazy(() => eventPatternSchema)], 'it has an operator that is not supported'),
);

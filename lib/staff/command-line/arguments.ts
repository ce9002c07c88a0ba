import * as v from 'valibot';
import { rfc3339Time } from '../../../functions/http/time.ts';
import { parseUuid } from '../../../functions/uuid.ts';

/** An argument whose value the usage text shows as told: `<file.csv>`. */
export const shownAs = <const Schema extends v.GenericSchema<string | undefined, unknown>>(
  hint: string,
  schema: Schema,
) => v.pipe(schema, v.description(hint));

/** An option without a value. */
export const flag = v.optional(v.boolean(), false);

/** A UUID; parsed to lower case, as it is stored. */
export const uuid = v.pipe(
  v.string(),
  v.check(
    (text) => parseUuid(text) !== undefined,
    ({ input }) => `"${input}" is no UUID.`,
  ),
  v.transform((text) => text.toLowerCase()),
);

/** An RFC 3339 time that bounds a range; parsed to UTC with milliseconds. */
export const time = shownAs('<time>', v.optional(rfc3339Time));

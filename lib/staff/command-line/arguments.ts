import * as v from 'valibot';
import { rfc3339Time } from '../../../functions/http/query.ts';
import { parseUuid } from '../../../functions/shared/uuid.ts';

/** An argument whose value the usage text shows as told: `<file.csv>`. */
export const shownAs = <const Schema extends v.GenericSchema<string | undefined, unknown>>(
  hint: string,
  schema: Schema,
) => v.pipe(schema, v.description(hint));

/** What the help says of an argument. */
export const meansOf = (schema: v.ObjectEntries[string]): string =>
  v.parse(v.object({ means: v.optional(v.string(), '') }), v.getMetadata(schema)).means;

const offering = v.object({ offers: v.array(v.string()), listed: v.boolean() });

const choice = v.object({ type: v.literal('picklist'), options: v.array(v.string()) });

const wrapper = v.object({ wrapped: v.unknown() });

const picksOf = (schema: unknown): readonly string[] => {
  if (v.is(choice, schema)) return schema.options;
  return v.is(wrapper, schema) ? picksOf(schema.wrapped) : [];
};

/** The values that completion offers for an argument; `listed` when several may stand there between commas. */
export const offersOf = (schema: v.ObjectEntries[string]): { offers: readonly string[]; listed: boolean } => {
  const told = v.safeParse(offering, v.getMetadata(schema));
  return told.success ? told.output : { offers: picksOf(schema), listed: false };
};

/** An argument that the help explains; around the whole of a rule, also around `v.optional`. */
export const explained = <const Schema extends v.GenericSchema<string | boolean | undefined, unknown>>(
  means: string,
  schema: Schema,
) => v.pipe(schema, v.metadata({ means }));

/** An argument that is a list of these, between commas. */
export const listOf = <const Schema extends v.GenericSchema<string | undefined, unknown>>(
  offers: readonly string[],
  schema: Schema,
) => v.pipe(schema, v.metadata({ offers, listed: true }));

/** An option without a value. */
export const flag = v.optional(v.boolean(), false);

/** Whether a program reads the output. */
export const json = explained('Prints JSON, for programs.', flag);

/** A UUID; parsed to lower case, as it is stored. */
export const uuid = explained(
  'Its id, a UUID, as the list shows it.',
  v.pipe(
    v.string(),
    v.check(
      (text) => parseUuid(text) !== undefined,
      ({ input }) => `"${input}" is no UUID.`,
    ),
    v.transform((text) => text.toLowerCase()),
  ),
);

const minute = 60 * 1000;
const units = new Map([
  ['m', minute],
  ['h', 60 * minute],
  ['d', 24 * 60 * minute],
  ['w', 7 * 24 * 60 * minute],
]);
// Five digits of weeks from now are a time of a year of four digits, as times are stored.
const durationPattern = /^([1-9][0-9]{0,4})([mhdw])$/;

/** Whole minutes, hours, days or weeks, as in `90d` or `12h`; parsed to milliseconds. */
export const duration = v.pipe(
  v.string(),
  v.regex(durationPattern, 'Use whole minutes, hours, days or weeks, such as 30m, 12h, 90d or 2w.'),
  v.transform((text) => {
    const [, amount, unit = ''] = durationPattern.exec(text) ?? [];
    return Number(amount) * (units.get(unit) ?? 0);
  }),
);

/** Gives a time, as stored times are written, to who knows what time it is. */
type TimeOf = (now: Date) => string;

const fixed = v.pipe(
  v.string(),
  v.transform((text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)),
  rfc3339Time,
  v.transform(
    (time): TimeOf =>
      () =>
        time,
  ),
);

const ago = v.pipe(
  duration,
  v.transform(
    (milliseconds): TimeOf =>
      (now) =>
        new Date(now.getTime() - milliseconds).toISOString(),
  ),
);

/** What bounds a range: an RFC 3339 time, a date, which begins in UTC, or how long ago. */
export const time = shownAs(
  '<time|date|7d>',
  v.optional(
    v.union(
      [fixed, ago],
      'Use a time such as 2026-01-31T12:00:00Z, a date such as 2026-01-31, or how long ago, such as 7d, 12h or 30m.',
    ),
  ),
);

export const limit = explained(
  'How many at most.',
  shownAs(
    '<number>',
    v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'Use a whole number from 1 on.'), v.transform(Number))),
  ),
);

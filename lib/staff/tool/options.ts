import * as v from 'valibot';
import { dialled } from '../../../functions/contacts/contact.ts';
import { rfc3339Time } from '../../../functions/http/query.ts';
import { cleanText } from '../../../functions/shared/text.ts';
import { parseUuid } from '../../../functions/shared/uuid.ts';

export const flag = v.optional(v.boolean(), false);

/**
 * A UUID; parsed to lower case, as it is stored.
 * @param list the command that shows the ids
 */
export const idIn = (list: string) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => parseUuid(text) !== undefined,
      ({ input }) => `"${input}" is not an id. To see the ids, run "npx --no-install crcs ${list}".`,
    ),
    v.transform((text) => text.toLowerCase()),
  );

/** A name: trimmed, in Unicode's form NFC, on one line. */
const oneLineName = (what: string, maxLength: number) =>
  v.pipe(
    v.string(),
    v.transform(cleanText),
    v.check((name) => name !== '', `A ${what} needs a name.`),
    v.check((name) => [...name].length <= maxLength, `A ${what} name must have at most ${maxLength} characters.`),
    v.check((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), `A ${what} name must be one line of text.`),
  );

export const campaignName = oneLineName('campaign', 200);

export const tokenName = oneLineName('token', 100);

const minute = 60 * 1000;
const units = new Map([
  ['m', minute],
  ['h', 60 * minute],
  ['d', 24 * 60 * minute],
  ['w', 7 * 24 * 60 * minute],
]);
// Stored times have a year of four digits, which five digits of weeks from now still are.
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

/** Turns the environment's time into a time as it is stored. */
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

/** A bound of a range: an RFC 3339 time, a date, which begins in UTC, or how long ago. */
export const time = v.union(
  [fixed, ago],
  'Use a time such as 2026-01-31T12:00:00Z, a date such as 2026-01-31, or an age such as 7d, 12h or 30m.',
);

/** The greatest number of results. */
export const limit = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'Must be a whole number from 1 to 999,999,999.'),
  v.transform(Number),
);

/** Whether a text can be an email address. */
export const isAddress = (text: string): boolean => /^\s*[^\s@]+@[^\s@]+\s*$/.test(text);

/** The digits of a number, without the `(0)` that callers from abroad omit: `+49 (0)170…` is `0049 170…`. */
export const digitsOf = (phone: string) => {
  const digits = dialled(phone)
    .replace(/^(\s*(?:\+|00)[^(]*)\(0\)/, '$1')
    .replaceAll(/\D/g, '');
  // People dial `00` for `+`.
  return digits.startsWith('00') ? digits.slice(2) : digits;
};

/** Whether a text has as many digits as the service requires of a phone number. */
export const isNumber = (text: string): boolean => digitsOf(text).length >= 3;

const orInput = (isValid: (text: string) => boolean, message: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text === '-' || isValid(text), message),
    ),
  );

/** The options that name a person; `-` stands for a line of the standard input. */
export const person = {
  email: orInput(isAddress, 'Must be an email address, or - to read it from standard input.'),
  phone: orInput(isNumber, 'Must be a phone number, or - to read it from standard input.'),
};

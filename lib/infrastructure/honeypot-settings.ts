import * as v from 'valibot';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { list, text } from './setting-kinds.ts';

const honeypotField = v.pipe(
  text,
  v.regex(/^[A-Za-z_][\w-]{0,63}$/, 'must be a letter or "_", then up to 63 letters, digits, "_" or "-"'),
  v.check(
    (value) => !fieldNames.some((field) => field === value),
    ({ input }) => `"${input}" is a field of a contact request, which people fill: choose another name`,
  ),
  v.check(
    (value) => value.toLowerCase() !== 'idempotency-key',
    ({ input }) => `"${input}" is read as the key of a request, which scripts fill: choose another name`,
  ),
);

/** One name, or a list for forms that have another than others: parsed to a list. */
export const honeypotFields = v.lazy((input) =>
  Array.isArray(input)
    ? v.pipe(list(honeypotField), v.minLength(1, 'names none'), v.maxLength(10, 'names more than 10'))
    : v.pipe(
        honeypotField,
        v.transform((name) => [name]),
      ),
);

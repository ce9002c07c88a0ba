import { type Contact, fieldNames } from './contact.ts';

const columns = ['id', 'createdAt', ...fieldNames] as const;

/** Beginnings that make a spreadsheet take a cell for a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const formulaStart = /^[=+\-@\t\r]/;

const toCell = (value = ''): string => {
  const harmless = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

const toRow = (values: readonly (string | undefined)[]) => `${values.map(toCell).join(',')}\r\n`;

/** The header row of contact requests as CSV (RFC 4180), with its line break. */
export const contactCsvHeader: string = toRow(columns);

/**
 * A contact request as a row of CSV (RFC 4180), with its line break; an absent field is an empty cell. A value that
 * begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe before it, so that no spreadsheet runs
 * what a visitor wrote: a phone number `+1 555 0100` reads `'+1 555 0100`.
 */
export const toContactCsvRow = (contact: Contact): string => toRow(columns.map((column) => contact[column]));

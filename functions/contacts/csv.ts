import { stringify } from 'csv-stringify/sync';
import { type Contact, fieldNames } from './contact.ts';

const columns = ['id', 'createdAt', ...fieldNames, 'site', 'releasedAt', 'extra'] as const;

/**
 * Where a spreadsheet that splits at commas, semicolons or tabs can see a cell begin, and in it a formula: blanks and
 * quotes may stand before the formula's first character, which may be a full-width one:
 * escaped, since one such character would make V8 hold the whole bundle in twice the bytes.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStart = /(^|[,;\t\r\n])(["'\p{Zs}]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

const harmless = (value: string): string => value.replaceAll(formulaStart, "$1'$2$3");

/** An object as JSON, which an apostrophe would break; of formulas' characters it has none outside of its texts. */
const harmlessJson = (value: object): string =>
  JSON.stringify(value).replaceAll(
    formulaStart,
    (_, before, blanks, start: string) => `${before}${blanks}\\u${start.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const cellOf = (value: Contact[keyof Contact] = ''): string =>
  typeof value === 'string' ? harmless(value) : harmlessJson(value);

/** A row of RFC 4180; the library by itself quotes a line break only where it is the row's own. */
const toRow = (cells: readonly string[]): string =>
  stringify([[...cells]], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });

/** The header row of contact requests as CSV (RFC 4180), with its line break. */
export const contactCsvHeader: string = toRow(columns);

/**
 * A contact request as a row of CSV (RFC 4180), with its line break; an absent field is an empty cell. An apostrophe
 * stands before each `=`, `+`, `-` or `@` that a spreadsheet could take for the beginning of a formula: at the beginning
 * of a value, and after a comma, semicolon, tab or line break. A phone number `+1 555 0100` reads `'+1 555 0100`. In
 * `extra`, which is JSON, it is escaped instead: `\u003d`.
 */
export const toContactCsvRow = (contact: Contact): string => toRow(columns.map((column) => cellOf(contact[column])));

/** The same row without those apostrophes and escapes: each value as it was sent, for a program. */
export const toRawContactCsvRow = (contact: Contact): string =>
  toRow(
    columns.map((column) => {
      const { [column]: value = '' } = contact;
      return typeof value === 'string' ? value : JSON.stringify(value);
    }),
  );

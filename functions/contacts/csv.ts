import { stringify } from 'csv-stringify/sync';
import { type Contact, fieldNames } from './contact.ts';

const columns = ['id', 'createdAt', ...fieldNames] as const;

/**
 * Where a spreadsheet that splits at commas, semicolons or tabs can see a cell begin, and in it a formula: blanks and
 * quotes may stand before the formula's first character, which may be a full-width one.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStart = /(^|[,;\t\r\n])(?=["'\p{Zs}]*[=+\-@＝＋－＠])/gu;

const harmless = (value = ''): string => value.replaceAll(formulaStart, "$1'");

/** A row of RFC 4180; the library by itself quotes a line break only where it is the row's own. */
const toRow = (cells: readonly string[]): string =>
  stringify([[...cells]], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });

/** The header row of contact requests as CSV (RFC 4180), with its line break. */
export const contactCsvHeader: string = toRow(columns);

/**
 * A contact request as a row of CSV (RFC 4180), with its line break; an absent field is an empty cell. An apostrophe
 * stands before each `=`, `+`, `-` or `@` that a spreadsheet could take for the beginning of a formula: at the beginning
 * of a value, and after a comma, semicolon, tab or line break. A phone number `+1 555 0100` reads `'+1 555 0100`.
 */
export const toContactCsvRow = (contact: Contact): string => toRow(columns.map((column) => harmless(contact[column])));

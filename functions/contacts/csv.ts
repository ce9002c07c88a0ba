import * as v from 'valibot';
import { type Contact, storedContact } from './contact.ts';

const columns = v.keyof(storedContact).options;

/**
 * A formula at the start of a value, or behind a separator at which a spreadsheet may split it. Blanks and quotes may
 * stand before its first character, which may be full-width. These are escaped here, since a single character beyond
 * Latin-1 would make V8 hold the whole bundle in twice the bytes.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStart = /(^|[,;\t\r\n])(["'\p{Zs}]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

const escapeFormulas = (value: string): string => value.replaceAll(formulaStart, "$1'$2$3");

/** JSON with escapes in place of apostrophes, which would break it. Only its texts can hold a formula's characters. */
const escapeJsonFormulas = (value: object): string =>
  JSON.stringify(value).replaceAll(
    formulaStart,
    (_, before, blanks, start: string) => `${before}${blanks}\\u${start.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const cellOf = (value: Contact[keyof Contact] = ''): string =>
  typeof value === 'string' ? escapeFormulas(value) : escapeJsonFormulas(value);

/** A row of RFC 4180: quotes surround a cell that holds a comma, a quote or a line break. */
const toRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;

/** The header row (RFC 4180), with its line break. */
export const contactCsvHeader: string = toRow(columns);

/**
 * A contact request as a CSV row (RFC 4180), with its line break. An absent field is an empty cell. An apostrophe stands
 * before each `=`, `+`, `-` or `@` that could start a formula: `+1 555 0100` becomes `'+1 555 0100`. In `extra`, which is
 * JSON, such a character is escaped: `\u003d`.
 */
export const toContactCsvRow = (contact: Contact): string => toRow(columns.map((column) => cellOf(contact[column])));

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

const cellOf = (value: string | object = ''): string =>
  typeof value === 'string' ? escapeFormulas(value) : escapeJsonFormulas(value);

/** Quotes surround a cell that holds a comma, a quote or a line break. */
const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * A CSV row (RFC 4180), with its line break. An absent value is an empty cell, an object becomes JSON. An apostrophe stands
 * before each `=`, `+`, `-` or `@` that could start a formula: `+1 555 0100` becomes `'+1 555 0100`. In JSON, such a character
 * is escaped: `\u003d`.
 */
export const toCsvRow = (values: readonly (string | object | undefined)[]): string =>
  `${values.map((value) => quoted(cellOf(value))).join(',')}\r\n`;

/** The header row, with its line break. */
export const contactCsvHeader: string = toCsvRow(columns);

/** A contact request as a row. Its extra fields are JSON in one cell. */
export const toContactCsvRow = (contact: Contact): string => toCsvRow(columns.map((column) => contact[column]));

import * as v from 'valibot';
import { contactFiles } from '../files/file.ts';
import { type Contact, storedContact } from './contact.ts';

/** A separator at which a spreadsheet may split a cell, what may stand before a formula, and the first character of one. */
const innerFormula = /([,;\t\r\n])(["'\p{Z}]*)([=+\-@\uff1d\uff0b\uff0d\uff20])/gu;

/** A formula, or an apostrophe: a spreadsheet may take a visitor's for its own, and so may whoever removes ours. */
const formulaOrApostrophe = /^(?:["'\p{Z}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|')/u;

/** Digits as a spreadsheet shows them itself, so people can add them up. Excel shows more than 11 as `1.2E+11`. */
const wholeNumber = /^(?:0|[1-9][0-9]{0,10})$/;

/** An email address or a URL. */
const address = /@|:\/\//;

/**
 * The longest date that LibreOffice reads in any of its 273 locales has 25 letters, in Lithuanian: a weekday, a month and a
 * time of day. Amounts have fewer.
 */
const lettersOfText = 30;

/** True and false, as LibreOffice and Excel read them in the languages of the pages. */
export const booleans: ReadonlySet<string> = new Set(
  (
    'TRUE FALSE WAHR FALSCH VRAI FAUX VERDADERO VERDADEIRO FALSO VERO WAAR ONWAAR SANT FALSKT SAND FALSK SANN USANN ' +
    'TOSI EPÄTOSI PRAWDA FAŁSZ PRAVDA NEPRAVDA IGAZ HAMIS ADEVĂRAT FALS TOČNO NETOČNO TAČNO NETAČNO ТАЧНО НЕТАЧНО ' +
    'TÕENE VÄÄR TEISINGAI NETEISINGAI PATIESS APLAMS DOĞRU YANLIŞ ИСТИНА ЛОЖЬ ІСТИНА БРЕХНЯ ВЯРНО НЕВЯРНО ' +
    'ΣΩΣΤΌ ΛΆΘΟΣ BENAR SALAH ĐÚNG SAI صح خطأ صحيح خاطئ درست نادرست सही गलत จริง เท็จ 참 거짓 真 假'
  ).split(' '),
);

/**
 * Whether a spreadsheet shows a text as it is, in whatever language. It reads formulas, the words for true and false, and
 * what has a digit: numbers, dates, times, amounts, whose words only its own language knows. So a text with a digit is plain
 * only if it has more letters than any of these, or is an address. Such a rule protects `Room 12`, too, but nothing changes.
 */
const isPlain = (text: string): boolean => {
  if (formulaOrApostrophe.test(text)) return false;
  if (!/\p{Nd}/u.test(text)) return !booleans.has(text.trim().toUpperCase());
  return wholeNumber.test(text) || address.test(text) || (text.match(/\p{L}/gu) ?? []).length >= lettersOfText;
};

/** Without formulas behind a separator. The text itself must begin like none. */
export const withoutInnerFormulas = (text: string): string => text.replaceAll(innerFormula, "$1'$2$3");

/**
 * A cell in which every spreadsheet shows this text: an apostrophe stands before it unless it is plain, and before each formula
 * within it, since a spreadsheet may split it there. inbox/csv.js and examples/sync.py have the same rule.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export const textCell = (text: string): string => `${isPlain(text) ? '' : "'"}${withoutInnerFormulas(text)}`;

/** JSON with escapes in place of apostrophes, which would break it. Only its texts can hold a formula's characters. */
const jsonCell = (value: object): string =>
  JSON.stringify(value).replaceAll(
    innerFormula,
    (_, separator, blanks, start: string) =>
      `${separator}${blanks}\\u${start.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The service writes these itself, in a form that no spreadsheet changes. */
const ownColumns: ReadonlySet<string> = new Set(['id', 'createdAt', 'releasedAt']);

/** A field of a contact request as a cell: an absent one is empty, of files only the names, and an object becomes JSON. */
export const fieldCell = (name: string, value: string | object = ''): string => {
  if (v.is(contactFiles, value)) return textCell(value.map((file) => file.name).join('; '));
  if (typeof value !== 'string') return jsonCell(value);
  return ownColumns.has(name) ? value : textCell(value);
};

/** A row of cells (RFC 4180), with its line break. Quotes surround a cell that holds the separator, a quote or a line break. */
export const toCsvRow = (cells: readonly string[], separator = ','): string => {
  const quoted = (cell: string) =>
    cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return `${cells.map(quoted).join(separator)}\r\n`;
};

const columns = v.keyof(storedContact).options;

/** The header row, with its line break. */
export const contactCsvHeader: string = toCsvRow(columns);

/** A contact request as a row. Its extra fields are JSON in one cell. */
export const toContactCsvRow = (contact: Contact): string =>
  toCsvRow(columns.map((column) => fieldCell(column, contact[column])));

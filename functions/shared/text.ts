/**
 * A row of more than thirty combining marks, from its beginning: to look for thirty from each mark would take as long as
 * normalising. U+034F, itself a combining mark, ends such a row. In NFKD, the half-width U+FF9E and U+FF9F are marks, too.
 */
const longRow =
  /[[\p{M}\uff9e\uff9f]--\u034f](?<![[\p{M}\uff9e\uff9f]--\u034f]{2})[[\p{M}\uff9e\uff9f]--\u034f]{30,}/gv;

const breakUp = (row: string) => row.replaceAll(/.{30}(?=.)/gu, '$&\u034f');

/**
 * Trims a text and normalises it: line breaks to LF, characters to NFC. Normalisation is quadratic in the length of a row of
 * combining marks. No language has rows of more than 30, so an invisible U+034F breaks them up, as in Unicode's Stream-Safe
 * Text Process (UAX #15, section 13).
 */
export const cleanText = (value: string): string =>
  value.trim().replaceAll(/\r\n?/g, '\n').replaceAll(longRow, breakUp).normalize('NFC');

/**
 * A text as people compare it: without case and outer blanks. Upper case first, because that makes `SS` of a sharp s. An `İ`, as
 * Turkish has it, becomes an `i` with a second dot, which goes.
 */
export const withoutCase = (text: string): string =>
  text.trim().normalize('NFC').toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').normalize('NFC');

/** Control characters other than line breaks and tabs. */
const control = /[^ -~\n\r\t\u00a0-\uffff]/;

/** What the 32 bytes from 0x80 on mean in windows-1252, as code units. Made when a text needs it, and once for all of them. */
let ofWindows1252: readonly number[] | undefined;

const readWindows1252 = (): readonly number[] => {
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at);
  return [...new TextDecoder('windows-1252').decode(bytes)].map((character) => character.charCodeAt(0));
};

const isControl = (unit: number): boolean => {
  const isLineBreakOrTab = unit === 0x09 || unit === 0x0a || unit === 0x0d;
  return (unit < 0x20 && !isLineBreakOrTab) || (unit >= 0x7f && unit < 0xa0);
};

/**
 * Nobody can see control characters, so nobody can correct them: they go. Line breaks and tabs are left. C1 control characters are
 * what old programs mean as windows-1252: `\u0096` is a dash. A slide of PowerPoint breaks its lines by U+000B, and a page of Word
 * ends in U+000C. A loop over the code units, because a text can have 30,000.
 */
const withoutControls = (text: string): string => {
  if (!control.test(text)) return text;
  ofWindows1252 ??= readWindows1252();
  const lines = text.replaceAll(/[\v\f]/g, '\n');
  const units = new Uint16Array(lines.length);
  let length = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const sent = lines.charCodeAt(at);
    const unit = ofWindows1252[sent - 0x80] ?? sent;
    if (isControl(unit)) continue;
    units[length] = unit;
    length += 1;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
};

/** What stays of a text: no blank, and no control character but those of C1 that mean something in windows-1252. */
const visible = /[!-~]|[^\0-\u009f\s]|[\u0080\u0082-\u008c\u008e\u0091-\u009c\u009e\u009f]/;

/**
 * Blank values and `null` are treated as missing, because HTML forms send every blank input as an empty text. So is `{}`: what
 * scripts make of an empty file input.
 */
export const isBlank = (value: unknown): boolean => {
  if (typeof value === 'string') return !visible.test(value);
  if (typeof value !== 'object') return value === undefined;
  return value === null || (!Array.isArray(value) && Object.keys(value).length === 0);
};

/** An integer that JavaScript cannot hold exactly would be stored as another number. */
export const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** A character can be two UTF-16 code units, so few texts need to be counted. */
const isLonger = (text: string, maxLength: number) => text.length > maxLength && [...text].length > maxLength;

/**
 * Normalising a text shortens it at most by this factor, in UTF-16 code units: NFC joins at most four characters (UAX #15,
 * section 10, maximum expansion factors), and a line break can have two.
 */
const maxShrinking = 8;

/** A value as it is stored, or why it is refused. */
export type Parsed<Value, Reason> = { readonly value: Value } | { readonly error: Reason };

/** Why a rule refuses a text. */
type TextError =
  | { readonly code: 'not_text' }
  /** More than `limit` characters. */
  | { readonly code: 'too_long'; readonly limit: number };

const ruleFor = (maxLength: number, clean: (text: string) => string) => {
  const tooLong = { error: { code: 'too_long', limit: maxLength } } as const;
  return (value: unknown): Parsed<string, TextError> => {
    if (typeof value !== 'string') return { error: { code: 'not_text' } };
    // Normalising a text that cannot fit would take too long.
    if (value.trim().length > maxShrinking * maxLength) return tooLong;
    // A script that cuts a text can leave half of an emoji.
    const text = cleanText(clean(value.toWellFormed()));
    return isLonger(text, maxLength) ? tooLong : { value: text };
  };
};

/** The rule of a text of one line: a line break or a tab becomes a blank. */
export const line = (maxLength: number) =>
  ruleFor(maxLength, (text) => withoutControls(text).replaceAll(/\r\n|[\n\r\t]/g, ' '));

/** The rule of a text whose line breaks and tabs are kept. */
export const multilineText = (maxLength: number) => ruleFor(maxLength, withoutControls);

/** Escapes text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The start of an encoded word, which can hide any character in a header: https://www.rfc-editor.org/rfc/rfc2047#section-2 */
export const encodedWord = '=?';

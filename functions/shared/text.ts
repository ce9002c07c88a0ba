import * as v from 'valibot';
import { issueMessage } from '../http/errors.ts';

/** Thirty combining marks before another one. U+034F, itself a combining mark, ends such a row. */
const thirtyMarks = /(?:(?!\u034f)\p{M}){30}(?=(?!\u034f)\p{M})/gu;

/**
 * Trims a text and normalises it: line breaks to LF, characters to NFC. Normalisation is quadratic in the length of a row of
 * combining marks. No language has rows of more than 30, so an invisible U+034F breaks them up, as in Unicode's Stream-Safe
 * Text Process (UAX #15, section 13).
 */
export const cleanText = (value: string): string =>
  value.trim().replaceAll(/\r\n?/g, '\n').replaceAll(thirtyMarks, '$&\u034f').normalize('NFC');

/** Blank values and `null` are treated as missing, because HTML forms send every blank input as an empty text. */
export const isBlank = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : value === undefined || value === null;

const countCodePoints = (text: string) => [...text].length;

/** Without control characters (Unicode category Cc). */
const singleLine = /^\P{Cc}*$/u;
/** The same, with line breaks and tabs. */
const multipleLines = /^[\P{Cc}\n\r\t]*$/u;

/**
 * Normalising a text shortens it at most by this factor, in UTF-16 code units: NFC joins at most four characters (UAX #15,
 * section 10, maximum expansion factors), and a line break can have two.
 */
const maxShrinking = 8;

/** Refuses a text that cannot fit before normalising it: that would take too long. */
const text = (maxLength: number, pattern: RegExp) => {
  const tooLong = issueMessage('too_long', maxLength);
  return v.pipe(
    v.string(issueMessage('not_text')),
    v.transform((value) => value.trim()),
    v.maxLength(maxShrinking * maxLength, tooLong),
    v.transform(cleanText),
    v.check((value) => value.isWellFormed(), issueMessage('malformed_text')),
    v.check((value) => countCodePoints(value) <= maxLength, tooLong),
    v.regex(pattern, issueMessage('control_character')),
  );
};

/** A text of one line. */
export const line = (maxLength: number) => text(maxLength, singleLine);

/** A text whose line breaks and tabs are kept. */
export const multilineText = (maxLength: number) => text(maxLength, multipleLines);

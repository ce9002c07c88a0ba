import * as v from 'valibot';
import { broken } from '../http/errors.ts';

/** Thirty combining marks that another follows; U+034F, which is one too, ends a row. */
const thirtyMarks = /(?:(?!\u034f)\p{M}){30}(?=(?!\u034f)\p{M})/gu;

/**
 * A text as it is kept: trimmed, its line breaks LF, in Unicode's form NFC. Putting combining marks into their order takes
 * time that grows with the square of their number, so a row of more than 30, which no language has, is broken up by
 * U+034F as Unicode's Stream-Safe Text Process does (UAX #15, section 13): what is seen stays the same.
 */
export const cleanText = (value: string): string =>
  value.trim().replaceAll(/\r\n?/g, '\n').replaceAll(thirtyMarks, '$&\u034f').normalize('NFC');

/** An HTML form sends every blank input as an empty text, so what is blank counts as absent; so does `null`. */
export const isBlank = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : value === undefined || value === null;

const countCodePoints = (text: string) => [...text].length;

/** No control characters (Unicode category Cc): in a line, and in a text of several but for line breaks and tabs. */
const ofOneLine = /^\P{Cc}*$/u;
const ofLines = /^[\P{Cc}\n\r\t]*$/u;

/**
 * No text gets shorter by more than this when it is cleaned, in UTF-16 code units: NFC makes one character of four at
 * most (UAX #15, section 10, and its maximum expansion factors), and a line break of two.
 */
const maxShrinking = 8;

/** What cannot fit is refused before it is looked at any closer: a body is as long as its sender likes. */
const text = (maxLength: number, form: RegExp) => {
  const tooLong = broken('too_long', maxLength);
  return v.pipe(
    v.string(broken('not_text')),
    v.transform((value) => value.trim()),
    v.maxLength(maxShrinking * maxLength, tooLong),
    v.transform(cleanText),
    v.check((value) => value.isWellFormed(), broken('malformed_text')),
    v.check((value) => countCodePoints(value) <= maxLength, tooLong),
    v.regex(form, broken('control_character')),
  );
};

/** A text of one line. */
export const line = (maxLength: number) => text(maxLength, ofOneLine);

/** A text whose line breaks and tabs are kept. */
export const multilineText = (maxLength: number) => text(maxLength, ofLines);

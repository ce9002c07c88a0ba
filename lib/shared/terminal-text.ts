import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean };

/** Adds a colour or bold type for a terminal. */
export type Style = (format: 'bold' | 'red' | 'green' | 'yellow', text: string) => string;

/**
 * Styles texts for a stream, unless NO_COLOR forbids colours or the terminal has none. Files and pipes get none even with
 * FORCE_COLOR, with which `styleText` alone would style them: scripts read what they get.
 */
export const styleFor = (stream: Output): Style =>
  stream.isTTY ? (format, text) => styleText(format, text, { stream }) : (_, text) => text;

/** Characters that could move a terminal's cursor, end its line or change its direction. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** No script needs as many combining marks on one letter. More would paint over other lines. */
const towers = /(\p{M}{8})\p{M}+/gu;

/** Makes a text safe to print on one line of a terminal. */
export const printable = (text: string): string => text.replace(steering, ' ').replace(towers, '$1');

/** JSON on one line that is safe to print on a terminal. It parses to the same value. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** As in `1,000`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** As in `1 token` and `1,000 tokens`. */
export const count = (amount: number, noun: string): string =>
  `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;

/** A text as one word of a shell: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02_02 */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

import stringWidth from 'string-width';

/** What could move a terminal's cursor, end its line or turn its direction. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text on one line that a terminal shows as it is. */
export const printable = (text: string): string => text.replace(steering, ' ');

/** A value as JSON on one line that a terminal shows as it is, and that is read back as it was. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `1,000`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** `1 token`, `1,000 tokens`. */
export const count = (amount: number, noun: string): string =>
  `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;

const graphemes = new Intl.Segmenter();

/** A printable text cut to this many of a terminal's columns. */
export const cut = (text: string, columns: number): string => {
  if (stringWidth(text) <= columns) return text;
  let [kept, room] = ['', columns - 1];
  for (const { segment } of graphemes.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
};

/** A printable text filled up with blanks to this many of a terminal's columns. */
export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - stringWidth(text)));

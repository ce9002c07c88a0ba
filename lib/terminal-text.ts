/** Characters that could move a terminal's cursor, end its line or change its direction. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Makes a text safe to print on one line of a terminal. */
export const printable = (text: string): string => text.replace(steering, ' ');

/** JSON on one line that is safe to print on a terminal. It parses to the same value. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(steering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** `1,000`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** `1 token`, `1,000 tokens`. */
export const count = (amount: number, noun: string): string =>
  `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;

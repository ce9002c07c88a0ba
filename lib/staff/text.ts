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

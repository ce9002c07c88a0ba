/** Thirty combining marks that another follows; U+034F, which is one too, ends a row. */
const thirtyMarks = /(?:(?!\u034f)\p{M}){30}(?=(?!\u034f)\p{M})/gu;

/**
 * A text as it is kept: trimmed, its line breaks LF, in Unicode's form NFC. Putting combining marks into their order takes
 * time that grows with the square of their number, so a row of more than 30, which no language has, is broken up by
 * U+034F as Unicode's Stream-Safe Text Process does (UAX #15, section 13): what is seen stays the same.
 */
export const cleanText = (value: string): string =>
  value.trim().replaceAll(/\r\n?/g, '\n').replaceAll(thirtyMarks, '$&\u034f').normalize('NFC');

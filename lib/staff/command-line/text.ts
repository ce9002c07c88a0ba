/** A text on one line that a terminal shows as it is: nothing in it can move the cursor or turn the direction. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ');

/** The first line of a text, cut where it is longer than this many characters. */
export const shorten = (text: string, length: number): string => {
  const [line = '', ...more] = text.split(/\r\n|\r|\n/);
  const characters = [...line];
  const cut = characters.length > length || more.length > 0;
  return cut ? `${characters.slice(0, length - 1).join('')}…` : line;
};

/** `1,000`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** `1 token`, `1,000 tokens`. */
export const count = (amount: number, noun: string): string =>
  `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;

const widthOf = (text: string) => [...text].length;

/** One line of a table; a cell that is wider than its column moves the others along. */
export const tableLine = (cells: readonly string[], widths: readonly number[]): string => {
  const padded = cells.map((cell, column) => {
    const text = printable(cell);
    return text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)));
  });
  return `${padded.join('  ').trimEnd()}\n`;
};

/** A table whose columns are as wide as they need be. */
export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [header, ...rows];
  const widths = header.map((_, column) =>
    lines.reduce((width, cells) => Math.max(width, widthOf(cells[column] ?? '')), 0),
  );
  return lines.map((cells) => tableLine(cells, widths)).join('');
};

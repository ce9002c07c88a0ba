import stringWidth from 'string-width';

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

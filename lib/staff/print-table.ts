import stringWidth from 'string-width';
import type { CommandIo } from './command.ts';
import { print } from './output.ts';
import { printable } from './text.ts';

type Output = Pick<CommandIo, 'stdout'>;

type Row = readonly string[];

/** The width of the terminal. Infinite if it is unknown, or stdout is no terminal. */
export const widthOf = ({ stdout }: Output): number => (stdout.isTTY && stdout.columns) || Infinity;

const graphemes = new Intl.Segmenter();

/** Cuts a text to a number of a terminal's columns. */
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

const pad = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - stringWidth(text)));

/** Prints a table page by page. The first page sets the widths of the columns. Lines end at the edge of a terminal. */
export const printTable = (
  output: Output,
  heads: Row,
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
): Promise<void> => {
  let widths: readonly number[] | undefined;
  const lineOf = (cells: Row) =>
    cut(
      cells
        .map((cell, at) => pad(cell, widths?.[at] ?? 0))
        .join('  ')
        .trimEnd(),
      widthOf(output),
    );
  const headOf = (rows: readonly Row[]) => {
    widths = heads.map((_, at) => Math.max(...[heads, ...rows].map((cells) => stringWidth(cells[at] ?? ''))));
    return `${lineOf(heads)}\n`;
  };
  const lines = async function* () {
    for await (const page of pages) {
      if (page.length === 0) continue;
      const rows = page.map((cells) => cells.map(printable));
      if (!widths) yield headOf(rows);
      yield rows.map((cells) => `${lineOf(cells)}\n`).join('');
    }
    if (!widths) yield headOf([]);
  };
  return print(output, lines());
};

/** A label and its value, which may have several lines. */
export type Entry = readonly [label: string, value: string];

/** Labels and values below each other. */
export const block = (entries: readonly Entry[], indent = ''): string => {
  // A longer label moves only its own value.
  const width = Math.min(24, Math.max(0, ...entries.map(([label]) => stringWidth(printable(label)))));
  const lines = entries.flatMap(([label, value]) =>
    value
      .split('\n')
      .map((line, at) => `${pad(at === 0 ? printable(label) : '', width)}  ${printable(line)}`.trimEnd()),
  );
  return lines.map((line) => `${indent}${line}\n`).join('');
};

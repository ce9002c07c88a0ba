import stringWidth from 'string-width';
import { printable } from '../terminal-text.ts';
import type { Pages } from './write-each.ts';

type Row = readonly string[];

/** A table for people. Its rows come page by page, so that memory holds one page. */
export interface TextTable {
  readonly heads: Row;
  readonly rows: Pages<Row>;
}

const graphemes = new Intl.Segmenter();

/** Cuts a text to a number of a terminal's columns. */
export const cut = (text: string, columns: number): string => {
  if (stringWidth(text) <= columns) return text;
  let kept = '';
  let room = columns - 1;
  for (const { segment } of graphemes.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
};

const pad = (text: string, columns: number) => text + ' '.repeat(Math.max(0, columns - stringWidth(text)));

/**
 * The lines of a table, page by page. The first page sets the widths of the columns.
 * @param columns where lines end
 */
export async function* tableText({ heads, rows }: TextTable, columns: number): AsyncGenerator<string> {
  let widths: readonly number[] | undefined;
  const lineOf = (cells: Row) => {
    const padded = cells.map((cell, at) => pad(cell, widths?.[at] ?? 0));
    return `${cut(padded.join('  ').trimEnd(), columns)}\n`;
  };
  const headOf = (first: readonly Row[]) => {
    widths = heads.map((_, at) => Math.max(...[heads, ...first].map((cells) => stringWidth(cells[at] ?? ''))));
    return lineOf(heads);
  };
  for await (const page of rows) {
    if (page.length === 0) continue;
    const printed = page.map((cells) => cells.map(printable));
    if (!widths) yield headOf(printed);
    yield printed.map(lineOf).join('');
  }
  if (!widths) yield headOf([]);
}

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

import stringWidth from 'string-width';
import { printable } from '../../shared/terminal-text.ts';
import type { CommandIo } from './command-io.ts';
import type { Pages } from './write-each.ts';

/** The cells of one line. */
type Line = readonly string[];

/** The cells of a row; a cell can have several lines. */
type Row = readonly (string | readonly string[])[];

/** A table for people. Its rows come page by page, so that memory holds one page. */
export interface TextTable {
  readonly heads: Line;
  readonly rows: Pages<Row>;
  /** Whether lines can be longer than the terminal is wide. @defaultValue false */
  readonly isWide?: boolean;
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

const linesOf = (row: Row): Line[] => {
  const cells = row.map((cell) => [cell].flat());
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) => cells.map((lines) => printable(lines[at] ?? '')));
};

/**
 * The lines of a table, page by page. The first page sets the widths of the columns. On a terminal, lines end at its width,
 * unless the table is wide, and a table without rows has no head: a sentence says that there is nothing.
 */
export async function* tableText(
  { heads, rows, isWide = false }: TextTable,
  { columns, isTerminal, style }: Pick<CommandIo, 'columns' | 'isTerminal' | 'style'>,
): AsyncGenerator<string> {
  let widths: readonly number[] | undefined;
  const textOf = (cells: Line) => {
    const padded = cells.map((cell, at) => pad(cell, widths?.[at] ?? 0));
    return cut(padded.join('  ').trimEnd(), isWide ? Infinity : columns);
  };
  const headOf = (first: readonly Line[]) => {
    widths = heads.map((_, at) => Math.max(...[heads, ...first].map((cells) => stringWidth(cells[at] ?? ''))));
    return `${style('bold', textOf(heads))}\n`;
  };
  for await (const page of rows) {
    if (page.length === 0) continue;
    const lines = page.flatMap(linesOf);
    if (!widths) yield headOf(lines);
    yield lines.map((cells) => `${textOf(cells)}\n`).join('');
  }
  if (!widths && !isTerminal) yield headOf([]);
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

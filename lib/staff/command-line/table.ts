import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Surroundings } from '../context.ts';
import { print } from './output.ts';
import { printable } from './text.ts';
import { cut, pad } from './width.ts';

export interface Column {
  readonly head: string;
  /** Whether its cells may be cut where a terminal is too narrow for them. @defaultValue false */
  readonly shrinks?: boolean;
}

type Row = readonly string[];

const gap = '  ';

/** As narrow as a column becomes that shrinks. */
const leastWidth = 8;

const widthsOf = (columns: readonly Column[], rows: readonly Row[]): number[] =>
  columns.map(({ head }, at) =>
    rows.reduce((width, cells) => Math.max(width, stringWidth(cells[at] ?? '')), head.length),
  );

/** Widths with which a line fits into the room, as far as columns shrink: the widest does first. */
const narrow = (columns: readonly Column[], widths: readonly number[], room: number): number[] => {
  const fitted = widths.map((width) => Math.min(width, room));
  let excess = fitted.reduce((sum, width) => sum + width, gap.length * (fitted.length - 1)) - room;
  for (; excess > 0; excess -= 1) {
    let widest: number | undefined;
    for (const [at, width] of fitted.entries()) {
      if (columns[at]?.shrinks && width > (fitted[widest ?? -1] ?? leastWidth)) widest = at;
    }
    if (widest === undefined) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
};

/**
 * Prints a table, a page of rows at a time; its columns are as wide as the first page that has rows needs them. On a
 * terminal the head is bold and no line is wider than the terminal; elsewhere nothing is cut.
 */
export const printTable = (
  { stdout }: Pick<Surroundings, 'stdout'>,
  columns: readonly Column[],
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
): Promise<void> => {
  // Of a terminal that does not know its width, there are 0 columns.
  const room = (stdout.isTTY && stdout.columns) || Infinity;

  const lineOf = (cells: Row, widths: readonly number[]) => {
    const placed = cells.map((cell, at) => {
      const width = widths[at] ?? 0;
      return pad(room < Infinity ? cut(cell, width) : cell, width);
    });
    return cut(placed.join(gap).trimEnd(), room);
  };

  const lines = async function* () {
    let widths: readonly number[] | undefined;
    const begin = (rows: readonly Row[]) => {
      widths = narrow(columns, widthsOf(columns, rows), room);
      const head = lineOf(
        columns.map(({ head }) => head),
        widths,
      );
      return `${styleText('bold', head, { stream: stdout })}\n`;
    };
    for await (const page of pages) {
      if (page.length === 0) continue;
      const rows = page.map((cells) => cells.map(printable));
      if (!widths) yield begin(rows);
      yield rows.map((cells) => `${lineOf(cells, widths ?? [])}\n`).join('');
    }
    if (!widths) yield begin([]);
  };
  return print({ stdout }, lines());
};

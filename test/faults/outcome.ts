import { AssertionError } from 'node:assert/strict';

/** What became of one trial. */
export interface Outcome {
  readonly row: string;
  /** `''` where a row has one cell. */
  readonly column: string;
  /** What was seen, in a word or two. */
  readonly says: string;
  readonly milliseconds: number;
  /** What was not as it must be. */
  readonly wrong?: string | undefined;
}

/** What an error says, on a line. */
export const firstLine = (error: unknown): string => {
  if (error instanceof AssertionError && error.generatedMessage) {
    return `${JSON.stringify(error.actual)} where ${JSON.stringify(error.expected)} was expected`;
  }
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
};

const cell = ({ says, milliseconds, wrong }: Outcome) =>
  `${says}${milliseconds >= 1000 ? ` ${(milliseconds / 1000).toFixed(1)} s` : ''}${wrong === undefined ? '' : ' BAD'}`;

/** A table of the outcomes: a line for each row, a column for each function. */
export const table = (outcomes: readonly Outcome[]): string => {
  const columns = [...new Set(outcomes.map(({ column }) => column))];
  const rows = [...new Set(outcomes.map(({ row }) => row))];
  const cells = rows.map((row) => [
    row,
    ...columns.map((column) => {
      const outcome = outcomes.find((candidate) => candidate.row === row && candidate.column === column);
      return outcome ? cell(outcome) : '';
    }),
  ]);
  const all = [['', ...columns], ...cells];
  const widths = all[0]?.map((_, index) => Math.max(...all.map((line) => line[index]?.length ?? 0))) ?? [];
  return all
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

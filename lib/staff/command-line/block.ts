import stringWidth from 'string-width';
import { printable } from './text.ts';
import { pad } from './width.ts';

/** A labelled value, of several lines where it has them. */
export type Entry = readonly [label: string, value: string];

/** No wider than this does a label move the values along. */
const widestLabel = 24;

/** Labelled values below each other. */
export const block = (entries: readonly Entry[], indent = ''): string => {
  const width = Math.min(widestLabel, Math.max(0, ...entries.map(([label]) => stringWidth(printable(label)))));
  const lines = entries.flatMap(([label, value]) =>
    value
      .split('\n')
      .map((line, at) => `${pad(at === 0 ? printable(label) : '', width)}  ${printable(line)}`.trimEnd()),
  );
  return lines.map((line) => `${indent}${line}\n`).join('');
};

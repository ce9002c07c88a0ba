import { type Caption, fillClass, type Picture, picture, px, text, top, width, widthOf } from './picture.ts';

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Stands out among the others. */
  readonly isOurs?: boolean;
}

export interface BarChart extends Caption {
  readonly bars: readonly Bar[];
  /** A value as its bar says it. */
  readonly format: (value: number) => string;
}

const rowHeight = 30;

/** Bars side by side, in the order given: each with its label before it and its value behind it. */
export const barChart = ({ bars, format, ...caption }: BarChart): Picture => {
  const left = 32 + Math.max(...bars.map(({ label }) => widthOf(label)));
  const right = width - 32 - Math.max(...bars.map(({ value }) => widthOf(format(value))));
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.map(({ label, value, isOurs = false }, index) => {
    const y = top + index * rowHeight;
    const length = ((right - left) * value) / most;
    const weight = isOurs ? 'class="bold"' : '';
    return [
      text(left - 10, y + 15, label, `text-anchor="end"${weight && ` ${weight}`}`),
      `<rect class="${isOurs ? fillClass(0) : 'plain'}" x="${px(left)}" y="${px(y)}" width="${px(length)}" height="21" rx="2"/>`,
      text(left + length + 8, y + 15, format(value), weight),
    ].join('');
  });
  return picture(caption, top + bars.length * rowHeight + 10, rows);
};

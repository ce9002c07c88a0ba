/** How an axis maps values to places. */
export interface Axis {
  /** What it counts, with its unit. */
  readonly title: string;
  /** Whether each step multiplies. @defaultValue each step adds */
  readonly isLog?: boolean;
  /** The values it names. @defaultValue some round ones from 0 on */
  readonly ticks?: readonly number[];
  /** A value as the axis says it. @defaultValue 1,234.5 */
  readonly format?: (value: number) => string;
}

/** Round values from 0 to the first that is not below the most: four to eight of them. */
const roundTicks = (most: number): number[] => {
  const tenth = 10 ** Math.floor(Math.log10(most));
  const step = ([0.2, 0.5, 1, 2].find((part) => most / (part * tenth) <= 7) ?? 2) * tenth;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, n) => n * step);
};

export const numeral = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

/**
 * An axis from one place to another.
 * @param values all that it has to show
 */
export const placed = (
  { isLog = false, ticks, format = numeral }: Axis,
  values: readonly number[],
  from: number,
  to: number,
) => {
  const named = ticks ?? roundTicks(Math.max(...values));
  const scale = isLog ? Math.log : (value: number) => value;
  const shown = [...values, ...named].map(scale);
  const [first, last] = [Math.min(...shown), Math.max(...shown)];
  const place = (value: number) => from + ((scale(value) - first) / (last - first)) * (to - from);
  return { place, ticks: named.map((value) => ({ at: place(value), label: format(value) })) };
};

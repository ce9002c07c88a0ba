import * as v from 'valibot';

const units = [
  'count',
  'CPU ms',
  'dollars',
  'instructions',
  'items',
  'KB',
  'MB',
  'MiB',
  'ms',
  'requests/s',
  'share',
] as const;

/** One figure of the benchmarks. */
export const measurement = v.object({
  name: v.string(),
  value: v.number(),
  unit: v.picklist(units),
  /** The same done in the least way, in turns with it: how many times that figure this one is. */
  beside: v.optional(v.object({ what: v.string(), ratio: v.number() })),
  /** What the ratio has to be, or the figure, in its unit, where there is no ratio. */
  target: v.optional(v.object({ bound: v.picklist(['≤', '≥']), value: v.number() })),
});

export type Measurement = v.InferOutput<typeof measurement>;

const amount = (value: number, digits: number) => value.toLocaleString('en', { maximumFractionDigits: digits });

const texts: Readonly<Record<(typeof units)[number], (value: number) => string>> = {
  'CPU ms': (value) => `${amount(value, 2)} ms of CPU`,
  count: (value) => amount(value, 0),
  dollars: (value) => `$${value < 100 ? value.toFixed(2) : amount(value, 0)}`,
  instructions: (value) => `${amount(value / 1e6, 0)} million instructions`,
  items: (value) => `${amount(value, 1)} items`,
  KB: (value) => `${amount(value / 1000, 0)} KB`,
  MB: (value) => `${amount(value, 0)} MB`,
  MiB: (value) => `${amount(value, 0)} MiB`,
  ms: (value) => (value < 1000 ? `${amount(value, value < 100 ? 1 : 0)} ms` : `${amount(value / 1000, 1)} s`),
  'requests/s': (value) => `${amount(value, 0)} a second`,
  share: (value) => `${amount(100 * value, 1)} %`,
};

/** A figure as people read it. */
export const figure = ({ value, unit }: Measurement): string => texts[unit](value);

/** Whether a figure has a target that it does not reach. */
export const isMissed = ({ value, beside, target }: Measurement): boolean => {
  const reached = beside?.ratio ?? value;
  return target !== undefined && (target.bound === '≤' ? reached > target.value : reached < target.value);
};

/** A target as people read it, and whether it is met; nothing where there is none. */
export const verdict = (measured: Measurement): string => {
  const { unit, beside, target } = measured;
  if (!target) return '';
  const text = beside ? times(target.value) : texts[unit](target.value);
  return `${target.bound} ${text}: ${isMissed(measured) ? 'missed' : 'met'}`;
};

/** A ratio as people read it. */
export const times = (ratio: number): string => `× ${ratio.toFixed(2)}`;

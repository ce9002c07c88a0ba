import * as v from 'valibot';

/** One figure of the benchmarks. */
export const measurement = v.object({
  name: v.string(),
  value: v.number(),
  unit: v.picklist(['CPU ms', 'items', 'ms', 'ratio', 'requests/s']),
});

export type Measurement = v.InferOutput<typeof measurement>;

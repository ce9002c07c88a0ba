import type { Measurement } from './measurement.ts';

/** One part of the benchmarks. */
export interface Part {
  /** Its heading on the page. */
  readonly title: string;
  /** What is measured there, and what the figures tell. */
  readonly tells: string;
  readonly measure: () => Promise<Measurement[]>;
}

import type { Measurement } from './measurement.ts';
import type { Picture } from './plot/picture.ts';

/** One part of the benchmarks. */
export interface Part {
  /** Its heading on the page. */
  readonly title: string;
  /** What is measured there, and what the figures tell. */
  readonly tells: string;
  /** @param show adds a picture, above the table (`plot/`) */
  readonly measure: (show: (picture: Picture) => void) => Promise<Measurement[]>;
}

import { measureBodies } from './bodies.ts';
import type { Measurement } from './measurement.ts';
import { measurePageReads } from './page-reads.ts';
import { measureStart } from './start.ts';
import { measureSynthesis } from './synthesis.ts';
import { measureThroughput } from './throughput.ts';

/** What the benchmarks measure, by name. */
export const parts: Readonly<Record<string, () => Promise<Measurement[]>>> = {
  start: measureStart,
  throughput: measureThroughput,
  bodies: measureBodies,
  pages: measurePageReads,
  synthesis: measureSynthesis,
};

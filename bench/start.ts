import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLocalService } from './local-service.ts';
import type { Measurement } from './measurement.ts';
import { median } from './median.ts';
import type { Part } from './part.ts';

const rounds = 5;

/** Milliseconds from the start of the process to its first answer. */
const timeStart = (dataDir: string): Promise<number> => {
  const started = performance.now();
  return withLocalService(dataDir, async ({ baseUrl, staffToken }) => {
    await fetch(`${baseUrl}/v1/campaigns`, { headers: { Authentication: staffToken } });
    return performance.now() - started;
  });
};

const measureStart = async (): Promise<Measurement[]> => {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    first.push(await timeStart(dataDir));
    later.push(await timeStart(dataDir));
    await rm(dataDir, { recursive: true });
  }
  return [
    { name: 'First start of the local service', value: median(first), unit: 'ms' },
    { name: 'Later start of the local service', value: median(later), unit: 'ms' },
  ];
};

export const start: Part = {
  title: 'Start',
  tells:
    "From the start of `npm start`'s process to the first answer that a script gets: synthesis, bundles, the embedded store, the functions. The first start has an empty data folder, a later one what an earlier one left in it.",
  measure: measureStart,
};

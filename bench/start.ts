import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../lib/local/host/listen.ts';
import { type LocalService, withLocalService } from './local-service.ts';
import type { Measurement } from './measurement.ts';
import { median } from './median.ts';
import type { Part } from './part.ts';

const rounds = 5;

/** A port for the example site, the same at each start, as it is where nobody chooses another: the API has to know it. */
const choosePort = async (): Promise<string> => {
  const { port, stop } = await listen(createServer(), 0, '127.0.0.1');
  await stop();
  return String(port);
};

/** Milliseconds from the start of the process to its first answer. */
const timeStart = (folder: string, SITE_PORT: string): Promise<number> => {
  const started = performance.now();
  const use = async ({ baseUrl, staffToken }: LocalService) => {
    await fetch(`${baseUrl}/v1/campaigns`, { headers: { Authentication: staffToken } });
    return performance.now() - started;
  };
  // Beside the packages of this clone there is what earlier starts have compiled.
  const settings = { SITE_PORT, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  return withLocalService(join(folder, 'data'), use, settings);
};

const measureStart = async (): Promise<Measurement[]> => {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
    const port = await choosePort();
    first.push(await timeStart(folder, port));
    later.push(await timeStart(folder, port));
    await rm(folder, { recursive: true });
  }
  return [
    { name: 'First start of the local service', value: median(first), unit: 'ms', target: { bound: '≤', value: 1500 } },
    { name: 'Later start of the local service', value: median(later), unit: 'ms', target: { bound: '≤', value: 1000 } },
  ];
};

export const start: Part = {
  title: 'Start',
  tells:
    "From the start of `npm start`'s process to the first answer that a script gets: synthesis, bundles, the embedded store, the functions. The first start is that of a new clone; a later one has what an earlier one left, and no source has changed since.",
  measure: measureStart,
};

import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startHost } from '../../../../lib/local/host/host.ts';
import type { Assembly } from '../../../../lib/local/host/template/template.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { api, writeStack } from '../test-host.ts';
import { openStack } from '../test-tables.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data');
});

const start = (synthesize: () => Promise<Assembly>) => startHost({ dataDir, synthesize, port: 0, log: () => {} });

const synthesizeNothing = () => Promise.reject(new Error('Must not synthesize into a data directory in use'));

test('locks a data directory before the synthesis, and names the process that uses it', async () => {
  const synthesizing = Promise.withResolvers<void>();
  const synthesized = Promise.withResolvers<Assembly>();
  const starting = start(() => {
    synthesizing.resolve();
    return synthesized.promise;
  });
  await synthesizing.promise;
  await expect(start(synthesizeNothing)).rejects.toThrow('is in use by another process: ');
  synthesized.resolve(writeStack(temporaryFolder(), api));
  const host = await starting;
  await expect(start(synthesizeNothing)).rejects.toThrow(
    `The data directory ${dataDir} is in use by process ${process.pid}: wait until that process has ended, or choose another directory (DATA_DIR)`,
  );
  await host.close();
});

test('gives the lock to only one of several simultaneous starts', async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 4 }, () => openStack(dataDir, writeStack(temporaryFolder(), api))),
  );
  const stores = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const reasons = all.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []));
  expect(stores).toHaveLength(1);
  expect(reasons).toEqual(Array(3).fill(expect.stringContaining(' is in use by another process: ')));
  await stores[0]?.close();
});

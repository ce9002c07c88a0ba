import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../../lib/local/host/host.ts';
import { findRunningService } from '../../../lib/local/host/service-access.ts';
import { synthesizeTables, testFolder } from './test-tables.ts';

const serveTables = async (dataDir: string) => {
  const assembly = synthesizeTables(testFolder());
  const host = await startHost({ dataDir, synthesize: async () => assembly, port: 0, log: () => {} });
  onTestFinished(host.close);
  return host;
};

test('where no service runs, none is found', async () => {
  expect(await findRunningService(testFolder())).toBeUndefined();
});

test("a service that runs has its stack's outputs; without other services than the store's it announces none", async () => {
  const dataDir = join(testFolder(), 'data');
  const { outputs } = await serveTables(dataDir);
  expect(outputs).toHaveProperty('ThingsTable');
  expect(await findRunningService(dataDir)).toEqual({ outputs });
});

test('what an earlier version has announced still reads', async () => {
  const dataDir = join(testFolder(), 'data');
  await serveTables(dataDir);
  const file = join(dataDir, 'store.json');
  const { outputs: _, services: __, ...earlier } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(earlier));
  expect(await findRunningService(dataDir)).toEqual({ outputs: {} });
});

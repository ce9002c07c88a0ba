import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findAnnouncedStore } from '../../../../lib/local/host/dynamodb/announcement.ts';
import { startHost } from '../../../../lib/local/host/host.ts';
import { synthesizeTables, testFolder } from '../test-tables.ts';

const serveTables = async (dataDir: string) => {
  const assembly = synthesizeTables(testFolder());
  const host = await startHost({ dataDir, synthesize: async () => assembly, port: 0, log: () => {} });
  onTestFinished(host.close);
  return host;
};

test('where no service runs, none is found', async () => {
  expect(await findAnnouncedStore(testFolder())).toBeUndefined();
});

test("a service announces its stack's outputs, and no other services than the store's where there are none", async () => {
  const dataDir = join(testFolder(), 'data');
  const { outputs, store } = await serveTables(dataDir);
  expect(outputs).toHaveProperty('ThingsTable');
  const announced = await findAnnouncedStore(dataDir);
  expect(announced).toMatchObject({ ...store, outputs });
  expect(announced).not.toHaveProperty('services');
});

test('what an earlier version has announced still reads', async () => {
  const dataDir = join(testFolder(), 'data');
  const { store } = await serveTables(dataDir);
  const file = join(dataDir, 'store.json');
  const { outputs: _, services: __, ...earlier } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(earlier));
  expect(await findAnnouncedStore(dataDir)).toMatchObject({ ...store, outputs: {} });
});

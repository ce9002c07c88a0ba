import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessStore } from '../../../lib/local/host/store-access.ts';
import { testOnPosix } from '../../support/posix.ts';
import { startProcess } from './test-process.ts';
import { get, put, synthesizeTables, testFolder } from './test-tables.ts';

testOnPosix('while a service runs, other processes find its store', async () => {
  const folder = testFolder();
  const dataDir = join(folder, 'data');
  const { child, store: served } = await startProcess(dataDir, synthesizeTables(folder));
  const announcement = join(dataDir, 'store.json');
  expect(JSON.parse(readFileSync(announcement, 'utf8'))).toEqual({
    ...served,
    pid: child.pid,
    tables: { ThingsTable: expect.stringMatching(/^local-Things/), NamedTable: 'named' },
  });

  const synthesizeNothing = () => Promise.reject(new Error('The running service has the tables'));
  const store = await accessStore({ dataDir, synthesize: synthesizeNothing });
  expect(store).toMatchObject(served);
  await put(store, store.tables['ThingsTable'], '1');
  await store.close();
  expect(await get(served, store.tables['ThingsTable'], '1')).toMatchObject({ id: '1' });

  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(existsSync(announcement)).toBe(false);
});

test('what cannot be synthesized leaves the data directory free', async () => {
  const folder = testFolder();
  const access = (synthesize: () => Promise<ReturnType<typeof synthesizeTables>>) =>
    accessStore({ dataDir: join(folder, 'data'), synthesize });
  await expect(access(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await (await access(async () => synthesizeTables(folder))).close();
});

import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startHost } from '../../../lib/local/host/host.ts';
import { accessStore, type StoreAccess } from '../../../lib/local/host/store-access.ts';
import { testOnPosix } from '../../support/posix.ts';
import { startProcess } from './test-process.ts';
import { get, openStack, put, synthesizeTables, testFolder } from './test-tables.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = testFolder();
  dataDir = join(folder, 'data');
});

const tables = expect.objectContaining({ ThingsTable: expect.stringMatching(/^local-Things/), NamedTable: 'named' });

const access = async (): Promise<StoreAccess> => {
  const store = await accessStore(dataDir);
  if (!store) throw new Error('There is no store');
  return store;
};

/** Serves once, so that the tables are there. */
const serveOnce = async () => {
  const synthesize = async () => synthesizeTables(folder);
  await (await startHost({ dataDir, synthesize, port: 0, log: () => {} })).close();
};

testOnPosix('while a service runs, other processes find its store', async () => {
  const { child, store: served } = await startProcess(dataDir, synthesizeTables(folder));
  const announcement = join(dataDir, 'store.json');
  expect(JSON.parse(readFileSync(announcement, 'utf8'))).toEqual({
    ...served,
    pid: child.pid,
    outputs: tables,
  });

  const store = await access();
  expect(store).toMatchObject(served);
  await put(store, store.outputs['ThingsTable'], '1');
  await store.close();
  expect(await get(served, store.outputs['ThingsTable'], '1')).toMatchObject({ id: '1' });
});

test('while none runs, the store is opened as the last one left it, by one at a time', async () => {
  await serveOnce();
  const store = await access();
  expect(store.outputs).toEqual(tables);
  await put(store, store.outputs['ThingsTable'], '1');
  await expect(accessStore(dataDir)).rejects.toThrow(
    `The data directory ${dataDir} is in use by another process: wait until that has ended, or choose another directory (DATA_DIR)`,
  );
  await store.close();

  const again = await access();
  expect(await get(again, again.outputs['ThingsTable'], '1')).toMatchObject({ id: '1' });
  await again.close();
});

test('a command waits while a service starts', async () => {
  const synthesized = Promise.withResolvers<ReturnType<typeof synthesizeTables>>();
  const begun = Promise.withResolvers<void>();
  const synthesize = () => {
    begun.resolve();
    return synthesized.promise;
  };
  const starting = startHost({ dataDir, synthesize, port: 0, log: () => {} });
  await begun.promise;
  const lines: string[] = [];
  const log = (_: string, line: string) => {
    lines.push(line);
    synthesized.resolve(synthesizeTables(folder));
  };
  const store = await accessStore(dataDir, log, 60_000);
  const host = await starting;
  expect(store?.endpoint).toBe(host.store.endpoint);
  expect(lines).toEqual(['the local service is starting, or a command uses its data: waiting for up to 60 seconds']);
  await host.close();
});

test('a service that starts waits for a command', async () => {
  await serveOnce();
  const store = await access();
  const log = () => void store.close();
  const synthesize = async () => synthesizeTables(folder);
  await (await startHost({ dataDir, synthesize, port: 0, log, patience: 60_000 })).close();
});

testOnPosix.each(['SIGKILL', 'SIGTERM'] as const)(
  'a service that got %s is not taken for one that runs',
  async (signal) => {
    const { child, store: served } = await startProcess(dataDir, synthesizeTables(folder));
    child.kill(signal);
    await once(child, 'exit');
    const store = await accessStore(dataDir, () => {});
    expect(store?.endpoint).not.toBe(served.endpoint);
    expect(store?.outputs).toEqual(tables);
    await store?.close();
  },
);

test.each<[string, () => void]>([
  ['in a place where nothing is', () => {}],
  ['in an empty folder', () => mkdirSync(dataDir)],
  ['in a folder of other files', () => [mkdirSync(dataDir), writeFileSync(join(dataDir, 'index.html'), '')]],
  ['below a file', () => writeFileSync(dataDir, '')],
])('there is no store %s, and none is made', async (_, prepare) => {
  prepare();
  const before = existsSync(dataDir);
  expect(await accessStore(dataDir)).toBeUndefined();
  expect(existsSync(dataDir)).toBe(before);
  expect(existsSync(join(dataDir, 'store.db'))).toBe(false);
});

test('there is no store where its file was removed, and none is made', async () => {
  await serveOnce();
  rmSync(join(dataDir, 'store.db'));
  expect(await accessStore(dataDir)).toBeUndefined();
  expect(existsSync(join(dataDir, 'store.db'))).toBe(false);
});

test('a store without tables, as a start leaves it that fails, is none', async () => {
  const synthesize = () => Promise.reject(new Error('no'));
  await expect(startHost({ dataDir, synthesize, port: 0 })).rejects.toThrow('no');
  expect(await accessStore(dataDir)).toBeUndefined();
  await (await openStack(dataDir, synthesizeTables(folder))).close();
});

test.each([
  ['store.json', '{"port":8000}'],
  ['store.json', '{'],
])('what another version has left in %s is one line: %s', async (name, content) => {
  await serveOnce();
  writeFileSync(join(dataDir, name), content);
  await expect(accessStore(dataDir)).rejects.toThrow(
    `${join(dataDir, name)} is of another version of the service: start that anew`,
  );
});

testOnPosix('a folder that cannot be read is one line', async () => {
  symlinkSync(dataDir, dataDir);
  await expect(accessStore(dataDir)).rejects.toThrow(/^The data directory .*data cannot be read: ELOOP.*$/);
});

test.runIf(process.getuid?.() === 0)("another user's folder is one line, and stays as it is", async () => {
  await serveOnce();
  chownSync(dataDir, 65_534, 65_534);
  await expect(accessStore(dataDir)).rejects.toThrow(
    `The data directory ${dataDir} cannot be used: it belongs to another user: choose another`,
  );
});

import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startHost } from '../../../lib/local/host/host.ts';
import { accessStore, type StoreAccess } from '../../../lib/local/host/store-access.ts';
import { testOnPosix } from '../../support/posix.ts';
import { listen, stop } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { get, put, writeTables } from './test-tables.ts';

/** The data directory of a service that has served and stopped. */
let stopped: string;
beforeAll(async () => {
  stopped = join(temporaryFolder(), 'data');
  await (await startHost({ dataDir: stopped, synthesize: async () => writeTables(), port: 0, log: () => {} })).close();
});

let dataDir: string;
beforeEach(() => {
  dataDir = join(temporaryFolder(), 'data');
});

const outputs = { ThingsTable: 'local-Things', NamedTable: 'named' };

const access = async (): Promise<StoreAccess> => {
  const store = await accessStore(dataDir, () => {});
  if (!store) throw new Error('There is no store');
  return store;
};

const start = (options: Partial<Parameters<typeof startHost>[0]> = {}) =>
  startHost({ dataDir, synthesize: async () => writeTables(), port: 0, log: () => {}, ...options });

const useStopped = () => cpSync(stopped, dataDir, { recursive: true });

test('finds the store of a running service', async () => {
  const host = await start();
  expect(JSON.parse(readFileSync(join(dataDir, 'store.json'), 'utf8'))).toEqual({
    ...host.store,
    services: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    pid: process.pid,
    outputs,
  });
  const store = await access();
  expect(store).toMatchObject({ ...host.store, outputs });
  await put(store, 'named', '1');
  await store.close();
  expect(await get(host.store, 'named', '1')).toMatchObject({ id: '1' });
  await host.close();
});

test('opens the store of a stopped service for one command at a time', async () => {
  useStopped();
  const store = await access();
  expect(store.outputs).toEqual(outputs);
  await put(store, 'named', '1');
  await expect(access()).rejects.toThrow(
    `The data directory ${dataDir} is in use by another process: wait until that process has ended, or choose another directory (DATA_DIR)`,
  );
  await store.close();

  const again = await access();
  expect(await get(again, 'named', '1')).toMatchObject({ id: '1' });
  await again.close();
});

test('waits while a service starts', async () => {
  const synthesized = Promise.withResolvers<ReturnType<typeof writeTables>>();
  const begun = Promise.withResolvers<void>();
  const synthesize = () => {
    begun.resolve();
    return synthesized.promise;
  };
  const starting = start({ synthesize });
  await begun.promise;
  const lines: string[] = [];
  const log = (_: string, line: string) => {
    lines.push(line);
    synthesized.resolve(writeTables());
  };
  const store = await accessStore(dataDir, log, 60_000);
  const host = await starting;
  expect(store?.endpoint).toBe(host.store.endpoint);
  expect(lines).toEqual(['the local service is starting, or a command uses its data: waiting for up to 60 seconds']);
  await host.close();
});

test('trusts no program at the address of a stopped service', async () => {
  const host = await start();
  await host.close();
  const other = createServer((_, response) => response.end('healthy: dynamodb'));
  await listen(other, Number(new URL(host.store.endpoint).port));
  const store = await access();
  expect(store.endpoint).not.toBe(host.store.endpoint);
  await store.close();
  await stop(other);
});

test('a command makes a starting service wait', async () => {
  useStopped();
  const store = await access();
  await (await start({ log: () => void store.close(), patience: 60_000 })).close();
});

test.each<[string, () => unknown]>([
  ['in no folder', () => {}],
  ['in an empty folder', () => mkdirSync(dataDir)],
  ['in a folder of other files', () => [mkdirSync(dataDir), writeFileSync(join(dataDir, 'index.html'), '')]],
  ['below a file', () => writeFileSync(dataDir, '')],
  ['without its file', () => [useStopped(), rmSync(join(dataDir, 'store.db'))]],
])('finds no store %s, and creates none', async (_, prepare) => {
  await prepare();
  const before = existsSync(dataDir);
  expect(await accessStore(dataDir)).toBeUndefined();
  expect(existsSync(dataDir)).toBe(before);
  expect(existsSync(join(dataDir, 'store.db'))).toBe(false);
});

test('finds no store after a start that failed, and leaves the data directory free', async () => {
  await expect(start({ synthesize: () => Promise.reject(new Error('no')) })).rejects.toThrow('no');
  expect(await accessStore(dataDir)).toBeUndefined();
  await (await start()).close();
});

test.each(['{"port":8000}', '{'])('explains an announcement from another version: %s', async (content) => {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'store.json'), content);
  await expect(accessStore(dataDir)).rejects.toThrow(
    `${join(dataDir, 'store.json')} is damaged, or from another version of the service: restart the service`,
  );
});

testOnPosix('explains a folder that cannot be read', async () => {
  symlinkSync(dataDir, dataDir);
  await expect(accessStore(dataDir)).rejects.toThrow(/^The data directory .*data cannot be read: ELOOP.*$/);
});

test.runIf(process.getuid?.() === 0)("refuses another user's folder", async () => {
  useStopped();
  chownSync(dataDir, 65_534, 65_534);
  await expect(accessStore(dataDir)).rejects.toThrow(
    `The data directory ${dataDir} cannot be used (it belongs to another user): choose another (DATA_DIR)`,
  );
});

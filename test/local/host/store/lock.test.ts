import { once } from 'node:events';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startHost } from '../../../../lib/local/host/host.ts';
import type { Assembly } from '../../../../lib/local/host/template/template.ts';
import { startProcess } from '../test-process.ts';
import { get, openStack, put, synthesizeTables, testFolder } from '../test-tables.ts';

let dataDir: string;
let assembly: Assembly;

beforeEach(() => {
  const folder = testFolder();
  dataDir = join(folder, 'data');
  assembly = synthesizeTables(folder);
});

const start = (synthesize = async () => assembly) => startHost({ dataDir, synthesize, port: 0, log: () => {} });

const synthesizeNothing = () => Promise.reject(new Error('A data directory in use is no place to synthesize into'));

const inUse = () => `The data directory ${dataDir} is in use by another process: `;

test('a data directory is in use from before the stack is synthesized', async () => {
  const synthesizing = Promise.withResolvers<void>();
  const synthesized = Promise.withResolvers<Assembly>();
  const starting = start(() => {
    synthesizing.resolve();
    return synthesized.promise;
  });
  await synthesizing.promise;
  await expect(start(synthesizeNothing)).rejects.toThrow(inUse());
  synthesized.resolve(assembly);
  await (await starting).close();
});

test('of several that lock a data directory at the same moment, one gets it, and the others fail with one line', async () => {
  for (let round = 0; round < 3; round += 1) {
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => openStack(dataDir, assembly)));
    const stores = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const reasons = all.flatMap((each) => (each.status === 'rejected' ? [each.reason.message] : []));
    expect(stores).toHaveLength(1);
    expect(reasons).toEqual(
      Array(4).fill(`${inUse()}wait until that has ended, or choose another directory (DATA_DIR)`),
    );
    await stores[0]?.close();
  }
});

test('a data directory that another process holds without serving it is in use', async () => {
  const store = await openStack(dataDir, assembly);
  await expect(start(synthesizeNothing)).rejects.toThrow(inUse());
  await store.close();
});

test('a data directory that a service runs on is in use by its process, until that ends', async () => {
  const { child } = await startProcess(dataDir, assembly);
  await expect(start(synthesizeNothing)).rejects.toThrow(
    `The data directory ${dataDir} is in use by process ${child.pid}: `,
  );
  child.kill('SIGTERM');
  await once(child, 'exit');
  await (await start()).close();
});

test('acknowledged writes are there after the process was killed, and its announcement counts no more', async () => {
  const { child, store: served } = await startProcess(dataDir, assembly);
  const ids = Array.from({ length: 50 }, (_, index) => String(index));
  await Promise.all(ids.map((id) => put(served, 'named', id)));
  child.kill('SIGKILL');
  await once(child, 'exit');

  const store = await openStack(dataDir, assembly);
  expect(store.endpoint).not.toBe(served.endpoint);
  await expect(start(synthesizeNothing)).rejects.toThrow(inUse());
  const found = await Promise.all(ids.map((id) => get(store, 'named', id)));
  expect(found.map((item) => item?.['id'])).toEqual(ids);
  await store.close();
});

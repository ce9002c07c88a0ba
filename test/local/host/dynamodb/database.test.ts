import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../lib/local/host/dynamodb/database.ts';
import { temporaryFolder } from '../test-host.ts';
import { get, openStack, put, synthesizeTables, testFolder } from '../test-tables.ts';

/** A disk of its own of some megabytes, removed after the test; nothing where mounting is not allowed. */
const mountDisk = (): string | undefined => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder]);
    remove();
  });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=0700', 'tmpfs', folder]);
  return mounted.status === 0 ? folder : undefined;
};

test('on a full disk writes fail, reads go on, and with room again all works, without a restart', async ({ skip }) => {
  const disk = mountDisk();
  if (disk === undefined) return skip('a disk cannot be mounted here');
  const lines: string[] = [];
  const assembly = synthesizeTables(testFolder());
  const open = () => openStack(join(disk, 'data'), assembly, (source, line) => lines.push(`${source}: ${line}`));
  let store = await open();
  const written: string[] = [];
  const write = async () => {
    const id = String(written.length);
    await put(store, 'named', id);
    written.push(id);
  };
  const writeUntilFull = async () => {
    for (;;) await write();
  };
  const expectAll = async () => {
    for (const id of written) expect(await get(store, 'named', id)).toMatchObject({ id });
  };

  await write();
  for (let round = 0; round < 2; round += 1) {
    const { bavail, bsize } = statfsSync(disk);
    // Some is left: the record that fails is torn, with a part of it in the log.
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 20_000));
    await expect(writeUntilFull()).rejects.toMatchObject({ name: 'InternalServerError' });
    await expectAll();
    rmSync(join(disk, 'filler'));
    for (let number = 0; number < 20; number += 1) await write();
    await expectAll();
  }
  expect(lines).toContainEqual(expect.stringMatching(/^store: cannot write, goes on reading: .*No space left/));
  expect(lines).toContain('store: writes again');

  await store.close();
  store = await open();
  await expectAll();
  await store.close();
});

test('of what is written at once all is there, of each key the last', async () => {
  const folder = testFolder();
  const database = await openDatabase(folder, () => {});
  const keys = Array.from({ length: 10 }, (_, key) => `key ${key}`);
  const writes = Array.from({ length: 5 }, (_, at) =>
    keys.map((key) => database?.write([{ type: 'put', key, value: { at } }])),
  );
  // While the first is written, all others come.
  await Promise.all(writes.flat());
  for (const key of keys) expect(await database?.get(key)).toEqual({ at: 4 });
  await database?.write([{ type: 'del', key: 'key 0' }]);
  expect(await database?.close()).toBe(true);

  const again = await openDatabase(folder, () => {});
  expect(await again?.getMany(keys)).toEqual([undefined, ...keys.slice(1).map(() => ({ at: 4 }))]);
  await again?.close();
});

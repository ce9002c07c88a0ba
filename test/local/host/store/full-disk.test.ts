import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 20_000));
    await expect(writeUntilFull()).rejects.toMatchObject({ name: 'InternalServerError' });
    await expect(write()).rejects.toMatchObject({ name: 'InternalServerError' });
    await expectAll();
    rmSync(join(disk, 'filler'));
    for (let number = 0; number < 20; number += 1) await write();
    await expectAll();
  }
  expect(lines).toContain('store: writes fail, reads go on: database or disk is full');
  expect(lines).toContain('store: writes work again');

  await store.close();
  store = await open();
  await expectAll();
  await store.close();
});

import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockData } from '../../../../lib/local/host/dynamodb/data-lock.ts';
import { get, openStack, put, synthesizeTables, testFolder } from '../test-tables.ts';

test('a client that hangs up in the middle of a request does not end the store', async () => {
  const folder = testFolder();
  const store = await openStack(join(folder, 'data'), synthesizeTables(folder));
  const socket = connect(Number(new URL(store.endpoint).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  await put(store, 'named', '1');
  socket.destroy();
  await once(socket, 'close');
  expect(await get(store, 'named', '1')).toMatchObject({ id: '1' });
  await store.close();
});

test('files that are no store are one line that names their folder', async () => {
  const folder = join(testFolder(), 'dynamodb');
  mkdirSync(folder);
  writeFileSync(join(folder, 'CURRENT'), 'nothing');
  await expect(lockData(join(folder, '..'), () => {})).rejects.toThrow(
    /^The embedded store in .*dynamodb cannot be opened \(.+\): restore the folder from a copy, /,
  );
});

test.runIf(process.platform === 'linux')(
  'a full disk is one line that says to make room, and moves nothing away',
  async () => {
    const folder = join(testFolder(), 'dynamodb');
    mkdirSync(folder);
    writeFileSync(join(folder, 'LOG'), '');
    // LevelDB's first file: each write to it fails as on a full disk.
    symlinkSync('/dev/full', join(folder, 'MANIFEST-000001'));
    await expect(lockData(join(folder, '..'), () => {})).rejects.toThrow(
      /^The disk of .*dynamodb is full: make room on it, then try again$/,
    );
  },
);

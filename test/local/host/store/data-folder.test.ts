import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockStore } from '../../../../lib/local/host/store/store.ts';
import { testOnPosix } from '../../../support/posix.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const modeOf = (...path: string[]) => (statSync(join(...path)).mode & 0o7777).toString(8);

testOnPosix('makes the data directory readable by its owner alone, also an existing one', async () => {
  const dataDir = join(temporaryFolder(), 'new', 'data');
  const open = async () => (await lockStore(dataDir, () => {})).close();
  await open();
  expect(modeOf(dataDir)).toBe('700');

  chmodSync(dataDir, 0o755);
  await open();
  expect(modeOf(dataDir)).toBe('700');
});

testOnPosix('refuses a folder that others write to, and leaves its mode', async () => {
  const dataDir = temporaryFolder();
  chmodSync(dataDir, 0o1777);
  await expect(lockStore(dataDir, () => {})).rejects.toThrow(
    `The data directory ${dataDir} cannot be used (it is shared with other users): choose another (DATA_DIR)`,
  );
  expect(modeOf(dataDir)).toBe('1777');
});

test.each(['file', 'file/data'])('refuses %s, because file is not a folder', async (path) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(lockStore(join(folder, path), () => {})).rejects.toThrow(
    /^The data directory .* cannot be used \(.+\): choose another \(DATA_DIR\)$/,
  );
});

test('refuses a folder with other files, and does not change their modes', async () => {
  const dataDir = temporaryFolder();
  const names = ['index.html', 'functions/hello.js', 'cdk.out/keep.txt'];
  for (const name of names) {
    mkdirSync(join(dataDir, name, '..'), { recursive: true });
    writeFileSync(join(dataDir, name), name, { mode: 0o644 });
  }
  const before = [modeOf(dataDir), ...names.map((name) => modeOf(dataDir, name))];
  await expect(lockStore(dataDir, () => {})).rejects.toThrow(
    `The data directory ${dataDir} contains other files: choose an empty or a new directory (DATA_DIR)`,
  );
  expect([modeOf(dataDir), ...names.map((name) => modeOf(dataDir, name))]).toEqual(before);
});

test.each(['store.db-wal', 'store.json'])('refuses an empty store beside %s, and leaves both', async (other) => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'store.db'), '');
  writeFileSync(join(dataDir, other), 'data');
  await expect(lockStore(dataDir, () => {})).rejects.toThrow(
    /^The embedded store .*store\.db cannot be used \(it is empty, .*\): restore the data directory from a copy, or move it away /,
  );
  expect(readFileSync(join(dataDir, other), 'utf8')).toBe('data');
  expect(readFileSync(join(dataDir, 'store.db'), 'utf8')).toBe('');
});

test('opens an empty store that a first start has left', async () => {
  const dataDir = temporaryFolder();
  for (const name of ['store.db', 'store.db-journal']) writeFileSync(join(dataDir, name), '');
  await (await lockStore(dataDir, () => {})).close();
  expect(statSync(join(dataDir, 'store.db')).size).toBeGreaterThan(0);
});

import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '../../../../lib/local/host/host.ts';
import { lockStore } from '../../../../lib/local/host/store/store.ts';
import { testOnPosix } from '../../../support/posix.ts';
import { synthesizeTables, testFolder } from '../test-tables.ts';

const modeOf = (...path: string[]) => (statSync(join(...path)).mode & 0o7777).toString(8);

testOnPosix('the data directory is for its owner alone, also one that others could read', async () => {
  const folder = testFolder();
  const dataDir = join(folder, 'new', 'data');
  const start = () => startHost({ dataDir, synthesize: async () => synthesizeTables(folder), port: 0, log: () => {} });
  await (await start()).close();
  expect(modeOf(dataDir)).toBe('700');

  chmodSync(dataDir, 0o755);
  await (await start()).close();
  expect(modeOf(dataDir)).toBe('700');
});

testOnPosix('a folder that others write to, as that of temporary files, is left as it is', async () => {
  const dataDir = testFolder();
  chmodSync(dataDir, 0o1777);
  await expect(lockStore(dataDir, () => {})).rejects.toThrow(
    `The data directory ${dataDir} cannot be used: it is shared with other users: choose another`,
  );
  expect(modeOf(dataDir)).toBe('1777');
});

test.each<[string, (folder: string) => string]>([
  [
    'a file',
    (folder) => {
      writeFileSync(join(folder, 'file'), '');
      return join(folder, 'file');
    },
  ],
  [
    'a place below a file',
    (folder) => {
      writeFileSync(join(folder, 'file'), '');
      return join(folder, 'file', 'data');
    },
  ],
])('%s is one line', async (_, place) => {
  const dataDir = place(testFolder());
  await expect(lockStore(dataDir, () => {})).rejects.toThrow(
    /^The data directory .* cannot be used: .+: choose another$/,
  );
});

test('a folder that holds something else is refused, and left as it is', async () => {
  const dataDir = testFolder();
  const names = ['index.html', 'functions/hello.js', 'cdk.out/keep.txt'];
  for (const name of names) {
    mkdirSync(join(dataDir, name, '..'), { recursive: true });
    writeFileSync(join(dataDir, name), name, { mode: 0o644 });
  }
  const before = [modeOf(dataDir), ...names.map((name) => modeOf(dataDir, name))];
  await expect(lockStore(dataDir, () => {})).rejects.toThrow(
    `The data directory ${dataDir} holds other files: choose an empty one, or a new one (DATA_DIR)`,
  );
  expect([modeOf(dataDir), ...names.map((name) => modeOf(dataDir, name))]).toEqual(before);
});

import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockData } from '../../../../lib/local/host/dynamodb/data-lock.ts';
import { startHost } from '../../../../lib/local/host/host.ts';
import { testOnPosix } from '../../../support/posix.ts';
import { synthesizeTables, testFolder } from '../test-tables.ts';

const modeOf = (...path: string[]) => (statSync(join(...path)).mode & 0o7777).toString(8);

testOnPosix('the data directory is for its owner alone, also one that others could read', async () => {
  const folder = testFolder();
  const dataDir = join(folder, 'new', 'data');
  const start = () => startHost({ dataDir, synthesize: async () => synthesizeTables(folder), port: 0, log: () => {} });
  await (await start()).close();
  expect([modeOf(dataDir), modeOf(dataDir, 'dynamodb')]).toEqual(['700', '700']);

  writeFileSync(join(dataDir, 'staff-token'), 'secret', { mode: 0o644 });
  for (const path of [dataDir, join(dataDir, 'dynamodb')]) chmodSync(path, 0o755);
  const host = await start();
  expect([modeOf(dataDir), modeOf(dataDir, 'dynamodb')]).toEqual(['700', '700']);
  expect([modeOf(dataDir, 'staff-token'), modeOf(dataDir, 'store.json')]).toEqual(['600', '600']);
  await host.close();
});

testOnPosix('a folder that others write to, as that of temporary files, is left as it is', async () => {
  const dataDir = testFolder();
  chmodSync(dataDir, 0o1777);
  await expect(lockData(dataDir, () => {})).rejects.toThrow(
    `The data directory ${dataDir} cannot be used: it is shared with other users: choose another`,
  );
  expect(modeOf(dataDir)).toBe('1777');
});

const inProc: [string, () => string][] = [
  ['a place that takes no folder', () => '/proc/data'],
  ['a place below one', () => '/proc/some/data'],
];

test.each<[string, (folder: string) => string]>([
  ...(process.platform === 'linux' ? inProc : []),
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
  [
    'a place where a file is in the way',
    (folder) => {
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'data', 'dynamodb'), '');
      return join(folder, 'data');
    },
  ],
])('%s is one line', async (_, place) => {
  const dataDir = place(testFolder());
  await expect(lockData(dataDir, () => {})).rejects.toThrow(
    /^The data directory .* cannot be used: .+: choose another$/,
  );
});

test.each([
  ['files', ['index.html', 'functions/hello.js', 'cdk.out/keep.txt']],
  ['a folder that is named as the store, too', ['dynamodb/tables.ts', 'index.html']],
])('a folder that holds %s of others is refused, and left as it is', async (_, names) => {
  const dataDir = testFolder();
  for (const name of names) {
    mkdirSync(join(dataDir, name, '..'), { recursive: true });
    writeFileSync(join(dataDir, name), name, { mode: 0o644 });
  }
  const before = [modeOf(dataDir), ...names.map((name) => modeOf(dataDir, name))];
  await expect(lockData(dataDir, () => {})).rejects.toThrow(
    `The data directory ${dataDir} holds other files: choose an empty one, or a new one (DATA_DIR)`,
  );
  expect([modeOf(dataDir), ...names.map((name) => modeOf(dataDir, name))]).toEqual(before);
});

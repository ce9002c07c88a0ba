import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './local/host/test-host.ts';

/** What the package's program says where the package asks for this Node. */
const run = (node: string) => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const root = join(folder, 'a-package');
  for (const part of ['bin', 'lib/package']) mkdirSync(join(root, part), { recursive: true });
  copyFileSync('lib/package/crcs.cjs', join(root, 'bin', 'crcs.cjs'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', engines: { node } }));
  writeFileSync(join(root, 'lib', 'package', 'staff.js'), 'console.log("It runs");');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'crcs.cjs')], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('it runs on the least Node that the package asks for, and on a later one', () => {
  const it = { status: 0, stdout: 'It runs\n', stderr: '' };
  expect(run(`>=${process.versions.node}`)).toEqual(it);
  expect(run('>=9.12')).toEqual(it);
});

test('an older Node is one line', () => {
  expect(run('>=99.12')).toEqual({
    status: 1,
    stdout: '',
    stderr: `This needs Node 99.12 or later, but it runs on ${process.version}.\n`,
  });
});

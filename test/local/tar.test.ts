import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tarEnd, tarHeader, tarPadding } from '../../lib/local/tar.ts';

// These options are those of GNU tar.
const testOnLinux = test.skipIf(process.platform !== 'linux');

const mtime = new Date('2026-03-01T12:00:00Z');

/** What tar lists of an archive: mode, size, time and name. */
const listed = (archive: Buffer) => {
  const options = ['--verbose', '--numeric-owner', '--full-time', '--utc', '--quoting-style=literal'];
  const { stdout } = spawnSync('tar', ['--list', ...options, '--file', '-'], {
    input: archive,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/ +/g, ' '));
};

testOnLinux.each([
  ['a file', { name: 'store.db', size: 3 }],
  ['a name of 100 bytes', { name: 'x'.repeat(100), size: 513 }],
  ['a name of 101 bytes', { name: `files/${'é'.repeat(46)}/xy`, size: 512 }],
  ['a name whose record is 100 bytes long', { name: 'x'.repeat(90 + 20), size: 0 }],
])('tar lists %s', (_, { name, size }) => {
  const file = { name, size, mtime };
  const archive = Buffer.concat([tarHeader(file), Buffer.alloc(size, 'x'), tarPadding(size), tarEnd]);
  expect(archive.length % 512).toBe(0);
  expect(listed(archive)).toEqual([`-rw------- 0/0 ${size} 2026-03-01 12:00:00 ${name}`]);
});

testOnLinux('tar sees the size of a file of more than 8 GiB', () => {
  const size = 8 ** 11 + 1;
  // The content is missing, of which tar complains afterwards.
  expect(listed(tarHeader({ name: 'store.db', size, mtime }))).toEqual([
    `-rw------- 0/0 ${size} 2026-03-01 12:00:00 store.db`,
  ]);
});

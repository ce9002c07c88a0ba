import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testOnPosix } from './support/posix.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const ownNode = `node-${platform}`;

/** A project with one package of each kind, on the Node that runs the tests unless changed. */
const manifest = {
  dependencies: { valibot: '1.0.0' },
  devDependencies: { vitest: '5.0.0' },
  optionalDependencies: { [ownNode]: process.versions.node },
};

interface Project {
  readonly name?: string;
  readonly changes?: object;
  readonly installed?: readonly string[];
}

/** The guard's output in a project of its own. */
const guard = ({ name = 'a project', changes = {}, installed = ['valibot', 'vitest', ownNode] }: Project) => {
  const folder = temporaryFolder();
  const root = join(folder, name);
  mkdirSync(join(root, 'bin'), { recursive: true });
  copyFileSync('bin/require-node.cjs', join(root, 'bin', 'require-node.cjs'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, ...changes }));
  for (const one of installed) mkdirSync(join(root, 'node_modules', one), { recursive: true });
  if (installed.includes(ownNode)) {
    const node = join(root, 'node_modules', ownNode);
    writeFileSync(join(node, 'package.json'), JSON.stringify({ bin: { node: 'node' } }));
    writeFileSync(join(node, 'node'), '#!/bin/sh\necho "Own Node: $*"\nexit 3\n', { mode: 0o755 });
  }
  const args = ['-r', './bin/require-node.cjs', '-p', '"It runs"'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr: stderr.replace(folder, '') };
};

const stopped = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n` });

test('prints nothing if every package is installed', () => {
  expect(guard({})).toEqual({ status: 0, stdout: 'It runs\n', stderr: '' });
});

test.each([
  { left: 'for development', installed: ['valibot', ownNode], missing: '1 of 3 packages are missing (vitest, …)' },
  { left: 'optional', installed: ['valibot', 'vitest'], missing: `1 of 3 packages are missing (${ownNode}, …)` },
  { left: 'needed', installed: [], missing: '3 of 3 packages are missing (valibot, …)' },
])('prints one line with the command to run if packages that are $left are missing', ({ installed, missing }) => {
  expect(guard({ installed })).toEqual(
    stopped(
      `${missing}. Run \`npm ci --include=dev --include=optional\`, which overrides NODE_ENV and npm's settings.`,
    ),
  );
});

testOnPosix('goes on with the installed Node if another one is too old', () => {
  expect(guard({ changes: { optionalDependencies: { [ownNode]: '99.0.0' } } })).toEqual({
    status: 3,
    stdout: 'Own Node: -r ./bin/require-node.cjs -p "It runs"\n',
    stderr: '',
  });
});

test('refuses an older Node in one line if npm has none for the platform', () => {
  expect(guard({ changes: { optionalDependencies: { 'node-sunos-x64': '99.0.0' } } })).toEqual(
    stopped(
      `Node 99 or later is required, but this is ${process.version}: install one, because npm has none for ${platform}.`,
    ),
  );
});

// Windows has none of these in a name, but % and #.
const unreadable = process.platform === 'win32' ? ['#', '%'] : ['#', '?', '*', ':', '%', '\\'];
test.each(unreadable)('refuses a path with %s in one line', (character) => {
  const name = `a${character}b`;
  expect(guard({ name })).toEqual(
    stopped(`The tools cannot use a path that contains ${character}: move the project ${join('/', name)}.`),
  );
});

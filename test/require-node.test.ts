import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

/** What the guard says in a project of its own. */
const guard = ({ name = 'a project', changes = {}, installed = ['valibot', 'vitest', ownNode] }: Project) => {
  const folder = temporaryFolder();
  const root = join(folder, name);
  mkdirSync(join(root, 'bin'), { recursive: true });
  copyFileSync('bin/require-node.cjs', join(root, 'bin', 'require-node.cjs'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, ...changes }));
  for (const one of installed) mkdirSync(join(root, 'node_modules', one), { recursive: true });
  const args = ['-r', './bin/require-node.cjs', '-p', '"It runs"'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr: stderr.replace(folder, '') };
};

const stopped = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n` });

test('with every package there it says nothing', () => {
  expect(guard({})).toEqual({ status: 0, stdout: 'It runs\n', stderr: '' });
});

test.each([
  { left: 'for development', installed: ['valibot', ownNode], missing: '1 of 3 packages are missing (vitest, …)' },
  { left: 'optional', installed: ['valibot', 'vitest'], missing: `1 of 3 packages are missing (${ownNode}, …)` },
  { left: 'needed', installed: [], missing: '3 of 3 packages are missing (valibot, …)' },
])('packages that are $left and left out are one line that says how to get them', ({ installed, missing }) => {
  expect(guard({ installed })).toEqual(
    stopped(
      `${missing}: run \`npm ci --include=dev --include=optional\`, which installs them whatever NODE_ENV and npm's settings leave out.`,
    ),
  );
});

test('an older Node is refused in one line', () => {
  expect(guard({ changes: { optionalDependencies: { [ownNode]: '99.0.0' } } })).toEqual(
    stopped(`This needs Node 99 or newer, but it runs on ${process.version}: run it through npm or npx.`),
  );
});

test('another Node where npm has none is one line', () => {
  expect(guard({ changes: { optionalDependencies: { 'node-sunos-x64': '99.0.0' } } })).toEqual(
    stopped(
      `This needs Node 99 or newer, but it runs on ${process.version}: install it, since npm has none for ${platform}.`,
    ),
  );
});

// Windows has none of these in a name, but % and #.
const unreadable = process.platform === 'win32' ? ['#', '%'] : ['#', '?', '*', ':', '%', '\\'];
test.each(unreadable)('a path with %s is one line', (character) => {
  const name = `a${character}b`;
  expect(guard({ name })).toEqual(
    stopped(`The tools cannot read a path with ${character}: move ${join('/', name)} to another.`),
  );
});

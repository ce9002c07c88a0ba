import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, inject, test } from 'vitest';

const textOrTexts = v.optional(v.union([v.string(), v.array(v.string())]));

const lockSchema = v.object({
  packages: v.record(
    v.string(),
    v.object({
      version: v.optional(v.string()),
      integrity: v.optional(v.string()),
      resolved: v.optional(v.string()),
      inBundle: v.optional(v.boolean()),
      os: textOrTexts,
      cpu: textOrTexts,
      optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
    }),
  ),
});

const packagesOf = (lock: string) => v.parse(lockSchema, JSON.parse(readFileSync(lock, 'utf8'))).packages;

const { '': project, ...packages } = packagesOf('package-lock.json');

const isFor = (name: string, os: string, cpu: string) =>
  [packages[`node_modules/${name}`]].some((one) => one?.os?.includes(os) && one.cpu?.includes(cpu));

/** The project's lock, and those of the checks that install packages of their own. */
const locks = globSync('**/package-lock.json', {
  exclude: (path) => path.includes('node_modules') || path.startsWith('.'),
});

test.each(locks)('%s pins every package by a hash, without registry addresses', (lock) => {
  const { '': _, ...held } = packagesOf(lock);
  const unheld = Object.entries(held).filter(([, one]) => !(one.integrity || one.inBundle) || one.resolved);
  expect(unheld.map(([name]) => name)).toEqual([]);
});

test('no package runs a script when it is installed', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true');
});

// The platforms that the README names.
const platforms: [os: string, cpu: string][] = [
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
];

test.each(platforms)('package.json has exactly one Node package for %s on %s', (os, cpu) => {
  expect(Object.keys(project?.optionalDependencies ?? {}).filter((name) => isFor(name, os, cpu))).toHaveLength(1);
});

/** Packages with a build for each processor: a file watcher for macOS alone, say, has none. */
const built = Object.entries(packages).filter(
  ([, one]) => Object.keys(one.optionalDependencies).filter((name) => packages[`node_modules/${name}`]?.cpu).length > 1,
);

test.each(built)('%s has a build for each platform', (_, { optionalDependencies }) => {
  const builds = Object.keys(optionalDependencies);
  expect(platforms.filter(([os, cpu]) => !builds.some((name) => isFor(name, os, cpu)))).toEqual([]);
});

/** Runs the program of a package that asks for this Node. */
const run = (node: string) => {
  const root = mkdtempSync(join(inject('scratch'), 'package-'));
  for (const part of ['bin', 'lib/package']) mkdirSync(join(root, part), { recursive: true });
  copyFileSync('lib/package/crcs.cjs', join(root, 'bin', 'crcs.cjs'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', engines: { node } }));
  writeFileSync(join(root, 'lib', 'package', 'staff.js'), 'console.log("It runs");');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'crcs.cjs')], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.each([
  [`>=${process.versions.node}`, { status: 0, stdout: 'It runs\n', stderr: '' }],
  ['>=9.12', { status: 0, stdout: 'It runs\n', stderr: '' }],
  ['>=99.12', { status: 1, stdout: '', stderr: `Node 99.12 or later is required, but this is ${process.version}.\n` }],
])("the package's program with engines.node %s runs, or refuses an older Node in one line", (node, outcome) => {
  expect(run(node)).toEqual(outcome);
});

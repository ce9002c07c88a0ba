import { globSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

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

/** The project's, and those of what single checks install. */
const locks = globSync('**/package-lock.json', {
  exclude: (path) => path.includes('node_modules') || path.startsWith('.'),
});

test.each(locks)('%s holds every package by a hash, its own or that of what bundles it, and by no address', (lock) => {
  const { '': _, ...held } = packagesOf(lock);
  const unheld = Object.entries(held).filter(([, one]) => !(one.integrity || one.inBundle) || one.resolved);
  expect(unheld.map(([name]) => name)).toEqual([]);
});

test('no package runs a script of its own when it is installed', () => {
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

test.each(platforms)('npm installs a Node for %s on %s', (os, cpu) => {
  expect(Object.keys(project?.optionalDependencies ?? {}).filter((name) => isFor(name, os, cpu))).toHaveLength(1);
});

/** What has a build for each processor: a file watcher for macOS alone, say, has none. */
const built = Object.entries(packages).filter(
  ([, one]) => Object.keys(one.optionalDependencies).filter((name) => packages[`node_modules/${name}`]?.cpu).length > 1,
);

test.each(built)('%s has a build for each platform', (_, { optionalDependencies }) => {
  const builds = Object.keys(optionalDependencies);
  expect(platforms.filter(([os, cpu]) => !builds.some((name) => isFor(name, os, cpu)))).toEqual([]);
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { handlerNames } from '../../lib/infrastructure/endpoints.ts';
import packageFile from '../../package.json' with { type: 'json' };

const read = (file: string) => readFileSync(file, 'utf8');

const forContributors = ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/decisions.md'];

test.each(forContributors)('every path from the root that %s names exists', (document) => {
  const paths = [...read(document).matchAll(/`((?:\.ci|bench|bin|docs|functions|inbox|lib|test)\/[\w./-]*)`/g)];
  const missing = paths.map(([, path = '']) => path).filter((path) => !existsSync(path));
  expect(paths).not.toEqual([]);
  expect(missing).toEqual([]);
});

test('docs/architecture.md shows every function', () => {
  const text = read('docs/architecture.md');
  const missing = handlerNames.filter((name) => name !== 'create-contact-with-captcha' && !text.includes(name));
  expect(missing).toEqual([]);
});

const scripts = Object.keys(packageFile.scripts);

/** The scripts that a document runs by `npm run …`. `npm start` and `npm test` are npm's own words. */
const scriptsIn = (document: string) =>
  [...read(document).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);

test('CONTRIBUTING.md names every script of npm', () => {
  const named = new Set(['start', 'test', ...scriptsIn('CONTRIBUTING.md')]);
  expect(scripts.filter((name) => !named.has(name))).toEqual([]);
});

test('every script of npm that a document runs exists', () => {
  const named = globSync(['*.md', 'docs/**/*.md']).flatMap(scriptsIn);
  expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
});

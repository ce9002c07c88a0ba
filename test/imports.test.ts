import { globSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

const toFile = (path: string) => normalize(path).replaceAll(sep, '/');

const files = globSync(['*.ts', '{bench,bin,functions,lib,test}/**/*.ts', 'inbox/**/*.js'], {
  exclude: (path) => path.includes('node_modules') || path.includes('generated'),
});

/** The imports of each file, types and threads included: files by their path from the root, packages by their name. */
const imports = new Map(
  files.map(toFile).map((file) => {
    const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import|import\(|new URL\()\s*'([^'\s]+)'/g);
    const named = [...specifiers].map(([, specifier = '']) => specifier);
    return [file, named.map((name) => (name.startsWith('.') ? toFile(join(file, '..', name)) : name))];
  }),
);

/** The files below a folder with a forbidden import. */
const offenders = (folder: string, isForbidden: (imported: string) => boolean) =>
  [...imports].filter(([file, named]) => file.startsWith(folder) && named.some(isForbidden)).map(([file]) => file);

const isOurs = (imported: string) => imports.has(imported);

test('every import is found', () => {
  const missing = [...imports].flatMap(([, named]) =>
    named.filter((name) => /(?:\.ts|^inbox\/.*\.js)$/.test(name) && !isOurs(name)),
  );
  expect(missing).toEqual([]);
});

test('no file imports itself, directly or indirectly', () => {
  const acyclic = new Set<string>();
  const circleFrom = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (acyclic.has(file)) return undefined;
    for (const imported of (imports.get(file) ?? []).filter(isOurs)) {
      const circle = circleFrom(imported, [...path, file]);
      if (circle) return circle;
    }
    acyclic.add(file);
    return undefined;
  };
  for (const file of imports.keys()) expect(circleFrom(file, [])).toBeUndefined();
});

test('functions/ imports nothing from lib/', () => {
  expect(offenders('functions/', (imported) => isOurs(imported) && !imported.startsWith('functions/'))).toEqual([]);
});

/** The folders of a folder, lowest first. */
const floors = {
  functions: [
    'sdk',
    'shared',
    'http',
    'files',
    'contacts',
    'campaigns',
    'tokens',
    'languages',
    'names',
    'pages',
    'spam',
    'forms',
    'notify',
  ],
  lib: ['shared', 'infrastructure', 'local', 'staff', 'package'],
  'lib/staff': ['environment', 'tool', 'work', 'commands'],
} as const;

test.each(Object.entries(floors))('each folder of %s/ is a floor', (parent, named) => {
  const folders = files.map(toFile).flatMap((file) => new RegExp(`^${parent}/([^/]+)/`).exec(file)?.[1] ?? []);
  expect([...new Set(folders)].toSorted()).toEqual(named.toSorted());
});

test.each(
  Object.entries(floors).flatMap(([parent, named]) =>
    named.map(
      (floor, at) => [`${parent}/${floor}/`, named.slice(at + 1).map((above) => `${parent}/${above}/`)] as const,
    ),
  ),
)('%s imports nothing from the floors above it', (floor, above) => {
  expect(offenders(floor, (imported) => above.some((folder) => imported.startsWith(folder)))).toEqual([]);
});

test('no two files share a name, so that a name finds one file', () => {
  // An entry file of functions/ has the name of its handler; a file of commands/ that of what people type.
  const named = files.map(toFile).filter((file) => /^(functions\/.*\/|lib\/(?!staff\/commands\/))/.test(file));
  const names = named.map((file) => file.split('/').at(-1));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('a CommonJS app can require the construct: it reaches no middy, which is for ES modules only', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    loaded.add(file);
    const values = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'/gm);
    for (const [, name = ''] of values) {
      const imported = toFile(join(file, '..', name));
      if (!loaded.has(imported)) load(imported);
    }
  };
  load('lib/infrastructure/own-app.ts');
  expect([...loaded].filter((file) => /from '@middy/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('functions/http/ knows no DynamoDB', () => {
  expect(offenders('functions/http/', (imported) => /dynamodb|list-page/.test(imported))).toEqual([]);
});

test('lib/local/host/ imports nothing from the rest of the project', () => {
  expect(
    offenders('lib/local/host/', (imported) => isOurs(imported) && !imported.startsWith('lib/local/host/')),
  ).toEqual([]);
});

test('inbox/ imports nothing from elsewhere, since operators copy the folder', () => {
  expect(offenders('inbox/', (imported) => !imported.startsWith('inbox/'))).toEqual([]);
});

test('the page of the inbox loads all of its modules at once', () => {
  const page = readFileSync('inbox/index.html', 'utf8');
  const loaded = [...page.matchAll(/<(?:link rel="modulepreload" href|script type="module" src)="([^"]+)"/g)];
  const modules = [...imports.keys()].filter((file) => /^inbox\/[^/]+\.js$/.test(file));
  expect(loaded.map(([, file]) => `inbox/${file}`).toSorted()).toEqual(modules.toSorted());
});

test("no file imports an operator's settings, which lib/shared/settings-file.ts reads", () => {
  expect(offenders('', (imported) => imported === 'lib/environments.ts')).toEqual([]);
});

test('outside tests, only lib/infrastructure/ imports the CDK', () => {
  const isCdk = (imported: string) => /^(aws-cdk-lib|cdk-nag|constructs)\b/.test(imported);
  const importers = ['bench/', 'bin/', 'functions/', 'lib/'].flatMap((folder) => offenders(folder, isCdk));
  expect(importers.filter((file) => !file.startsWith('lib/infrastructure/'))).toEqual([]);
  expect(importers).not.toEqual([]);
});

/** The files and packages that load with a file, directly or not; no types, no dynamic imports. */
const loadedWith = (file: string, found = new Set<string>()): Set<string> => {
  const specifiers = readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?!type )(?:[^;']* from )?'([^']+)'/gm);
  for (const [, name = ''] of specifiers) {
    const imported = name.startsWith('.') ? toFile(join(file, '..', name)) : name;
    if (found.has(imported)) continue;
    found.add(imported);
    if (isOurs(imported)) loadedWith(imported, found);
  }
  return found;
};

test('`npm ci --omit=dev` installs what npm start and the staff command load', () => {
  const entries = files.map(toFile).filter((file) => /^(functions\/[^/]+|bin\/(local|staff)\.ts)$/.test(file));
  const packages = new Set<string>();
  const reached = new Set(entries);
  // A set gives what is added meanwhile, too.
  for (const file of reached) {
    const text = readFileSync(file, 'utf8');
    const loaded = [
      ...text.matchAll(/^(?:im|ex)port (?!type )(?:[^;']* from )?'([^']+)'/gm),
      ...text.matchAll(/(?:import\(|new URL\(|require\()'([^'\s]+)'/g),
    ];
    for (const [, name = ''] of loaded) {
      const path = toFile(join(file, '..', name));
      if (isOurs(path)) reached.add(path);
      else if (!/^(\.|node:)/.test(name)) packages.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
    }
  }
  const installed = Object.keys(packageJson.dependencies);
  expect([...packages]).toEqual(expect.arrayContaining(['aws-cdk-lib', 'dynalite', 'esbuild', 'velocityjs']));
  expect([...packages].filter((name) => !installed.includes(name))).toEqual([]);
});

test('no function loads what only staff do in the tables', () => {
  const entries = files.map(toFile).filter((file) => /^functions\/[^/]+$/.test(file));
  const loaded = new Set(entries.flatMap((file) => [...loadedWith(file)]));
  expect([...loaded]).toContain('functions/contacts/contact-store.ts');
  expect([...loaded].filter((file) => /\/manage-/.test(file))).toEqual([]);
});

test('the staff command loads the SDK and string-width to run a command, but not for help', () => {
  const isSlow = (imported: string) => /^(@aws-sdk|@smithy|aws-cdk-lib|csv-|string-width)/.test(imported);
  expect([...loadedWith('bin/staff.ts')].filter(isSlow)).toEqual([]);
  expect([...loadedWith('functions/tokens/manage-tokens.ts')].filter(isSlow)).not.toEqual([]);
});

import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import {
  assemblyKey,
  digestSources,
  findAssembly,
  forgetAssembly,
  keepAssembly,
} from '../../lib/local/kept-assembly.ts';
import { temporaryFolder } from './host/test-host.ts';

const environment: EnvironmentInput = {
  sites: [{ origin: 'http://localhost:8080' }],
  throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 10, burst: 50 } },
  retainData: false,
  logRetentionDays: 1,
};

const folderOf = (files: readonly string[]) => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
  return folder;
};

const installed = join('node_modules', '.package-lock.json');

const sources = [
  'functions/contacts/create.ts',
  'lib/infrastructure/app.ts',
  'package.json',
  'tsconfig.json',
  installed,
];

const keyOf = (settings: EnvironmentInput, project: string) => assemblyKey(settings, digestSources(project) ?? '');

test('the same sources, wherever they lie, and the same environment have the same key', () => {
  const project = folderOf(sources);
  const key = keyOf(environment, project);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  cpSync(project, folder, { recursive: true });
  expect(keyOf(structuredClone(environment), folder)).toBe(key);
});

test.each(sources)('another %s has another key', (source) => {
  const project = folderOf(sources);
  const before = keyOf(environment, project);
  appendFileSync(join(project, source), ' ');
  expect(keyOf(environment, project)).not.toBe(before);
});

test('a source that is new, gone or named otherwise has another key', () => {
  const keys = [sources, [...sources, 'functions/new.ts'], [...sources, 'lib/new/new.ts']].map((files) =>
    keyOf(environment, folderOf(files)),
  );
  const renamed = folderOf(sources);
  cpSync(join(renamed, 'lib/infrastructure/app.ts'), join(renamed, 'lib/infrastructure/other.ts'));
  rmSync(join(renamed, 'lib/infrastructure/app.ts'));
  expect(new Set([...keys, keyOf(environment, renamed)]).size).toBe(4);
});

test.each<[string, Partial<EnvironmentInput>]>([
  ['site', { sites: [...environment.sites, { origin: 'https://www.example.com' }] }],
  ['thank-you page', { sites: [{ origin: 'http://localhost:8080', thankYouUrl: 'https://www.example.com/thanks' }] }],
  ['count of shards', { listShards: 2 }],
  ['target', { notifications: { from: 'a@example.com', emails: ['b@example.com'], webhooks: [] } }],
])('another %s has another key', (_, changed) => {
  const project = folderOf(sources);
  expect(keyOf({ ...environment, ...changed }, project)).not.toBe(keyOf(environment, project));
});

test('nothing is kept where nobody says which packages are installed', () => {
  const project = folderOf(sources);
  rmSync(join(project, installed));
  expect(digestSources(project)).toBeUndefined();
});

const assemblyFiles = ['cdk.out/manifest.json', 'cdk.out/asset.1/index.mjs'];

const keep = async () => {
  const dataDir = folderOf(assemblyFiles);
  const directory = join(dataDir, 'cdk.out');
  await keepAssembly(dataDir, 'key', { directory, stackName: 'Stack' });
  return { dataDir, find: (key = 'key') => findAssembly(dataDir, key, directory) };
};

test('an assembly is found by its key alone, as it was kept', async () => {
  const { dataDir, find } = await keep();
  expect(await find()).toEqual({ directory: join(dataDir, 'cdk.out'), stackName: 'Stack' });
  expect(await find('another')).toBeUndefined();
});

test.each<[string, (dataDir: string) => void]>([
  ['a file was changed', (dataDir) => writeFileSync(join(dataDir, 'cdk.out/asset.1/index.mjs'), 'another')],
  ['a file is missing', (dataDir) => rmSync(join(dataDir, 'cdk.out/asset.1/index.mjs'))],
  ['a file is new', (dataDir) => writeFileSync(join(dataDir, 'cdk.out/asset.1/other.mjs'), '')],
  ['all of it is missing', (dataDir) => rmSync(join(dataDir, 'cdk.out'), { recursive: true })],
  ['its note is cut short', (dataDir) => writeFileSync(join(dataDir, 'assembly.json'), '{"key":"key",')],
  ['its note is of another version', (dataDir) => writeFileSync(join(dataDir, 'assembly.json'), '{"key":"key"}')],
])('an assembly is made anew when %s', async (_, damage) => {
  const { dataDir, find } = await keep();
  damage(dataDir);
  expect(await find()).toBeUndefined();
});

test('an assembly is forgotten before it is made anew', async () => {
  const { dataDir, find } = await keep();
  await forgetAssembly(dataDir);
  expect(await find()).toBeUndefined();
});

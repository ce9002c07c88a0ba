import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import {
  assemblyKey,
  digestSources,
  findAssembly,
  keepAssembly,
  removeAssembly,
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

const keep = async () => {
  const directory = folderOf(['manifest.json', 'asset.1/index.mjs']);
  await keepAssembly('key', { directory, stackName: 'Stack' });
  return directory;
};

test('finds an assembly by its key alone', async () => {
  const directory = await keep();
  expect(await findAssembly('key', directory)).toEqual({ directory, stackName: 'Stack' });
  expect(await findAssembly('another', directory)).toBeUndefined();
});

test.each<[string, (directory: string) => unknown]>([
  ['it was removed', removeAssembly],
  ['its note is cut short', (directory) => writeFileSync(join(directory, 'assembly.json'), '{"key":"key",')],
  ['its note is of another version', (directory) => writeFileSync(join(directory, 'assembly.json'), '{"key":"key"}')],
])('finds no assembly when %s', async (_, damage) => {
  const directory = await keep();
  await damage(directory);
  expect(await findAssembly('key', directory)).toBeUndefined();
});

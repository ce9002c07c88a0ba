import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { localEnvironment } from '../../lib/local/environment.ts';
import { readTemplate } from '../../lib/local/host/template/template.ts';
import { assemblyKey, synthesizeLocal } from '../../lib/local/synthesize.ts';
import { environments } from '../support/environments.ts';
import { testFolder } from './host/test-tables.ts';

const environment = localEnvironment(environments, { SITE_ORIGINS: [] });

test('an assembly is used again while it is whole and nothing of it changes', async () => {
  const folder = testFolder();
  const made = await synthesizeLocal(folder, environment);
  const template = join(made.directory, `${made.stackName}.template.json`);
  const identity = () => statSync(template).ino;
  const first = identity();

  expect(await synthesizeLocal(folder, environment)).toEqual(made);
  expect(identity()).toBe(first);
  const { functions } = await readTemplate(made);
  for (const each of functions) expect(await readFile(join(each.folder, 'index.mjs'), 'utf8')).toContain('handler');

  writeFileSync(join(made.directory, 'assembly.json'), '{"key":');
  appendFileSync(template, 'not whole');
  await synthesizeLocal(folder, environment);
  expect(JSON.parse(await readFile(template, 'utf8'))).toHaveProperty('Resources');

  await synthesizeLocal(folder, localEnvironment(environments, { SITE_ORIGINS: ['https://added.example.com'] }));
  expect(await readFile(template, 'utf8')).toContain('https://added.example.com');
});

const installed = join('node_modules', '.package-lock.json');
const sources = ['functions/contacts/create.ts', 'lib/app.ts', 'package.json', 'tsconfig.json', installed];

let project: string;
beforeEach(() => {
  project = testFolder();
  for (const file of sources) {
    mkdirSync(join(project, file, '..'), { recursive: true });
    writeFileSync(join(project, file), file);
  }
});

test('the same sources, wherever they lie, and the same environment have the same key', () => {
  const copy = testFolder();
  cpSync(project, copy, { recursive: true });
  expect(assemblyKey(structuredClone(environment), copy)).toBe(assemblyKey(environment, project));
  expect(assemblyKey(environment, project)).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[string, () => unknown]>([
  ...sources.map((file): [string, () => unknown] => [file, () => appendFileSync(join(project, file), ' ')]),
  ['a new file', () => writeFileSync(join(project, 'functions/new.ts'), '')],
  ['another name', () => renameSync(join(project, 'lib/app.ts'), join(project, 'lib/other.ts'))],
])('a change of the sources has another key: %s', (_, change) => {
  const before = assemblyKey(environment, project);
  change();
  expect(assemblyKey(environment, project)).not.toBe(before);
});

test.each<Partial<EnvironmentInput>>([
  { sites: [{ origin: 'https://www.example.com' }] },
  { notifications: { from: 'a@example.com', emails: ['b@example.com'], webhooks: [] } },
])('an environment with %j has another key', (changed) => {
  expect(assemblyKey({ ...environment, ...changed }, project)).not.toBe(assemblyKey(environment, project));
});

test('there is no key if nothing says which packages are installed', () => {
  rmSync(join(project, installed));
  expect(assemblyKey(environment, project)).toBeUndefined();
});

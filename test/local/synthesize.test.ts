import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { EnvironmentInput } from '../../lib/infrastructure/settings.ts';
import { localEnvironment } from '../../lib/local/local-environment.ts';
import { assemblyKey } from '../../lib/local/synthesize.ts';
import { environments } from '../support/environments.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const environment = localEnvironment(environments, { SITE_ORIGINS: [] });

const installed = join('node_modules', '.package-lock.json');
const sources = ['functions/forms/create.ts', 'lib/app.ts', 'package.json', 'tsconfig.json', installed];

let project: string;
beforeEach(() => {
  project = temporaryFolder();
  for (const file of sources) {
    mkdirSync(join(project, file, '..'), { recursive: true });
    writeFileSync(join(project, file), file);
  }
});

test('gives equal sources and environments the same key, wherever they are', () => {
  const copy = temporaryFolder();
  cpSync(project, copy, { recursive: true });
  expect(assemblyKey(structuredClone(environment), copy)).toBe(assemblyKey(environment, project));
  expect(assemblyKey(environment, project)).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[string, () => unknown]>([
  ...sources.map((file): [string, () => unknown] => [file, () => appendFileSync(join(project, file), ' ')]),
  ['a new file', () => writeFileSync(join(project, 'functions/new.ts'), '')],
  ['another name', () => renameSync(join(project, 'lib/app.ts'), join(project, 'lib/other.ts'))],
])('changes the key with the sources: %s', (_, change) => {
  const before = assemblyKey(environment, project);
  change();
  expect(assemblyKey(environment, project)).not.toBe(before);
});

test.each<Partial<EnvironmentInput>>([
  { sites: [{ origin: 'https://www.example.com' }] },
  { notifications: { from: 'a@example.com', emails: ['b@example.com'], webhooks: [] } },
])('changes the key with the environment: %j', (changed) => {
  expect(assemblyKey({ ...environment, ...changed }, project)).not.toBe(assemblyKey(environment, project));
});

test('gives no key without a list of the installed packages', () => {
  rmSync(join(project, installed));
  expect(assemblyKey(environment, project)).toBeUndefined();
});

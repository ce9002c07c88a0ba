import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localEnvironment } from '../../lib/local/local-environment.ts';
import { synthesizeLocal } from '../../lib/local/synthesize.ts';
import { environments } from '../support/environments.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('reuses a complete assembly for the same environment', async () => {
  const folder = temporaryFolder();
  const environment = localEnvironment(environments, { SITE_ORIGINS: [] });
  const made = await synthesizeLocal(folder, environment);
  const template = join(made.directory, `${made.stackName}.template.json`);
  const { ino } = statSync(template);
  expect(await synthesizeLocal(folder, environment)).toEqual(made);
  expect(statSync(template).ino).toBe(ino);

  truncateSync(template, 1000);
  await synthesizeLocal(folder, environment);
  expect(JSON.parse(readFileSync(template, 'utf8'))).toHaveProperty('Resources');

  writeFileSync(join(made.directory, 'assembly.json'), '{"key":');
  appendFileSync(template, 'incomplete');
  await synthesizeLocal(folder, environment);
  expect(JSON.parse(readFileSync(template, 'utf8'))).toHaveProperty('Resources');

  await synthesizeLocal(folder, localEnvironment(environments, { SITE_ORIGINS: ['https://added.example.com'] }));
  expect(readFileSync(template, 'utf8')).toContain('https://added.example.com');
});

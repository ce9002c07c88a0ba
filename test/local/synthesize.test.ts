import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localEnvironment } from '../../lib/local/environment.ts';
import { readTemplate } from '../../lib/local/host/template/template.ts';
import { isAssemblyKept } from '../../lib/local/kept-assembly.ts';
import { startSynthesizer, synthesizeLocal } from '../../lib/local/synthesize.ts';
import { environments } from '../support/environments.ts';
import { temporaryFolder } from './host/test-host.ts';

const environmentOf = (...SITE_ORIGINS: string[]) => localEnvironment(environments, { SITE_ORIGINS });

test('what was synthesized is taken again while nothing of it changes', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const made = await synthesizeLocal(folder, environmentOf());
  const template = join(made.directory, `${made.stackName}.template.json`);
  const identity = () => statSync(template).ino;
  const first = identity();

  expect(await synthesizeLocal(folder, environmentOf())).toEqual(made);
  expect(identity()).toBe(first);

  const { functions } = await readTemplate(made);
  for (const each of functions) expect(await readFile(join(each.folder, 'index.mjs'), 'utf8')).toContain('handler');

  expect(await readFile(template, 'utf8')).not.toContain('https://added.example.com');
  await synthesizeLocal(folder, environmentOf('https://added.example.com'));
  expect(await readFile(template, 'utf8')).toContain('https://added.example.com');
});

test('nothing is kept when a source was saved after the thread had begun to load', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  await synthesizeLocal(folder, environmentOf(), startSynthesizer('of what was there before'));
  expect(isAssemblyKept(join(folder, 'cdk.out'))).toBe(false);
});

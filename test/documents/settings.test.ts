import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formSettings, parseEnvironments } from '../../lib/infrastructure/settings.ts';
import { SettingsError } from '../../lib/shared/settings-error.ts';
import { loadSettings } from '../../lib/shared/settings-file.ts';
import { blocksIn, codesIn, sectionOf, tablesIn } from '../support/markdown.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const document = readFileSync('docs/settings.md', 'utf8');

/** Reads a file of settings as the programs do. */
const read = async (text: string) => {
  const file = join(temporaryFolder(), 'environments.ts');
  writeFileSync(file, text);
  const { environments } = await loadSettings({ CRCS_SETTINGS: file });
  return parseEnvironments(environments);
};

test('the examples in docs/settings.md are valid settings', async () => {
  const [whole = '', ...parts] = blocksIn(document, 'ts');
  expect(await read(whole)).toHaveLength(1);
  expect(parts).not.toEqual([]);
  for (const part of parts)
    expect(await read(`export const environments = { dev: { sites: [],\n${part}\n} };`)).toHaveLength(1);
});

test('the first table of docs/settings.md has the settings of `dev` that npm start uses', () => {
  const [rows = []] = tablesIn(sectionOf(document, 'All settings'));
  expect(rows.flatMap(([names]) => codesIn(names)).toSorted()).toEqual(Object.keys(formSettings).toSorted());
});

test('docs/settings.md shows the lines that errors in settings get', async () => {
  const wrong =
    "export const environments = { prod: { sites: [{ origin: 'https://www.example.com/' }], retainDays: 365 } };";
  const [lines = ''] = blocksIn(document, '');
  await expect(read(wrong)).rejects.toThrow(new SettingsError(lines.trimEnd()));
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formSettings } from '../../lib/infrastructure/settings.ts';
import { SettingsError } from '../../lib/shared/settings-error.ts';
import { blocksIn, codesIn, sectionOf, tablesIn } from '../support/markdown.ts';
import { readSettings } from '../support/settings-text.ts';

const document = readFileSync('docs/settings.md', 'utf8');

test('the examples in docs/settings.md are valid settings', async () => {
  const [whole = '', ...parts] = blocksIn(document, 'ts');
  expect(await readSettings(whole)).toHaveLength(1);
  expect(parts).not.toEqual([]);
  for (const part of parts)
    expect(await readSettings(`export const environments = { dev: { sites: [],\n${part}\n} };`)).toHaveLength(1);
});

test('the first table of docs/settings.md has the settings of `dev` that npm start uses', () => {
  const [rows = []] = tablesIn(sectionOf(document, 'All settings'));
  expect(rows.flatMap(([names]) => codesIn(names)).toSorted()).toEqual(Object.keys(formSettings).toSorted());
});

test('docs/settings.md shows the lines that errors in settings get', async () => {
  const wrong =
    "export const environments = { prod: { sites: [{ origin: 'https://www.example.com/' }], retainDays: 365 } };";
  const [lines = ''] = blocksIn(document, '');
  await expect(readSettings(wrong)).rejects.toThrow(new SettingsError(lines.trimEnd()));
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formSettings, settingNames } from '../../lib/infrastructure/settings.ts';
import { readSettings } from '../../lib/local/local-settings.ts';
import { codesIn, sectionOf, tablesIn } from '../support/markdown.ts';

const document = readFileSync('docs/local.md', 'utf8');

test('docs/local.md has the default port of the API, and of the example site', () => {
  const [rows = []] = tablesIn(sectionOf(document, 'Variables'));
  const { PORT, SITE_PORT } = readSettings({});
  expect(rows).toEqual(
    expect.arrayContaining([
      ['`PORT`', expect.anything(), String(PORT)],
      ['`SITE_PORT`', expect.anything(), String(SITE_PORT)],
    ]),
  );
});

test('docs/local.md names every setting of `dev` that npm start uses, and no other', () => {
  const section = sectionOf(document, 'Settings of `dev`');
  const named = codesIn(section).filter((name) => settingNames.includes(name));
  // Of `notifications`, npm start uses a part.
  expect(named.toSorted()).toEqual([...Object.keys(formSettings), 'notifications'].toSorted());
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formSettings, settingNames } from '../../lib/infrastructure/settings.ts';
import { codesIn, sectionOf } from '../support/markdown.ts';

test('docs/local.md names every setting of `dev` that npm start uses, and no other', () => {
  const section = sectionOf(readFileSync('docs/local.md', 'utf8'), 'Settings of `dev`');
  const named = codesIn(section).filter((name) => settingNames.includes(name));
  // Of `notifications`, npm start uses a part.
  expect(named.toSorted()).toEqual([...Object.keys(formSettings), 'notifications'].toSorted());
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings } from '../../lib/local/local-settings.ts';
import { sectionOf, tablesIn } from '../support/markdown.ts';

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

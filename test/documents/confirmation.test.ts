import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SkipReason } from '../../functions/notify/confirm.ts';
import { blocksIn, codesIn, sectionOf, tablesIn } from '../support/markdown.ts';
import { readSettings } from '../support/settings-text.ts';

const document = readFileSync('docs/confirmation.md', 'utf8');

test('the examples in docs/confirmation.md are valid settings', async () => {
  const [whole = '', ...parts] = blocksIn(document, 'ts');
  expect(await readSettings(whole)).toHaveLength(1);
  expect(parts).not.toEqual([]);
  const others =
    "sites: [], spam: { proofOfWork: 'mark' }, notifications: { from: 'me@example.com', emails: ['me@example.com'] },";
  for (const part of parts) {
    expect(await readSettings(`export const environments = { dev: { ${others}\n${part}\n} };`)).toHaveLength(1);
  }
});

test('docs/confirmation.md says what each reason in the log means', () => {
  const reasons: Readonly<Record<SkipReason, true>> = {
    gone: true,
    changed: true,
    spam: true,
    'too old': true,
    'no address': true,
    'role address': true,
    'own address': true,
    'sent already': true,
    cap: true,
    paused: true,
    rejected: true,
    'no response': true,
  };
  const [rows = []] = tablesIn(sectionOf(document, 'Why a visitor got none'));
  expect(rows.flatMap(([names]) => codesIn(names)).toSorted()).toEqual(Object.keys(reasons).toSorted());
});

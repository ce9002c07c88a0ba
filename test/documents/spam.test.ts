import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spamReasons } from '../../functions/contacts/spam.ts';

const document = readFileSync('docs/spam.md', 'utf8');

test('docs/spam.md explains every reason of a mark, and no other', () => {
  const [, rows = ''] = /^\| reason \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(document) ?? [];
  expect([...rows.matchAll(/^\| `(.*?)`/gm)].map(([, reason]) => reason)).toEqual(spamReasons);
});

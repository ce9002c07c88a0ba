import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spamReasons } from '../../functions/contacts/contact.ts';
import { formFields } from '../../functions/names/service-fields.ts';
import { codesIn, sectionOf, tablesIn } from '../support/markdown.ts';

const document = readFileSync('docs/spam.md', 'utf8');

test('docs/spam.md explains every reason of a mark, and no other', () => {
  const reasons = tablesIn(sectionOf(document, 'Look at the spam')).flatMap((rows) =>
    rows.flatMap(([cell]) => codesIn(cell)),
  );
  expect(reasons).toEqual(spamReasons);
});

test('docs/spam.md has every name of a trap', () => {
  expect(document.replaceAll('\n', ' ')).toContain(formFields.traps.map((name) => `\`${name}\``).join(', '));
});

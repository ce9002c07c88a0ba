import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spamMarks } from '../../functions/contacts/contact.ts';
import { formFields } from '../../functions/names/service-fields.ts';
import { contentSettings } from '../../functions/spam/content.ts';
import { codesIn, sectionOf, tablesIn } from '../support/markdown.ts';

const document = readFileSync('docs/spam.md', 'utf8');

test('docs/spam.md explains every mark as the inbox does, and no other', () => {
  const [rows = []] = tablesIn(sectionOf(document, 'Look at the spam'));
  const marks = rows.map(([reason, meaning]) => ({ reason: codesIn(reason)[0], meaning }));
  expect(marks).toEqual(spamMarks);
});

test('docs/spam.md explains every setting of a mark by content', () => {
  const explained = [...sectionOf(document, 'Links, words and senders').matchAll(/^- `(\w+)`: /gm)];
  expect(explained.map(([, name]) => name).toSorted()).toEqual(Object.keys(contentSettings.entries).toSorted());
});

test('docs/settings.md names every setting of a mark by content', () => {
  const named = codesIn(sectionOf(readFileSync('docs/settings.md', 'utf8'), 'Spam'));
  expect(named).toEqual(expect.arrayContaining(Object.keys(contentSettings.entries)));
});

test('docs/spam.md has every name of a trap', () => {
  expect(document.replaceAll('\n', ' ')).toContain(formFields.traps.map((name) => `\`${name}\``).join(', '));
});

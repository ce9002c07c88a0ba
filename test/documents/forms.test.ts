import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { codesIn, sectionOf, tablesIn } from '../support/markdown.ts';

const document = readFileSync('docs/forms.md', 'utf8');

test('docs/forms.md has the other names of every field, and of no other', () => {
  const [rows = []] = tablesIn(sectionOf(document, 'Names of fields'));
  expect(rows.flatMap(([names]) => codesIn(names)).toSorted()).toEqual(fieldNames.toSorted());
});

const snippets = document.split('```');
const snippet = snippets.find((text) => text.startsWith('js') && text.includes('output'))?.slice('js'.length) ?? '';

const message = 'Fill in at least one of these fields.';

test.each([
  [
    'each message once',
    { error: 'Bad Request', details: [{ message }, { message }, { message: 'Shorten this.' }] },
    `${message} Shorten this.`,
  ],
  ['a sentence of its own for an error without details', { error: 'Not Found' }, 'Your message could not be sent.'],
])('the code of docs/forms.md for scripts shows %s', (_name, data, shown) => {
  const output = { textContent: '' };
  runInNewContext(snippet, { data, output });
  expect(output.textContent).toBe(shown);
});

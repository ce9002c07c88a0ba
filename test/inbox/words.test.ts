import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import type { Words } from '../../functions/languages/language.ts';
import { allWords } from '../../functions/languages/languages.ts';
import { clients, endings, formWords, forReader, joined, things } from '../../functions/names/form-words.ts';
import { hiddenNames, hiddenStart } from '../../functions/names/service-fields.ts';
import { letters, spell } from '../../functions/names/spelling.ts';

const file = 'inbox/names.js';

const namesAndSubjects = allWords.flatMap(({ name, subject }) => [...name, ...subject].map(spell));

/** Whether the inbox would find a name or a subject in a word of another field, if it did not know the word. */
const hasName = (word: string) => namesAndSubjects.some((name) => word.startsWith(name) || word.endsWith(name));

/** A row for each language. */
const rowsOf = (kind: keyof Words) => allWords.map((words) => (words[kind] ?? []).map(spell));

const lists: Readonly<Record<string, readonly (readonly string[])[]>> = {
  name: rowsOf('name'),
  subject: rowsOf('subject'),
  otherField: fieldNames.flatMap(rowsOf).map((words) => words.filter(hasName)),
  empty: rowsOf('empty'),
  others: rowsOf('others'),
  ofForms: [[...formWords]],
  endings: [[...endings]],
  things: [[...things]],
  joined: [joined],
  forReader: [[...forReader]],
  clients: [[...clients]],
  hidden: [[...hiddenNames].filter((name) => !hiddenStart.test(name))],
};

const linesOf = (rows: readonly (readonly string[])[]) =>
  rows
    .filter(({ length }) => length > 0)
    .map((words) => words.join(' '))
    .join('\n');

const block = [
  ...Object.entries(lists).map(([key, rows]) => `  ${key}: \`\n${linesOf(rows)}\n\`,`),
  `  hiddenStart: ${hiddenStart},`,
  '  letters: {',
  ...Object.entries(letters).map(([letter, other]) => `    ${letter}: '${other}',`),
  '  },',
].join('\n');

test('inbox/names.js has the words of the service (vitest -u writes them)', async () => {
  const written = readFileSync(file, 'utf8').replace(/(?<=^const words = \{\n).*?(?=^\};$)/ms, () => `${block}\n`);
  await expect(written).toMatchFileSnapshot(`../../${file}`);
});

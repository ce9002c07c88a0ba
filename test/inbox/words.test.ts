import { expect, test } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import type { Words } from '../../functions/languages/language.ts';
import { allWords } from '../../functions/languages/languages.ts';
import { clients, endings, formWords, forReader, joined, things } from '../../functions/names/form-words.ts';
import { hiddenNames, hiddenStart } from '../../functions/names/service-fields.ts';
import { letters, spell } from '../../functions/names/spelling.ts';

const namesAndSubjects = allWords.flatMap(({ name, subject }) => [...name, ...subject].map(spell));

/** Whether the inbox would find a name or a subject in a word of another field, if it did not know the word. */
const hasName = (word: string) => namesAndSubjects.some((name) => word.startsWith(name) || word.endsWith(name));

/** A row for each language. */
const rowsOf = (wordsIn: (words: Words) => readonly string[]) => allWords.map((words) => wordsIn(words).map(spell));

const otherWords = (words: Words) => fieldNames.flatMap((field) => words[field] ?? []);

const lists: Readonly<Record<string, readonly (readonly string[])[]>> = {
  name: rowsOf(({ name }) => name),
  subject: rowsOf(({ subject }) => subject),
  otherField: rowsOf(otherWords).map((words) => words.filter(hasName)),
  empty: rowsOf(({ empty }) => empty),
  others: rowsOf(({ others }) => others),
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

const lines = [
  '// The words of functions/languages/, a row for each language, and those of functions/names/, without case, accents, blanks and',
  '// punctuation. `npm test -- test/inbox/words.test.ts -u` writes them.',
  '',
  'export const words = {',
  ...Object.entries(lists).map(([key, rows]) => `  ${key}: \`\n${linesOf(rows)}\n\`,`),
  `  hiddenStart: ${hiddenStart},`,
  '  letters: {',
  ...Object.entries(letters).map(([letter, other]) => `    ${letter}: '${other}',`),
  '  },',
  '};',
];

test('inbox/words.js has the words of the service (vitest -u writes them)', async () => {
  await expect(lines.map((line) => `${line}\n`).join('')).toMatchFileSnapshot('../../inbox/words.js');
});

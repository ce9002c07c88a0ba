import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { FieldError } from '../../../functions/http/errors.ts';
import { errorMessage } from '../../../functions/languages/language.ts';
import { languages } from '../../../functions/languages/languages.ts';
import { numberWords } from '../../../functions/names/form-words.ts';
import { spell } from '../../../functions/names/spelling.ts';

const rows = await Promise.all(
  Object.entries(languages).map(async ([key, { words, load }]) => ({ key, wordsOfRow: words, file: await load() })),
);

const files = rows.map(({ file }) => file);

type Lists = Readonly<Record<string, readonly string[]>>;

const wordsOf = (lists: Lists) =>
  Object.entries(lists).flatMap(([list, texts]) => texts.map((text) => ({ list, text, word: spell(text) })));

test('functions/languages/languages.ts has a row for each file, and its words and texts in it', () => {
  const own = rows.map(({ key, wordsOfRow, file }) =>
    file.tag === key && file.words === wordsOfRow ? key : `${key}: import its words and its texts from ${key}.ts`,
  );
  const named = globSync('functions/languages/*.ts').map((file) => basename(file, '.ts'));
  const tags = named.filter((name) => !['confirmations', 'language', 'languages', 'load'].includes(name));
  expect(own.toSorted(), 'Give each file an import and a row').toEqual(tags.toSorted());
});

test('no word means two things, whatever the languages', () => {
  const all = files.flatMap(({ tag, words }) => wordsOf(words).map((word) => ({ tag, ...word })));
  const complaints = [...Map.groupBy(all, ({ word }) => word)].flatMap(([word, same]) => {
    const lists = new Set(same.map(({ list }) => list));
    // Beside a name, a word of a person says nothing: `applicant_email`. Alone, it asks who that is, or for a number.
    if (lists.has('name') || numberWords.has(word)) lists.delete('empty');
    const where = same.map(({ tag, list, text }) => `"${text}" is in ${list} of ${tag}.ts`);
    return lists.size > 1 ? [`Leave it out where it is rare, or everywhere: ${where.join(', ')}`] : [];
  });
  expect(complaints).toEqual([]);
});

/** In Chinese letters, one can be a word. */
const isTooShort = (word: string) => !/..|\p{Script=Han}/u.test(word);

test.each(files)('in $tag, each word is there once, and is neither too short nor too long', ({ words }) => {
  const complaints = wordsOf(words).flatMap(({ list, text, word }, at, all) => {
    const first = all.slice(0, at).find((other) => other.list === list && other.word === word);
    if (first) return [`Leave "${first.text}" or "${text}" out of ${list}: functions/names/spelling.ts makes them one`];
    return isTooShort(word) ? [`Leave "${text}" out of ${list}: as a name, it is too short or too long`] : [];
  });
  expect(complaints).toEqual([]);
});

/** The texts of a file by their paths. A list of words is one text. */
const textsIn = (part: unknown, path: readonly string[] = []): readonly (readonly [path: string, text: string])[] => {
  if (typeof part === 'string') return [[path.join('.'), part]];
  if (Array.isArray(part)) return [[path.join('.'), part.join(', ')]];
  return Object.entries(part ?? {}).flatMap(([key, value]) => textsIn(value, [...path, key]));
};

const { en: _, ...translated } = languages;

test.each(Object.entries(translated))('%s has no text in English', async (tag, { load }) => {
  const english = new Map(textsIn(await languages.en.load()));
  const same = textsIn(await load()).filter(([path, text]) => english.get(path) === text);
  // Single words are the same in some languages: `Site`.
  const complaints = same.filter(([, text]) => text.includes(' ')).map(([path]) => `Translate ${path} of ${tag}.ts`);
  expect(complaints).toEqual([]);
});

test.each(files)('no two fields have the same label in $tag', ({ pages: { labels } }) => {
  expect(new Set(Object.values(labels)).size).toBe(Object.values(labels).length);
});

test.each(files)(
  'the confirmation in $tag names the site, the time and the reference once each',
  ({ confirmation }) => {
    const placeholders = [...confirmation.text.matchAll(/\{\w*\}/g)].map(([placeholder]) => placeholder);
    expect(placeholders.toSorted()).toEqual(['{reference}', '{site}', '{time}']);
    expect(confirmation.subject.replace('{site}', '')).not.toMatch(/[{}\r\n]/);
  },
);

const errorsOfFiles = [
  { field: 'cv', code: 'too_many_files', limit: 5 },
  { field: 'cv', code: 'file_type', types: ['PDF', 'JPEG'] },
  { field: 'cv', code: 'empty_file' },
  { field: 'cv', code: 'files_too_large', limit: 4_400_000, sent: 4_400_001 },
  { field: 'cv', code: 'daily_files_limit' },
] satisfies readonly FieldError[];

/** Digits as people write them in the language, who may have their own. */
const written = (number: number, tag: string) => number.toLocaleString(tag);

test.each(files)('the errors of files in $tag say what is accepted and, in megabytes, what was sent', (language) => {
  const [many, type, empty, large, daily] = errorsOfFiles.map((error) => errorMessage(language, error));
  expect(many).toContain('5');
  expect(type).toContain('PDF, JPEG');
  expect(large).toContain(written(4.4, language.tag));
  expect(large).toContain(written(4.5, language.tag));
  expect([many, type, empty, large, daily].join()).not.toMatch(/[{}]/);
});

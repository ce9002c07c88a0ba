import { globSync, readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { fieldNames, spamMarks } from '../../functions/contacts/contact.ts';
import { languages } from '../../functions/languages/languages.ts';
import { labelOf } from '../../functions/languages/load.ts';
import { details } from '../../inbox/names.js';

/** A text, or one for each form of the plural. */
type Text = string | Readonly<Record<string, string>>;

const languageFile = v.object({
  default: v.objectWithRest(
    { direction: v.picklist(['ltr', 'rtl']) },
    v.union([v.string(), v.record(v.string(), v.string())]),
  ),
});

const textsIn = async (tag: string): Promise<Readonly<Record<string, Text>>> =>
  v.parse(languageFile, await import(`../../inbox/languages/${tag}.js`)).default;

const tags = readdirSync('inbox/languages').map((file) => file.replace('.js', ''));
const english = await textsIn('en');

const formsOf = (text: Text = ''): Readonly<Record<string, string>> =>
  typeof text === 'string' ? { always: text } : text;

const placeholdersIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ');

/** The forms of the plural that a language has, each with the numbers that take it. */
const numbersOf = (tag: string): ReadonlyMap<string, readonly number[]> => {
  const rules = new Intl.PluralRules(tag);
  return Map.groupBy(Array.from({ length: 201 }).keys(), (count) => rules.select(count));
};

/** What is wrong with a text of a language. A form that a single number takes need not say the number. */
const errorsOf = (tag: string, key: string, text: Text | undefined): string[] => {
  const original = english[key];
  if (text === undefined) return [`${key} is missing`];
  if (original === undefined) return [`${key} is not in en.js`];
  const expected = placeholdersIn(Object.values(formsOf(original)).join());
  const forms = formsOf(text);
  const numbers = typeof original === 'string' ? new Map([['always', []]]) : numbersOf(tag);
  const missing = [...numbers.keys()].filter((form) => !Object.hasOwn(forms, form));
  const unknown = Object.keys(forms).filter((form) => !numbers.has(form));
  const others = Object.entries(forms).filter(
    ([form, each]) => placeholdersIn(each) !== expected && numbers.get(form)?.length !== 1,
  );
  return [
    ...missing.map((form) => `${key} lacks the form ${form}`),
    ...unknown.map((form) => `${key} has the form ${form}`),
    ...others.map(([form]) => `${key} (${form}) does not have exactly ${expected || 'no placeholder'}`),
  ];
};

test.each(tags)('the inbox says everything in the language "%s"', async (tag) => {
  const texts = await textsIn(tag);
  const keys = [...new Set([...Object.keys(english), ...Object.keys(texts)])];
  expect(keys.flatMap((key) => errorsOf(tag, key, texts[key]))).toEqual([]);
});

test('inbox/texts.js has a row for each language', () => {
  const [, row = ''] = /^const tags = \[(.*)\];$/m.exec(readFileSync('inbox/texts.js', 'utf8')) ?? [];
  expect(row.match(/\w+/g)?.toSorted()).toEqual(tags.toSorted());
});

test.each(Object.entries(languages).filter(([tag]) => tags.includes(tag)))(
  'the inbox calls fields as pages and emails do in the language "%s"',
  async (tag, { load }) => {
    const { dir, pages, emails } = await load();
    const labels = fieldNames.map((name) => [name, labelOf(pages, name)] as const);
    expect(await textsIn(tag)).toMatchObject({
      direction: dir,
      ...Object.fromEntries(labels.filter(([name]) => Object.hasOwn(english, name))),
      site: emails.site,
      form: emails.form,
      campaign: emails.campaign,
      releasedAt: emails.released,
      otherFields: emails.otherFields,
    });
  },
);

/** Buttons whose names say more than they show. Who speaks to a computer says what a button shows. */
const named = [
  ['copy', 'copyOf'],
  ['call', 'callOf'],
  ['get', 'getOf'],
  ['filters', 'filtersActive'],
] as const;

test.each(tags)('the names of buttons have in them what these show in the language "%s"', async (tag) => {
  const texts = await textsIn(tag);
  for (const [shown, name] of named) {
    for (const form of Object.values(formsOf(texts[name]))) {
      expect(form.toLowerCase()).toContain(String(texts[shown]).toLowerCase());
    }
  }
});

const keyOfReason = (reason: string) => `spam ${reason}`;

test('the inbox says of spam why it was marked as functions/contacts/contact.ts does', () => {
  const meanings = Object.fromEntries(spamMarks.map(({ reason, meaning }) => [keyOfReason(reason), meaning]));
  expect(english).toMatchObject(meanings);
});

const code = globSync('inbox/*.js')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const page = readFileSync('inbox/index.html', 'utf8');

const matches = (source: string, pattern: RegExp) => [...source.matchAll(pattern)].flatMap(([, ...found]) => found);

/** The texts that index.html and the modules ask for. */
const asked = [
  'direction',
  ...matches(page, /\bdata-(?:text|label|title|placeholder)="([^"]*)"/g),
  ...matches(code, /\bsay\((?:[^,'`]*\? )?'([^']*)'(?: : '([^']*)')?/g),
  ...details,
  ...spamMarks.map(({ reason }) => keyOfReason(reason)),
].filter((key) => key !== undefined);

test('the inbox has every text that it asks for', () => {
  expect(asked.filter((key) => !Object.hasOwn(english, key))).toEqual([]);
});

test('the inbox has no text that nothing asks for', () => {
  const words = new Set([...asked, ...matches(code, /'(\w+)'/g)]);
  /** Such as `spam ${reason}`. */
  const isComposed = (key: string) => key.includes(' ') && code.includes(`\`${key.split(' ')[0]} \${`);
  expect(Object.keys(english).filter((key) => !words.has(key) && !isComposed(key))).toEqual([]);
});

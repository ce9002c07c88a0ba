import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { Language } from '../../functions/languages/language.ts';
import { languages } from '../../functions/languages/languages.ts';
import { loadLanguage } from '../../functions/languages/load.ts';

const loaded = await Promise.all(Object.keys(languages).map((tag) => loadLanguage([tag])));

const nameOf = (tag: string) => new Intl.DisplayNames('en', { type: 'language' }).of(tag);

const entry = (key: string, text: string) => `  ${key}: '${text.replaceAll("'", "\\'")}',`;

/** The block `texts` of contact-form.js in a language. */
const blockOf = ({ tag, pages: { errors }, script }: Language) =>
  [
    'const texts = {',
    entry('language', tag),
    ...(['sending', 'uploading', 'arrived', 'mistakes', 'captcha', 'unreachable'] as const).map((key) =>
      entry(key, script[key]),
    ),
    ...([403, 413, 415, 429, 500, 503] as const).map((key) => entry(String(key), script[key])),
    ...(['too_many_files', 'file_type', 'empty_file', 'files_too_large'] as const).map((key) =>
      entry(key, errors[key]),
    ),
    ...(tag === 'en'
      ? []
      : [
          entry('required', errors.required.other),
          ...(['too_long', 'invalid_email', 'invalid_phone'] as const).map((key) => entry(key, errors[key])),
        ]),
    '};',
  ].join('\n');

test.each(loaded.filter(({ tag }) => tag !== 'en'))(
  'example-site/texts/$tag.js has the texts of the language (vitest -u writes it)',
  async (language) => {
    const hint = `// The texts in ${nameOf(language.tag)}. Replace \`const texts = { … };\`, at the top of your contact-form.js, by this file.`;
    const file = `../../example-site/texts/${language.tag}.js`;
    await expect(`${hint}\n\n${blockOf(language)}\n`).toMatchFileSnapshot(file);
  },
);

test('example-site/texts has no other language', () => {
  const tags = globSync('example-site/texts/*.js').map((file) => basename(file, '.js'));
  expect(['en', ...tags].toSorted()).toEqual(Object.keys(languages).toSorted());
});

test('contact-form.js has the English texts', () => {
  const [, indent = '', block = ''] =
    /^( +)(const texts = \{\n.*?^\1\};)$/ms.exec(read('example-site/contact-form.js')) ?? [];
  const english = loaded.find(({ tag }) => tag === 'en');
  expect(english && block.replaceAll(`\n${indent}`, '\n')).toBe(english && blockOf(english));
});

test('docs/forms.md lists the languages of the service', () => {
  const [, list = ''] = /knows these languages:\n\n(.*?)\n\n/s.exec(read('docs/forms.md')) ?? [];
  const tags = [...list.matchAll(/`(\w+)` \p{Lu}/gu)].map(([, tag]) => tag);
  expect(tags.toSorted()).toEqual(Object.keys(languages).toSorted());
});

test('French texts have narrow no-break spaces before ":", ";", "?", "!" and inside "« »"', async () => {
  const { pages, emails, script, confirmation } = await languages.fr.load();
  const texts = [...JSON.stringify([pages, emails, script, confirmation]).matchAll(/"([^"]*)"(?!:)/g)].map(
    ([, text = '']) => text,
  );
  expect(texts.filter((text) => /[^\u202f][:;?!»](?!\/\/)|«[^\u202f]/.test(text))).toEqual([]);
});

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

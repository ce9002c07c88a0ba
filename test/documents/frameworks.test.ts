import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn, headings } from '../frameworks/documented.ts';

/** The only form in a text, without indentation and comments. */
const formIn = (text: string) => {
  const [, indent = '', form = ''] = /^( *)(<form .*?<\/form>)$/ms.exec(text) ?? [];
  return form.replaceAll(`\n${indent}`, '\n').replace(/^ *<!--.*-->\n/gm, '');
};

/** JSX's names of attributes. */
const htmlNames = new Map([
  ['autoComplete', 'autocomplete'],
  ['className', 'class'],
  ['htmlFor', 'for'],
  ['maxLength', 'maxlength'],
  ['tabIndex', 'tabindex'],
]);

/** A form as HTML, without its action. */
const asHtml = (form: string) =>
  form
    .replace(/^<form .*? method=/, '<form method=')
    .replace(/ (\w+)=/g, (_, name: string) => ` ${htmlNames.get(name) ?? name}=`)
    .replace(/=\{(-?\d+)\}/g, '="$1"');

const documentedForm = (heading: string) => formIn([...filesIn(heading).values()].join('\n'));

test('the form of docs/frameworks.md in plain HTML consists of fields of the form in the README', () => {
  const fields = formIn(readFileSync('README.md', 'utf8')).split('\n\n');
  const documented = documentedForm('Plain HTML');
  expect(documented.split('\n')[0]).toBe(fields[0]?.split('\n')[0]);
  const [, ...others] = documented.split('\n\n');
  expect(fields).toEqual(expect.arrayContaining(others));
  for (const name of ['email', 'message', '_gotcha']) expect(documented).toContain(`name="${name}"`);
});

const [plainHtml, ...frameworks] = headings;

test('docs/frameworks.md begins with plain HTML', () => {
  expect(plainHtml).toBe('Plain HTML');
});

test.each(frameworks)('docs/frameworks.md has the same form for %s as in plain HTML', (heading) => {
  expect(asHtml(documentedForm(heading))).toBe(asHtml(documentedForm('Plain HTML')));
});

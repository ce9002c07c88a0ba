import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn, headings } from '../frameworks/documented.ts';
import { formIn } from '../support/markdown.ts';

/** JSX's names of attributes. */
const htmlNames = new Map([
  ['autoComplete', 'autocomplete'],
  ['className', 'class'],
  ['htmlFor', 'for'],
  ['maxLength', 'maxlength'],
  ['tabIndex', 'tabindex'],
]);

/** A form as HTML, without its action and comments. */
const asHtml = (form: string) =>
  form
    .replace(/^<form .*? method=/, '<form method=')
    .replaceAll(/^ *<!--.*-->\n/gm, '')
    .replace(/ (\w+)=/g, (_, name: string) => ` ${htmlNames.get(name) ?? name}=`)
    .replace(/=\{(-?\d+)\}/g, '="$1"');

const documentedForm = (heading: string) => formIn([...filesIn(heading).values()].join('\n'));

/** Its start tag, and its fields. */
const partsOf = (form: string) => {
  const [start, ...lines] = form.split('\n');
  return { start, fields: lines.join('\n').split('\n\n') };
};

const [firstHeading = '', ...otherHeadings] = headings;
const firstForm = asHtml(documentedForm(firstHeading));

test('the first form of docs/frameworks.md consists of fields of the form in the README', () => {
  const readme = partsOf(asHtml(formIn(readFileSync('README.md', 'utf8'))));
  const { start, fields } = partsOf(firstForm);
  expect(start).toBe(readme.start);
  expect(readme.fields).toEqual(expect.arrayContaining(fields));
  for (const name of ['email', 'message', '_gotcha']) expect(firstForm).toContain(`name="${name}"`);
});

test.each(otherHeadings)('docs/frameworks.md has the same form for %s as for the first framework', (heading) => {
  expect(asHtml(documentedForm(heading))).toBe(firstForm);
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sampleFields } from '../../functions/contacts/contact.ts';
import { parseForm } from '../support/fields.ts';
import { codesIn, sectionOf, tablesIn } from '../support/markdown.ts';

/** The fields of the table in docs/forms.md, each with the names under which it is found. */
const documentedNames = () =>
  tablesIn(sectionOf(readFileSync('docs/forms.md', 'utf8'), 'Names of fields'))
    .flat()
    .flatMap(([fields, names = '']) => {
      const lists = names.split(';');
      return codesIn(fields).flatMap((field, at) => codesIn(lists[at]).map((name) => [field, name] as const));
    });

it.each(documentedNames())('a form finds %s under the name %s, as docs/forms.md says', async (field, name) => {
  const value = sampleFields[field];
  // The same under a name that means nothing: so the value alone does not tell.
  const sent = { [name]: value, q1: value };
  expect((await parseForm(sent)).fields).toEqual({ [field]: value, extra: { q1: value } });
});

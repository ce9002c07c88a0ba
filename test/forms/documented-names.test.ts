import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sampleFields } from '../../functions/contacts/contact.ts';
import { startContacts } from '../support/contacts.ts';

/** The rows of the table in docs/forms.md: a field, and names under which it is found. */
const documentedNames = () => {
  const [, rows = ''] = /^\| of the six \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(readFileSync('docs/forms.md', 'utf8')) ?? [];
  const codesIn = (text = '') => [...text.matchAll(/`(.*?)`/g)].map(([, code = '']) => code);
  return rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, fields, names = ''] = row.split('|');
      const lists = names.split(';');
      return codesIn(fields).flatMap((field, at) => codesIn(lists[at]).map((name) => [field, name] as const));
    });
};

it.each(documentedNames())('a form finds %s under the name %s, as docs/forms.md says', async (field, name) => {
  const value = sampleFields[field];
  const { id, createdAt, success, ...stored } = Object((await (await startContacts()).post({ [name]: value })).body);
  expect(stored).toEqual({ [field]: value });
});

import { expect, it, test } from 'vitest';
import { type Contact, contactFields } from '../../functions/contacts/contact.ts';
import { csvOf, separatorIn } from '../../inbox/csv.js';
import { countExtraNames, csvWithExtraColumns } from '../../lib/staff/work/export-csv.ts';
import { changingTexts, plainTexts, splitTexts } from '../support/csv-texts.ts';

const texts = [...Object.values(changingTexts).flat(), ...splitTexts.map(([text]) => text), ...plainTexts];

/** Every text in every field, more extra fields than have columns, and names that mean something in JavaScript. */
const contacts: readonly Contact[] = [
  ...texts.map((text, at): Contact => {
    const fields = Object.fromEntries(contactFields.map(({ name }) => [name, text]));
    const extra = JSON.parse(`{ "topic": ["One", ${JSON.stringify(text)}], "__proto__": "1", "constructor": "kept" }`);
    return {
      id: `5e8c0d6a-${at}`,
      createdAt: '2026-01-31T12:00:00.000Z',
      ...fields,
      form: text,
      campaign: text,
      extra,
      files: [
        { name: text, type: 'application/pdf', size: 1 },
        { name: 'cv.pdf', type: 'application/pdf', size: 1 },
      ],
    };
  }),
  ...[0, 40, 80].map((from): Contact => {
    const names = Array.from({ length: 40 }, (_, at) => `a,=n${String(from + at).padStart(3, '0')}`);
    const site = 'https://shop24.example.com';
    const extra = Object.fromEntries(names.map((name) => [name, `b;=${name}`]));
    return { id: '1', createdAt: '2', site, releasedAt: '2026-01-31T12:00:00.000Z', extra };
  }),
];

test.each([',', ';'])('a download is the file of the staff command, with "%s" between cells', (separator) => {
  const names = countExtraNames();
  contacts.forEach(names.add);
  const { header, toRow } = csvWithExtraColumns(names.mostFrequent(), separator);
  expect(csvOf(contacts, separator).join('')).toBe(`\ufeff${header}${contacts.map(toRow).join('')}`);
});

it.each([
  ['en-US', ','],
  ['en-GB', ','],
  ['zh-CN', ','],
  ['es-MX', ','],
  ['de-DE', ';'],
  ['fr-CA', ';'],
  ['pt-BR', ';'],
  ['ru', ';'],
])('separates cells in %s as its Excel does, by "%s"', (locale, separator) => {
  expect(separatorIn(locale)).toBe(separator);
});

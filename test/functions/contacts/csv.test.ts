import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { contactCsvHeader, textCell, toContactCsvRow } from '../../../functions/contacts/csv.ts';
import { changingTexts, plainTexts, splitTexts } from '../../support/csv-texts.ts';

const contact = (message: string): Contact => ({ id: '1', createdAt: '2', message });

const rows = v.array(v.record(v.string(), v.string()));

const cellsOf = (row: string) => v.parse(rows, parse(contactCsvHeader + row, { columns: true }))[0] ?? {};

it('quotes only cells that RFC 4180 requires to be quoted', () => {
  const row = toContactCsvRow({ id: 'a', createdAt: 'a,b', email: 'a\nb', phone: 'a"b', company: 'a;b' });
  expect(row).toMatch(/^a,"a,b","a\nb","a""b",a;b,+\r\n$/);
});

describe.each(Object.entries(changingTexts))('keeps %s as text by an apostrophe', (_, texts) => {
  it.each(texts)('%j', (text) => {
    expect(cellsOf(toContactCsvRow(contact(text)))).toMatchObject({ id: '1', createdAt: '2', message: `'${text}` });
  });
});

it.each(splitTexts)('stops spreadsheets that split %j from reading a formula', (message, cell) => {
  expect(cellsOf(toContactCsvRow(contact(message)))).toMatchObject({ message: cell });
});

it.each(plainTexts)('writes %j as it is', (message) => {
  expect(cellsOf(toContactCsvRow(contact(message)))).toMatchObject({ message });
});

it.each([
  [{ name: '=1+1' }, '{"name":"=1+1"}'],
  [{ '=name': ['a', '-1', 'b;=1'] }, '{"=name":["a","\\u002d1","b;\\u003d1"]}'],
  [{ a: '1', '＋b': '+1' }, '{"a":"1","\\uff0bb":"+1"}'],
])('stops spreadsheets from reading texts in %j as formulas, and stays JSON', (extra, cell) => {
  expect(cellsOf(toContactCsvRow({ ...contact('Hi'), extra }))).toMatchObject({ extra: cell });
});

/** Any text, with many characters that are special to CSV and spreadsheets. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...'=+-@＝\t\r\n",\'; \u3000\ufeff15'), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''));

/** As docs/scripts.md says. */
const textOf = (cell = '') => cell.replace(/^'/, '').replaceAll(/([,;\t\r\n])'(["'\p{Zs}]*[=+\-@＝＋－＠])/gu, '$1$2');

it('keeps every text but for apostrophes that a program can remove, and every extra field', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.dictionary(anyText, anyText, { maxKeys: 3 }), (message, company, extra) => {
      const cells = cellsOf(toContactCsvRow({ ...contact(message), company, extra }));
      expect(textOf(cells['message'])).toBe(message);
      expect(textOf(cells['company'])).toBe(company);
      expect(JSON.parse(cells['extra'] ?? '')).toEqual(extra);
    }),
  );
});

it('takes no longer for a text of many separators, digits or letters', () => {
  const started = performance.now();
  for (const part of [',', ' ', ';"', '1', '1 ', 'a', 'a1', "\t'"]) textCell(part.repeat(5000));
  expect(performance.now() - started).toBeLessThan(1000);
});

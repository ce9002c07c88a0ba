import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { contactCsvHeader, toContactCsvRow } from '../../../functions/contacts/csv.ts';

const contact = (message: string): Contact => ({ id: '1', createdAt: '2', message });

const rows = v.array(v.record(v.string(), v.string()));

const cellsOf = (row: string) => v.parse(rows, parse(contactCsvHeader + row, { columns: true }))[0] ?? {};

it('quotes only cells that RFC 4180 requires to be quoted', () => {
  const row = toContactCsvRow({ id: 'a', createdAt: 'a,b', email: 'a\nb', phone: 'a"b' });
  expect(row).toMatch(/^a,"a,b","a\nb","a""b",+\r\n$/);
});

it.each([
  ['=HYPERLINK("http://example.com")', `'=HYPERLINK("http://example.com")`],
  ['+1 555 0100', "'+1 555 0100"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "\t'=1"],
  ['\r=1', "\r'=1"],
  ['1=1', '1=1'],
  ["'", "'"],
  ["Hi;=cmd|' /C calc'!A0", "Hi;'=cmd|' /C calc'!A0"],
  ['Hi\t=1\n=1,=1', "Hi\t'=1\n'=1,'=1"],
  ['Hi; "=1', `Hi;' "=1`],
  ['＝1;＋1;－1;＠1', "'＝1;'＋1;'－1;'＠1"],
  ['one - two, 3+4=7 a@b', 'one - two, 3+4=7 a@b'],
])('stops spreadsheets from reading %j as a formula', (message, cell) => {
  expect(cellsOf(toContactCsvRow(contact(message)))).toMatchObject({ id: '1', createdAt: '2', message: cell });
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
  .array(fc.oneof(fc.constantFrom(...'=+-@＝\t\r\n",\'; \u3000\ufeff'), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''));

it('keeps every text but for apostrophes, and every extra field', () => {
  const withoutApostrophes = (text = '') => text.replaceAll("'", '');
  fc.assert(
    fc.property(anyText, anyText, fc.dictionary(anyText, anyText, { maxKeys: 3 }), (message, company, extra) => {
      const cells = cellsOf(toContactCsvRow({ ...contact(message), company, extra }));
      expect(withoutApostrophes(cells['message'])).toBe(withoutApostrophes(message));
      expect(withoutApostrophes(cells['company'])).toBe(withoutApostrophes(company));
      expect(JSON.parse(cells['extra'] ?? '')).toEqual(extra);
    }),
  );
});

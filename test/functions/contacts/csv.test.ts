import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Contact, fieldNames } from '../../../functions/contacts/contact.ts';
import { contactCsvHeader, toContactCsvRow } from '../../../functions/contacts/csv.ts';

const contact = (message: string): Contact => ({ id: '1', createdAt: '2', message });

/** Any text, with more of what CSV and spreadsheets mind than chance would bring. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...'=+-@＝\t\r\n",\'; \u3000\ufeff'), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''));

const anyContact: fc.Arbitrary<Contact> = fc
  .record({
    id: fc.uuid(),
    createdAt: fc.constant('2026-03-01T12:00:00.000Z'),
    message: anyText,
    others: fc.dictionary(fc.constantFrom(...fieldNames), anyText),
    extra: fc.dictionary(anyText, fc.oneof(anyText, fc.array(anyText, { maxLength: 3 })), { maxKeys: 3 }),
  })
  .map(({ others, ...required }) => ({ ...others, ...required }));

const columns = ['id', 'createdAt', ...fieldNames, 'site', 'releasedAt'] as const;

const rows = v.array(v.record(v.string(), v.string()));

/** The cells of a text with one contact request, by their column. */
const cellsOf = (row: string): Record<string, string> => {
  const [record] = v.parse(rows, parse(contactCsvHeader + row, reading));
  return record ?? {};
};

const reading = { columns: true, record_delimiter: '\r\n' };

/** What a reader of the CSV gets for a value. */
const asRead = (value = '') =>
  value.replaceAll(/(^|[,;\t\r\n])(?=["' \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*[=+@＝＋－＠-])/g, "$1'");

describe('contact requests as CSV', () => {
  it('has the fields as columns, in their order', () => {
    expect(contactCsvHeader).toBe(`${columns.join(',')},extra\r\n`);
  });

  it('has quotes where RFC 4180 needs them alone', () => {
    const row = toContactCsvRow({ ...contact('Hi'), firstName: 'a,b', lastName: 'a\nb' });
    expect(row).toBe('1,2,,,,Hi,"a,b","a\nb",,,\r\n');
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
  ])('keeps %j from being a formula', (message, cell) => {
    expect(cellsOf(toContactCsvRow(contact(message)))).toMatchObject({ id: '1', createdAt: '2', message: cell });
  });

  it.each([
    [{ name: '=1+1' }, '{"name":"=1+1"}'],
    [{ '=name': ['a', '-1', 'b;=1'] }, '{"=name":["a","\\u002d1","b;\\u003d1"]}'],
    [{ a: '1', '＋b': '+1' }, '{"a":"1","\\uff0bb":"+1"}'],
  ])('keeps what stands in %j from being a formula, and JSON', (extra, cell) => {
    expect(cellsOf(toContactCsvRow({ ...contact('Hi'), extra }))).toMatchObject({ extra: cell });
  });

  it('reads back what was written, whatever it was', () => {
    fc.assert(
      fc.property(fc.array(anyContact, { maxLength: 3 }), (contacts) => {
        const text = contactCsvHeader + contacts.map(toContactCsvRow).join('');
        expect(
          v.parse(rows, parse(text, reading)).map((row) => ({ ...row, extra: JSON.parse(row['extra'] ?? '') })),
        ).toEqual(
          contacts.map((sent) => ({
            ...Object.fromEntries(columns.map((column) => [column, asRead(sent[column])])),
            extra: sent.extra,
          })),
        );
      }),
    );
  });
});

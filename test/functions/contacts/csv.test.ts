import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { contactCsvHeader, toContactCsvRow } from '../../../functions/contacts/csv.ts';

const contact = (message: string): Contact => ({ id: '1', createdAt: '2', message });

/** Any text, with more of what CSV and spreadsheets mind than chance would bring. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...'=+-@\t\r\n",\'; \ufeff'), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''));

const anyContact: fc.Arbitrary<Contact> = fc.record(
  {
    id: fc.uuid(),
    createdAt: fc.constant('2026-03-01T12:00:00.000Z'),
    message: anyText,
    email: anyText,
    phone: anyText,
    company: anyText,
    firstName: anyText,
    lastName: anyText,
  },
  { requiredKeys: ['id', 'createdAt', 'message'] },
);

/** What a reader of the CSV gets for a value. */
const asRead = (value = '') => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

describe('contact requests as CSV', () => {
  it('has the fields as columns, in their order', () => {
    expect(contactCsvHeader).toBe('id,createdAt,email,phone,company,message,firstName,lastName\r\n');
  });

  it.each([
    ['=HYPERLINK("http://example.com")', `"'=HYPERLINK(""http://example.com"")"`],
    ['+1 555 0100', "'+1 555 0100"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['1=1', '1=1'],
    ["'", "'"],
  ])('keeps %j from being a formula', (message, cell) => {
    expect(toContactCsvRow(contact(message))).toBe(`1,2,,,,${cell},,\r\n`);
  });

  it('reads back what was written, whatever it was', () => {
    fc.assert(
      fc.property(fc.array(anyContact, { maxLength: 3 }), (contacts) => {
        const text = contactCsvHeader + contacts.map(toContactCsvRow).join('');
        const [header = [], ...rows] = parse(text, { record_delimiter: '\r\n' });
        expect(rows.map((row) => Object.fromEntries(row.map((cell, column) => [header[column], cell])))).toEqual(
          contacts.map(({ id, createdAt, email, phone, company, message, firstName, lastName }) => ({
            id,
            createdAt,
            email: asRead(email),
            phone: asRead(phone),
            company: asRead(company),
            message: asRead(message),
            firstName: asRead(firstName),
            lastName: asRead(lastName),
          })),
        );
      }),
    );
  });
});

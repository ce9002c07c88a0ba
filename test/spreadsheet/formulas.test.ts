import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactCsvHeader, toContactCsvRow } from '../../functions/contacts/csv.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Separators and quotes of the import filter, by their codes. */
const separators = { comma: 44, semicolon: 59, tab: 9 } as const;
const quotes = { 'double quotes': 34, 'no quotes': 0 } as const;

/**
 * The formulas that LibreOffice finds in a CSV text when it evaluates formulas.
 * https://help.libreoffice.org/latest/en-US/text/shared/guide/csv_params.html
 */
const formulasIn = async (csv: string, separator: number, quote: number): Promise<string[]> => {
  await writeFile(join(folder, 'sheet.csv'), csv);
  const [utf8, firstRow, evaluateFormulas] = [76, 1, 'true'];
  const filter = `CSV:${separator},${quote},${utf8},${firstRow},,0,false,true,false,false,false,-1,${evaluateFormulas}`;
  await promisify(execFile)(process.env['SOFFICE'] ?? 'soffice', [
    `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`,
    `--infilter=${filter}`,
    ...['--headless', '--convert-to', 'fods', '--outdir', folder, join(folder, 'sheet.csv')],
  ]);
  const sheet = await readFile(join(folder, 'sheet.fods'), 'utf8');
  return [...sheet.matchAll(/table:formula="([^"]*)"/g)].map(([, formula = '']) => formula);
};

const parts = fc.constantFrom(
  ...[
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(1)',
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://a.example")',
  ],
  ...[',', ';', '\t', '\n', '\r\n', '"', '""', "'", ' ', '\u3000', 'x', '1', '='],
);
const hostile = fc.array(parts, { minLength: 1, maxLength: 8 }).map((texts) => texts.join(''));
const contact = fc
  .record({
    ...{ email: hostile, phone: hostile, company: hostile, message: hostile, firstName: hostile, lastName: hostile },
    form: hostile,
    extra: fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile, { maxLength: 3 })), { maxKeys: 3 }),
  })
  .map((fields) => ({ id: '0', createdAt: '2026-03-01T12:00:00.000Z', ...fields }));

const csv = contactCsvHeader + fc.sample(contact, 2000).map(toContactCsvRow).join('');

const ways = Object.entries(separators).flatMap(([separator, code]) =>
  Object.entries(quotes).map(([quote, quoteCode]) => [separator, quote, code, quoteCode] as const),
);

test.for(ways)('no cell is a formula when split at each %s, with %s', async ([, , separator, quote]) => {
  expect(await formulasIn(csv, separator, quote)).toEqual([]);
});

// Otherwise a LibreOffice that finds no formulas at all would pass.
test.for(ways)('an unguarded cell is a formula when split at each %s, with %s', async ([, , separator, quote]) => {
  const unguarded = `a${String.fromCharCode(separator)}=1+1\r\n`;
  expect(await formulasIn(unguarded, separator, quote)).toEqual(['of:=1+1']);
});

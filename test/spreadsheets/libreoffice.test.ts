import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Contact } from '../../functions/contacts/contact.ts';
import { csvWithExtraColumns } from '../../lib/staff/work/export-csv.ts';
import { changingTexts, plainTexts, splitTexts } from '../support/csv-texts.ts';

const run = promisify(execFile);

/** Languages, each with LibreOffice's number of it and the language as others name it. https://wiki.openoffice.org/wiki/Languages */
const languages = [
  ['en-US', 1033],
  ['de-DE', 1031],
  ['fr-FR', 1036],
  ['sv-SE', 1053],
  ['pl-PL', 1045],
  ['ru-RU', 1049],
  ['en-ZA', 7177],
  ['es-ES', 3082],
  ['it-IT', 1040],
  ['tr-TR', 1055],
  ['vi-VN', 1066],
  ['ar-EG', 3073],
  ['ja-JP', 1041],
  ['zh-TW', 1028],
] as const;

const styles = ['full', 'long', 'medium', 'short'] as const;
const times = [Date.UTC(2026, 0, 31, 22, 5, 9), Date.UTC(2026, 4, 5, 9, 5)];

/** What people of a language write for days, times, amounts and shares. */
const localTexts = (language: string): readonly string[] => {
  const timeZone = 'UTC';
  const dates = styles.flatMap((dateStyle) => [
    new Intl.DateTimeFormat(language, { dateStyle, timeZone }),
    ...styles.map((timeStyle) => new Intl.DateTimeFormat(language, { dateStyle, timeStyle, timeZone })),
    new Intl.DateTimeFormat(language, { timeStyle: dateStyle, timeZone, hour12: true }),
    new Intl.DateTimeFormat(language, { timeStyle: dateStyle, timeZone, hour12: false }),
  ]);
  const months = (['long', 'short', 'narrow'] as const).flatMap((month) => {
    const format = new Intl.DateTimeFormat(language, { month, timeZone });
    return Array.from({ length: 12 }, (_, at) => format.format(Date.UTC(2026, at, 5)));
  });
  const numbers = [
    ...['USD', 'EUR', 'JPY', 'PLN'].flatMap((currency) =>
      (['symbol', 'code', 'name'] as const).map(
        (currencyDisplay) => new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay }),
      ),
    ),
    new Intl.NumberFormat(language),
    new Intl.NumberFormat(language, { style: 'percent' }),
    new Intl.NumberFormat(language, { notation: 'scientific' }),
    new Intl.NumberFormat(language, { notation: 'compact' }),
  ];
  return [
    ...dates.flatMap((format) => times.map((time) => format.format(time))),
    ...months.flatMap((month) => [month, `5 ${month}`, `${month} 5`, `5. ${month} 2026`, `${month}-26`, `5${month}`]),
    ...numbers.flatMap((format) => [20, 1234567.5, -5.25, 0.5].map((number) => format.format(number))),
  ];
};

const characters = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The text of a paragraph of OpenDocument. */
const textOf = (xml: string): string =>
  xml
    .replaceAll(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = '1') => ' '.repeat(Number(count)))
    .replaceAll('<text:tab/>', '\t')
    .replaceAll('<text:line-break/>', '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(\w+);/g, (_, name) => characters.get(name) ?? '');

/** OpenDocument has no tabs in a text of several lines. */
const onOneLine = (text: string): string => text.replaceAll(/[\t\r\n]/g, '');

/** A cell as LibreOffice has it: what it took it for, and what it shows. */
type Cell = readonly [type: string, shown: string];

/** The rows of a flat OpenDocument spreadsheet. */
const cellsIn = (xml: string): readonly (readonly Cell[])[] =>
  [...xml.matchAll(/<table:table-row.*?<\/table:table-row>/gs)].map(([row]) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = '', content = '']) => {
        const [, repeated = '1'] = /number-columns-repeated="(\d+)"/.exec(attributes) ?? [];
        const [, type = 'empty'] = /office:value-type="(\w+)"/.exec(attributes) ?? [];
        const lines = [...content.matchAll(/<text:p(?:\/>|>(.*?)<\/text:p>)/gs)].map(([, line = '']) => textOf(line));
        return Array.from({ length: Number(repeated) }, (): Cell => [type, onOneLine(lines.join(''))]);
      },
    ),
  );

/** A whole number may become one. */
const typeOf = (text: string): string => {
  if (text === '') return 'empty';
  return /^(?:0|[1-9]\d{0,10})$/.test(text) ? 'float' : 'string';
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spreadsheets-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Opens a file as a person would who has set the program to this language and confirms its dialog, which detects numbers. */
const open = async (csv: string, separator: string, language: number) => {
  const file = join(folder, 'contacts.csv');
  await writeFile(file, csv);
  // https://wiki.documentfoundation.org/Documentation/DevGuide/Spreadsheet_Documents#Filter_Options_for_the_CSV_Filter
  const filter = `Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,76,1,,${language},false,true,false`;
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
  const options = ['--headless', profile, `--infilter=${filter}`, '--convert-to', 'fods', '--outdir', folder, file];
  await run('soffice', options, { timeout: 120_000 });
  return cellsIn(await readFile(join(folder, 'contacts.fods'), 'utf8'));
};

test.each(languages)('LibreOffice in %s shows every cell as it is', async (language, code) => {
  const texts = [
    ...Object.values(changingTexts).flat(),
    ...splitTexts.map(([text]) => text),
    ...plainTexts,
    ...localTexts(language),
  ];
  const contacts = [...new Set(texts)].map((text, at): Contact => {
    const id = `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
    const time = new Date(at * 86_400_000).toISOString();
    return { id, createdAt: time, message: text, releasedAt: time, extra: { topic: text, other: text } };
  });
  // No rule applies to this column, so it shows that the program reads dates at all.
  const control: Contact = { id: 'control', createdAt: '2026-01-31', message: 'text' };
  for (const separator of [',', ';']) {
    const { header, toRow } = csvWithExtraColumns(['topic'], separator);
    const csv = `\ufeff${[header, ...[...contacts, control].map(toRow)].join('')}`;
    const rows = await open(csv, separator, code);
    expect(rows.at(-1)?.[1]?.[0]).toBe('date');
    const written: string[][] = parse(csv, { bom: true, delimiter: separator });
    const cells = written.slice(0, -1).map((row) => row.map((text): Cell => [typeOf(text), onOneLine(text)]));
    const width = cells[0]?.length;
    expect(rows.slice(0, -1).map((row) => row.slice(0, width))).toEqual(cells);
  }
});

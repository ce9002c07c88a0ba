import * as v from 'valibot';
import { maxUploadBytes } from '../functions/files/file.ts';
import { fileTypeNames } from '../functions/files/type-names.ts';
import { zipOf } from '../test/support/containers.ts';
import { startCaller } from './callers.ts';
import { contact } from './contact.ts';
import { inTurns, named } from './measure.ts';
import { figure, type Section } from './page.ts';
import { create, postOf, type Variant, withVariants } from './variants.ts';

/** The largest body that the service accepts, in bytes, apart from files. */
const size = 64 * 1024;

/** Nearly as many values as the service accepts. */
const most = 490;

const callsOfRound = 20;

/** Repeats a unit until the body has its size, or as often as the service accepts it. */
const filled = (head: string, unit: (index: number) => string, tail = '', times = size, most = size): string => {
  const units: string[] = [];
  let bytes = Buffer.byteLength(head + tail);
  for (let index = 0; index < times; index += 1) {
    bytes += Buffer.byteLength(unit(index));
    if (bytes > most) break;
    units.push(unit(index));
  }
  return head + units.join('') + tail;
};

const urlEncoded = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';

const ordinary = 'an ordinary contact request';
const open = JSON.stringify(contact).slice(0, -1);
const marks = '\u0300\u0323';

/** The most text that the service accepts: a message, and three other fields with their names. */
const textOf = (unit: string): string => {
  const most = Math.floor(5_000 / unit.length);
  const other = unit.repeat(Math.min(most, Math.floor(5_400 / Buffer.byteLength(unit))));
  return JSON.stringify({ message: unit.repeat(most), a: other, b: other, c: other });
};

/** The most expensive bodies of this size, now or before there were limits. */
const bodies: Readonly<Record<string, ReturnType<typeof postOf>>> = {
  [ordinary]: postOf(JSON.stringify(contact)),
  'extra fields of combining marks': postOf(filled(open, (index) => `,"${index}":"a${marks.repeat(999)}"`, '}')),
  '5,000 members': postOf(filled(open, (index) => `,"${index.toString(36)}":1`, '}', 4_990)),
  '490 members': postOf(filled(open, (index) => `,"${index.toString(36)}":1`, '}', most)),
  'an extra field of 490 values': postOf(filled(`${open},"notes":["a"`, () => ',"a"', ']}', most)),
  'a message of 490 texts': postOf(
    filled('{"message":["a"', (index) => `,"${'aB \u00e9 '.repeat(20)}${index}"`, ']}', most),
  ),
  '5,000 form fields of an old page': postOf(
    filled(String(new URLSearchParams(contact)), (index) => `&${index.toString(36)}=%E9%E9`, '', 4_990),
    urlEncoded,
  ),
  '490 form fields of an old page': postOf(
    filled(String(new URLSearchParams(contact)), (index) => `&${index.toString(36)}=${'%E9'.repeat(40)}`, '', most),
    urlEncoded,
  ),
  '64 KiB of Shift_JIS': postOf(
    filled('_charset_=Shift_JIS&message=', () => '%83%5C'),
    urlEncoded,
  ),
  '64 KiB of character references': postOf(
    filled('_charset_=windows-1251&message=', () => '%26%231055%3B'),
    urlEncoded,
  ),
  '10,000 lines of fields': postOf(
    filled('a=', (index) => `\n${index.toString(36)}=x`, '', 10_000),
    'text/plain',
  ),
  '490 lines of fields': postOf(
    filled('a=', (index) => `\n${index.toString(36)}=${'x'.repeat(120)}`, '', most),
    'text/plain',
  ),
  '64 KiB of line breaks': postOf(
    filled('a=b', () => '\n'),
    'text/plain',
  ),
  'a name of 64 KiB of combining marks': postOf(filled(`${open},"a`, () => marks, '":"a"}')),
  '490 names of combining marks': postOf(
    filled(open, (index) => `,"email${marks.repeat(25)}${index.toString(36)}":"a"`, '}', most),
  ),
  '490 names of words that say nothing': postOf(
    filled(open, (index) => `,"${'your'.repeat(28)}${index.toString(36)}":"a"`, '}', most),
  ),
  // Without accents, such a name has three times as many letters.
  '300 names of Korean syllables': postOf(
    filled(open, (index) => `,"${'\uac01'.repeat(61)}${index.toString(36)}":""`, '}', 300),
  ),
  '490 names with a long number': postOf(
    filled(open, (index) => `,"x${'1'.repeat(118)}x${index.toString(36)}":""`, '}', most),
  ),
  '490 texts of 60 combining marks': postOf(filled(`${open},"notes":["a"`, () => `,"${marks.repeat(30)}"`, ']}', most)),
  // Each value is normalised to see whether it fits.
  '49 spellings of `campaign`, of combining marks': postOf(
    filled(open, (index) => `,"campaign${'_'.repeat(index)}":"a${marks.repeat(330)}"`, '}', 49),
  ),
  '64 KiB of C1 control characters': postOf(filled(`${open},"notes":"`, () => '\u0085', '"}')),
  '190 spellings of `email`, and 290 texts': postOf(
    filled(
      `{${Array.from({ length: 190 }, (_, index) => `"e${'-'.repeat(index % 14)}mail${'.'.repeat(index / 14)}":"no"`)},"notes":["a"`,
      (index) => `,"${index.toString(36)}@${'a'.repeat(150)}"`,
      ']}',
      290,
    ),
  ),
  '490 international addresses': postOf(
    filled('{"notes":["a"', (index) => `,"${index}@${'\u00e9'.repeat(50)}"`, ']}', most),
  ),
  '170 addresses with long Chinese domains': postOf(
    filled('{"notes":["a"', (index) => `,"${index}@${'\u4e00\u9fff\u5b57'.repeat(40)}"`, ']}'),
  ),
  '490 numbers in Arabic digits': postOf(filled('{"notes":["a"', () => `,"${'\u0669'.repeat(60)}"`, ']}', most)),
  '490 texts of several words': postOf(filled('{"notes":["a"', () => `,"${'aB cD eF \u00e9 '.repeat(9)}"`, ']}', most)),
  '16,000 addresses in one field': postOf(
    filled('email=a@b', () => ',a@b'),
    urlEncoded,
  ),
  '200 names of ligatures': postOf(filled('{"a":"a"', (index) => `,"${'\ufdfa'.repeat(13)}${index}":"b"`, '}', 200)),
  '490 spellings of `campaign`': postOf(
    filled(
      '{"a":""',
      (index) =>
        `,"${[...index.toString(4).padStart(7, '0')].map((at, letter) => `${'c\u00e2mpaign'[letter]}${'._- '[Number(at)]}`).join('')}n":1`,
      '}',
      most,
    ),
  ),
  'an address sent 490 times': postOf(
    filled('{"your-email":["a@"', (index) => `,"${index}@${'a'.repeat(120)}"`, ']}', most),
  ),
  // For the marks by content.
  ...Object.fromEntries(
    Object.entries({
      'text of links': '<a http://',
      'text of escaped tags': '&lt;a ',
      'text of Cyrillic letters': '\u0439',
      'text of Greek letters with three accents': '\u1f82',
      'text of Korean syllables': '\uac01',
      'text of Japanese syllables': '\u304c',
      'text of Chinese characters, of which a word has one': '\u8d4c',
      'text of one-letter words': 'a ',
      'text of signs that stand for words': '\u3300',
      'text of Arabic ligatures': '\ufdfa',
      'text of Syriac marks': '\u0730\u0731',
      'text of half-width marks': '\uff9e\u0730',
    }).map(([name, unit]) => [name, postOf(textOf(unit))]),
  ),
  '500 files': postOf(
    filled('', () => '--b\r\nContent-Disposition: form-data; name="a"; filename=a\r\n\r\n\r\n', '--b--\r\n', 495),
    multipart,
  ),
};

const partOf = (name: string) => `--b\r\nContent-Disposition: form-data; name="a"; filename="${name}"\r\n\r\n`;

/** A form with files, to whose kind the settings below are. */
const filesOf = (name: string, ...contents: readonly (string | Uint8Array)[]) =>
  postOf(
    Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="form-name"\r\n\r\nfiles\r\n'),
      ...contents.flatMap((content) => [Buffer.from(partOf(name)), Buffer.from(content), Buffer.from('\r\n')]),
      Buffer.from('--b--\r\n'),
    ]),
    multipart,
  );

/** A text that is as large as it can be, and whose last character shows that it is none. */
const noText = (unit: string) => filled('', () => unit, '\0', maxUploadBytes, maxUploadBytes - 300);

const contentTypes = { '[Content_Types].xml': Buffer.alloc(120_000, 'macroEnable'), mimetype: Buffer.alloc(120_000) };

/** The most expensive bodies of 4.4 MB. Each is refused, since storing it would cost more than reading it. */
const bodiesWithFiles: typeof bodies = {
  'a text of 4.4 MB': filesOf('a.txt', noText('Hello. ')),
  '4.4 MB of beginnings of a boundary': filesOf('a.txt', noText('\r\n--')),
  '4.4 MB in one letter': filesOf('a.txt', noText('b')),
  '70,000 files': postOf(
    filled('', () => `${partOf('a')}\r\n`, '--b--\r\n', maxUploadBytes, maxUploadBytes),
    multipart,
  ),
  '499 files of 8 KB': filesOf('a.pdf', ...Array.from({ length: 499 }, () => '%PDF-'.padEnd(8_700))),
  'a header of 4.4 MB': postOf(
    filled(partOf('a').trimEnd(), () => ';        ', '\r\n\r\n\r\n--b--\r\n', maxUploadBytes, maxUploadBytes),
    multipart,
  ),
  'five archives of 5,000 entries': filesOf(
    'a.zip',
    ...Array.from({ length: 4 }, () =>
      zipOf(Object.fromEntries(Array.from({ length: 4_990 }, (_, at) => [`${at}`, '']))),
    ),
    '\0',
  ),
  'five documents that inflate': filesOf('a.zip', ...Array.from({ length: 4 }, () => zipOf(contentTypes)), '\0'),
  'a name of combining marks for each of five files': filesOf(
    marks.repeat(3_000),
    ...Array.from({ length: 4 }, () => '%PDF-'),
    '\0',
  ),
};

/** A form that accepts files, of any type. */
const filesVariables = {
  FILES: JSON.stringify({ dailyBytes: 1, caughtDailyBytes: 1 }),
  FILES_BUCKET: 'files',
  FORMS: JSON.stringify([['files', { files: { max: 5, types: fileTypeNames } }]]),
};

/** Marks by content, with as many words as there can be. */
const content = {
  senders: ['@spam.example'],
  links: 100,
  words: ['\u8d4c\u535a', 'make money online', ...Array.from({ length: 198 }, (_, at) => `word${at}`)],
};

/** A function with these marks, in whose absence every body costs less, and with files. */
const withMarks = (variant: Variant): Variant => ({
  ...variant,
  variables: {
    ...variant.variables,
    ...filesVariables,
    SPAM: JSON.stringify({ ...JSON.parse(variant.variables['SPAM'] ?? '{}'), content }),
  },
});

const responseSchema = v.object({ statusCode: v.number() });

export const measureBodies = (rounds: number): Promise<Section> =>
  withVariants(async (variants) => {
    const { call, stop } = startCaller(withMarks(named(variants, create)));
    try {
      await call(1_000, bodies[ordinary]);
      const statuses = new Map<string, number>();
      const results = await inTurns(
        rounds,
        ordinary,
        Object.entries({ ...bodies, ...bodiesWithFiles }).map(([name, event]) => [
          name,
          async () => {
            const { cpu, response } = await call(callsOfRound, event);
            statuses.set(name, v.parse(responseSchema, response).statusCode);
            return cpu;
          },
        ]),
      );
      const mostOf = (isWithFiles: boolean) =>
        Math.max(...results.filter(({ name }) => name in bodiesWithFiles === isWithFiles).map(({ value }) => value));
      return {
        title: 'Hostile bodies',
        headline: `A body that an attacker has made expensive costs at most ${figure(mostOf(false))} ms of CPU time; with files, of which it can have 4.4 MB, at most ${figure(mostOf(true))} ms.`,
        text: 'The CPU time of `create-contact` for the most expensive bodies that we know, with marks by sender, links and 200 words. Without files, a body has at most 64 KiB.',
        columns: ['body', 'CPU ms', 'status'],
        rows: results.map(({ name, value }) => [name, figure(value), String(statuses.get(name))]),
      };
    } finally {
      stop();
    }
  });

import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contactCsvHeader } from '../../functions/contacts/csv.ts';
import { putBrokenItem } from '../support/broken-item.ts';
import { testOnPosix } from '../support/posix.ts';
import { failingAt, meanwhile, pressCtrlCAt } from '../support/relayed-clients.ts';
import { lines, now, type RunOptions, refusal, type StaffService, startStaff, store, storeMany } from './staff.ts';

/** The columns of the API's CSV. `extra` is the last, behind those of extra fields. */
const exportHeader = contactCsvHeader.replace('extra,files', 'files,extra');

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const full = {
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  company: 'Analytical, Ltd.',
  message: 'Hello "there",\nsecond line',
  firstName: 'Ada',
  lastName: 'Lovelace',
};
const day = (date: number) => new Date(Date.UTC(2026, 1, date));
const run = (args: readonly string[], options?: RunOptions) => staff.run(['contacts', 'export', ...args], options);

describe('contacts export', () => {
  it('writes CSV with a header row that is safe in spreadsheets', async () => {
    const id = await store(staff, full);
    const { code, stdout, stderr } = await run([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Exported 1 contact request.\n' });
    expect(stdout.startsWith(exportHeader)).toBe(true);
    expect(parse(stdout, { columns: true })).toMatchObject([
      { id, createdAt: now.toISOString(), ...full, phone: "'+44 20 7946 0000" },
    ]);
  });

  it('writes only the header row if there is nothing', async () => {
    expect(await run([])).toEqual({ code: 0, stdout: exportHeader, stderr: 'Exported 0 contact requests.\n' });
  });

  it('writes JSON lines as the API returns them, without what could steer the terminal', async () => {
    const first = await store(staff, full, { createdAt: day(1) });
    const second = await store(staff, { phone: '=12345', message: 'a\u202eb\u2028c' }, { createdAt: day(2) });
    const { stdout } = await run(['--format', 'jsonl']);
    expect(stdout).toMatch(/^[\x20-\x7e\n]+$/);
    expect(lines(stdout).map((line) => JSON.parse(line))).toEqual([
      { id: second, createdAt: day(2).toISOString(), phone: '=12345', message: 'a\u202eb\u2028c' },
      { id: first, createdAt: day(1).toISOString(), ...full },
    ]);
    const spam = await store(staff, full, { spam: 'captcha' });
    const { stdout: onlySpam } = await run(['--spam', '--format', 'jsonl']);
    expect(JSON.parse(onlySpam)).toEqual({ id: spam, createdAt: now.toISOString(), ...full, spamReason: 'captcha' });
  });

  it('leaves out an unreadable item and names it', async () => {
    await store(staff, full);
    const broken = await putBrokenItem(staff.tables.contacts, 'inbox', '2026-02-01T12:00:00.000Z#');
    expect(await run([])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        `^Left out the contact request ${broken}: .*docs/runbook.md.*\nExported 1 contact request.\n$`,
      ),
    });
  });

  it('filters by time, spam, site, form, campaign and person', async () => {
    const site = 'https://shop.example.com';
    await store(staff, { message: '1', email: 'Ada@Example.com' }, { createdAt: day(1) });
    await store(staff, { message: '2' }, { createdAt: day(2), site });
    await store(staff, { message: '3', form: 'sales', extra: { cc: 'ada@example.com' } }, { createdAt: day(3) });
    const fields = { message: '4', form: 'sales', phone: '+44 20 7946 0000', campaign: 'Spring' };
    await store(staff, fields, { createdAt: day(4) });
    await store(staff, { message: '5', email: 'bob@example.com', campaign: 'SPRING' }, { createdAt: day(5) });
    await store(staff, { message: 'spam' }, { createdAt: day(3), spam: true });
    const exported = async (input: string, ...args: string[]) => {
      const { stdout } = await run([...args, '--format', 'jsonl'], { input });
      return lines(stdout).map((line) => JSON.parse(line).message);
    };
    expect(await exported('')).toEqual(['5', '4', '3', '2', '1']);
    expect(await exported('', '--since', '2026-02-02', '--until', '2026-02-04')).toEqual(['3', '2']);
    expect(await exported('', '--spam')).toEqual(['spam']);
    expect(await exported('', '--site', `${site}/`)).toEqual(['2']);
    expect(await exported('', '--form', 'sales')).toEqual(['4', '3']);
    expect(await exported('', '--form', 'sales', '--email', 'ada@example.com')).toEqual(['3']);
    expect(await exported('', '--campaign', 'spring')).toEqual(['5', '4']);
    expect(await exported('', '--campaign', 'spring', '--phone', '0044 2079460000')).toEqual(['4']);
    expect(await exported('', '--email', 'ADA@example.com')).toEqual(['3', '1']);
    expect(await exported('', '--phone', '0044 2079460000')).toEqual(['4']);
    const person = 'ada@example.com\n+442079460000\n';
    expect(await exported(person, '--email', '-', '--phone', '-')).toEqual(['4', '3', '1']);
    expect(await exported('', '--email', 'ada@example.com', '--until', '2026-02-02')).toEqual(['1']);
  });
});

describe('contacts export of extra fields as CSV', () => {
  const header = (stdout: string): readonly string[] => parse(stdout, { to: 1 })[0] ?? [];
  const extraColumns = (stdout: string) => header(stdout).filter((name) => name.startsWith('extra.'));
  const rows = (stdout: string): readonly Readonly<Record<string, string>>[] => parse(stdout, { columns: true });

  it('has a column for each, the most frequent first, then by code units; a list has a line for each text', async () => {
    await store(staff, { extra: { b: '1', a: ['one', 'two\nlines'] } }, { createdAt: day(3) });
    await store(staff, { extra: { Z: 'z', often: '1' } }, { createdAt: day(2) });
    await store(staff, { extra: { often: '2' } }, { createdAt: day(1) });
    const { stdout } = await run([]);
    expect(header(stdout)).toEqual([
      ...header(exportHeader).slice(0, -1),
      'extra.often',
      'extra.Z',
      'extra.a',
      'extra.b',
      'extra',
    ]);
    expect(rows(stdout)).toMatchObject([
      { 'extra.a': 'one\ntwo\nlines', 'extra.b': '1', 'extra.often': '', extra: '' },
      { 'extra.Z': 'z', 'extra.often': '1', extra: '' },
      { 'extra.often': '2', extra: '' },
    ]);
  });

  it('counts only what it exports', async () => {
    await store(staff, { form: 'sales', extra: { budget: '1' } });
    await store(staff, { extra: { topic: '1' } });
    await store(staff, { extra: { trap: '1' } }, { spam: true });
    expect(extraColumns((await run(['--form', 'sales'])).stdout)).toEqual(['extra.budget']);
    expect(extraColumns((await run(['--spam'])).stdout)).toEqual(['extra.trap']);
  });

  it('keeps all but the 100 most frequent as JSON in the last column', async () => {
    const name = (at: number) => `field${String(at).padStart(3, '0')}`;
    const fields = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, at) => [name(from + at), String(from + at)]));
    await store(staff, { extra: fields(0, 50) }, { createdAt: day(2) });
    await store(staff, { extra: fields(50, 100) }, { createdAt: day(3) });
    await store(staff, { extra: fields(80, 102) }, { createdAt: day(4) });
    const { stdout } = await run([]);
    // Those that occur twice come first, and the last of those that occur once have no column.
    const numbers = Array.from({ length: 102 }, (_, at) => at);
    const ordered = [...numbers.slice(80, 100), ...numbers.slice(0, 80)].map((at) => `extra.${name(at)}`);
    expect(extraColumns(stdout)).toEqual(ordered);
    expect(rows(stdout).map(({ extra }) => extra)).toEqual(['{"field100":"100","field101":"101"}', '', '']);
  });

  it('keeps names that mean something in JavaScript', async () => {
    const extra = Object.fromEntries([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    await store(staff, { extra });
    await store(staff, {});
    const columns = parse((await run([])).stdout, { from: 2 }).map((cells) => cells.slice(-3));
    expect(columns.toSorted()).toEqual([
      ['', '', ''],
      ['1', '2', ''],
    ]);
  });

  it('stops spreadsheets from reading names and texts as formulas', async () => {
    await store(staff, { extra: { 'a;=1+1': ['b', '=HYPERLINK("https://example.com")'], '"=2",': '@SUM(A1)' } });
    const { stdout } = await run([]);
    expect(header(stdout)).toEqual(expect.arrayContaining(["extra.a;'=1+1", 'extra."=2",']));
    expect(rows(stdout)).toMatchObject([
      { "extra.a;'=1+1": `b\n'=HYPERLINK("https://example.com")`, 'extra."=2",': "'@SUM(A1)" },
    ]);
  });

  it('loses nothing of what arrives between its two readings', async () => {
    await store(staff, { extra: { topic: 'early' } }, { createdAt: day(1) });
    const gone = await store(staff, { extra: { gone: 'yes' } }, { createdAt: day(2) });
    const change = async () => {
      await staff.run(['contacts', 'delete', gone]);
      await store(staff, { extra: { late: '1', topic: 'late' } });
    };
    await using arriving = await meanwhile('Query', change, { nth: 2 });
    const { stdout, stderr } = await run([], arriving);
    expect(rows(stdout)).toMatchObject([
      { 'extra.gone': '', 'extra.topic': 'late', extra: '{"late":"1"}' },
      { 'extra.gone': '', 'extra.topic': 'early', extra: '' },
    ]);
    expect(stderr).toBe('Exported 2 contact requests.\n');
  });
});

describe('contacts export to a spreadsheet', () => {
  it('keeps what it would change as text, in fields and extra fields', async () => {
    const extra = { zip: '01234', amount: '120', days: ['1-2', '3-4'], 'Frage 1': 'Ja' };
    await store(staff, { phone: '00491234567', message: '1E5', extra });
    expect(parse((await run([])).stdout, { columns: true })).toMatchObject([
      {
        createdAt: now.toISOString(),
        phone: "'00491234567",
        message: "'1E5",
        'extra.zip': "'01234",
        'extra.amount': '120',
        'extra.days': "'1-2\n3-4",
        'extra.Frage 1': 'Ja',
      },
    ]);
  });

  it('separates cells by what --separator names', async () => {
    await store(staff, { ...full, message: 'a;b,c' });
    const { stdout } = await run(['--separator', ';']);
    expect(stdout.split('\r\n', 1)).toEqual([exportHeader.trim().replaceAll(',', ';')]);
    expect(parse(stdout, { columns: true, delimiter: ';' })).toMatchObject([
      { company: full.company, message: 'a;b,c' },
    ]);
    expect(await run(['--separator', '|'])).toEqual(refusal('--separator: Must be , or ;'));
  });
});

describe('contacts export of several pages', () => {
  const progress = (done: string) =>
    `${[100, 200, 225].map((amount) => `\r\u001b[K${amount} contact requests ${done}`).join('')}\r\u001b[K`;

  it('writes each contact request once, and shows progress on a terminal', async () => {
    const ids = await storeMany(staff, 225);
    const { stdout, stderr } = await run([], { terminals: ['stderr'] });
    expect(parse(stdout, { from: 2 }).map(([id]) => id)).toEqual(ids);
    expect(stderr).toBe(`${progress('read')}${progress('exported')}Exported 225 contact requests.\n`);
  });

  it('shows no progress between rows that it prints to the terminal', async () => {
    await storeMany(staff, 225);
    const { stderr } = await run([], { terminals: ['stdout', 'stderr'] });
    expect(stderr).toBe(`${progress('read')}Exported 225 contact requests.\n`);
  });
});

describe('contacts export --output', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'staff-'));
    file = join(folder, 'contacts.csv');
  });
  afterEach(() => rm(folder, { recursive: true }));

  testOnPosix('replaces a file by one that only its owner can read, also after a killed export', async () => {
    await writeFile(file, 'earlier');
    await writeFile(`${file}.partial`, 'killed', { mode: 0o644 });
    const id = await store(staff, full);
    expect(await run(['--output', file])).toEqual({ code: 0, stdout: '', stderr: 'Exported 1 contact request.\n' });
    expect(await readFile(file, 'utf8')).toMatch(`${exportHeader}${id},`);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await readdir(folder)).toEqual(['contacts.csv']);
  });

  testOnPosix.each([
    ['replaces the file behind a link', 'earlier'],
    ['makes the file behind a link to nowhere', undefined],
  ])('%s, and keeps the link', async (_, earlier) => {
    const link = join(folder, 'link.csv');
    if (earlier !== undefined) await writeFile(file, earlier);
    await symlink('contacts.csv', link);
    expect(await run(['--output', link])).toMatchObject({ code: 0 });
    expect([await readlink(link), await readFile(file, 'utf8')]).toEqual(['contacts.csv', `\ufeff${exportHeader}`]);
    expect((await readdir(folder)).sort()).toEqual(['contacts.csv', 'link.csv']);
  });

  it('writes to standard output for -', async () => {
    const id = await store(staff, full);
    const { stdout, stderr } = await run(['--output', '-', '--format', 'jsonl']);
    expect(stdout).toMatch(`{"id":"${id}",`);
    expect(stderr).toBe('Exported 1 contact request.\n');
  });

  it.each([
    ['csv', 0xfeff],
    ['jsonl', '{'.charCodeAt(0)],
  ])('begins a %s file with what Excel needs to read it as UTF-8, if it is for Excel', async (format, first) => {
    await store(staff, full);
    await run(['--format', format, '--output', file]);
    expect((await readFile(file, 'utf8')).charCodeAt(0)).toBe(first);
  });

  it('keeps the former file on Ctrl-C', async () => {
    await writeFile(file, 'earlier');
    await using ctrlC = await pressCtrlCAt('Query');
    expect(await run(['--output', file], ctrlC)).toMatchObject({ code: 130, stderr: 'Stopped before the end.\n' });
    expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['contacts.csv'], 'earlier']);
  });

  it('leaves no file if the store fails in the middle', async () => {
    await storeMany(staff, 101);
    const client = failingAt('Query', { after: 1 });
    expect(await run(['--output', file], { client })).toEqual(refusal('Failed: The line is cut.'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses to write to a folder, or into a missing one', async () => {
    const folderItself = join(folder, 'contacts');
    const missing = join(folder, 'nowhere', 'contacts.csv');
    await mkdir(folderItself);
    for (const [args, line] of [
      [['--output', folderItself], `Cannot write "${folderItself}": it is not a file.`],
      [['--output', missing], `Cannot write "${missing}": no such file or directory.`],
    ] as const) {
      expect(await run(args)).toEqual(refusal(line));
    }
  });
});

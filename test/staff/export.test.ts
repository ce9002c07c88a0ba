import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { listKeys } from '../../functions/contacts/table.ts';
import { putBrokenItem } from '../support/broken-item.ts';
import { testOnPosix } from '../support/posix.ts';
import { createRecordingClient } from '../support/recording-client.ts';
import { putAll } from '../support/tables.ts';
import { startBusyStore } from './busy-store.ts';
import { pressCtrlCAt } from './ctrl-c.ts';
import { lines, now, type StaffService, startStaff } from './staff.ts';
import { store } from './stored.ts';

let staff: StaffService;
let folder: string;
beforeEach(async () => {
  [staff, folder] = [await startStaff(), await mkdtemp(join(tmpdir(), 'staff-'))];
});
afterEach(() => rm(folder, { recursive: true }));

const full = {
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  company: 'Analytical, Ltd.',
  message: 'Hello "there",\nsecond line',
  firstName: 'Ada',
  lastName: 'Lovelace',
};
const header = ['id', 'createdAt', ...fieldNames, 'site', 'releasedAt', 'extra'].join(',');
const exported = (...args: string[]) => staff.run(['contacts', 'export', ...args]);
const queries = v.array(v.object({ output: v.object({ ScannedCount: v.number() }) }));
const day = (date: number) => new Date(Date.UTC(2026, 1, date));

describe('contacts export', () => {
  it('writes CSV with a header row, safe to open in a spreadsheet', async () => {
    const id = await store(staff, full);
    const { code, stdout, stderr } = await exported();
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Exported 1 contact request.\n' });
    expect(stdout.startsWith(`${header}\r\n`)).toBe(true);
    expect(parse(stdout, { columns: true })).toMatchObject([
      { id, createdAt: now.toISOString(), ...full, phone: "'+44 20 7946 0000" },
    ]);
  });

  it('writes JSON lines with each value as it was sent', async () => {
    const first = await store(staff, full, { createdAt: day(1) });
    const second = await store(staff, { phone: '=12345' }, { createdAt: day(2) });
    const { stdout } = await exported('--format', 'jsonl');
    expect(lines(stdout).map((line) => JSON.parse(line))).toEqual([
      { id: second, createdAt: day(2).toISOString(), phone: '=12345', message: 'Hello' },
      { id: first, createdAt: day(1).toISOString(), ...full },
    ]);
  });

  it('leaves out what cannot be read, and says which it is', async () => {
    const id = await store(staff, full);
    const broken = await putBrokenItem(staff.tables.contacts, 'inbox', '2026-02-01T12:00:00.000Z#');
    const { code, stdout, stderr } = await exported('--format', 'jsonl');
    expect({ code, ids: lines(stdout).map((line) => JSON.parse(line).id) }).toEqual({ code: 0, ids: [id] });
    expect(stderr).toMatch(
      new RegExp(`^Left out the contact request ${broken}: .*docs/runbook.md.*\nExported 1 contact request.\n$`),
    );
  });

  it('writes only the header row when there is nothing', async () => {
    expect(await exported()).toEqual({ code: 0, stdout: `${header}\r\n`, stderr: 'Exported 0 contact requests.\n' });
  });

  it('keeps to a range and to spam', async () => {
    for (const spam of [false, true]) {
      for (const date of [1, 2, 3]) await store(staff, { message: `${spam} ${date}` }, { spam, createdAt: day(date) });
    }
    const messages = async (...args: string[]) =>
      lines((await exported('--format', 'jsonl', ...args)).stdout).map((line) => JSON.parse(line).message);
    expect(await messages()).toEqual(['false 3', 'false 2', 'false 1']);
    expect(await messages('--since', '2026-02-02T00:00:00Z')).toEqual(['false 3', 'false 2']);
    expect(await messages('--spam', '--until', '2026-02-03T00:00:00Z')).toEqual(['true 2', 'true 1']);
  });

  it('keeps to a site', async () => {
    await store(staff, { message: 'one' }, { site: 'https://www.example.com' });
    await store(staff, { message: 'other' }, { site: 'https://shop.example.com' });
    await store(staff, { message: 'none' });
    const { stdout } = await exported('--format', 'jsonl', '--site', 'https://shop.example.com/');
    expect(lines(stdout).map((line) => JSON.parse(line))).toMatchObject([
      { message: 'other', site: 'https://shop.example.com' },
    ]);
    expect((await exported('--site', 'https://www.example.com')).stdout).toContain('one');
  });

  it('keeps to a person, by address or number, whichever field has it', async () => {
    for (const [message, fields] of Object.entries({
      email: { email: 'Ada@Example.com' },
      extra: { email: 'bob@example.com', extra: { cc: 'ada@example.com' } },
      phone: { phone: '+44 20 7946 0000' },
      other: { email: 'bob@example.com', phone: '12345' },
    })) {
      await store(staff, { message, ...fields });
    }
    const messages = async (args: readonly string[], input = '') => {
      const { stdout } = await staff.run(['contacts', 'export', '--format', 'jsonl', ...args], { input });
      return lines(stdout)
        .map((line) => JSON.parse(line).message)
        .sort();
    };
    expect(await messages(['--email', 'ADA@example.com'])).toEqual(['email', 'extra']);
    expect(await messages(['--phone', '0044 2079460000'])).toEqual(['phone']);
    expect(await messages(['--email', '-', '--phone', '-'], 'ada@example.com\n+442079460000\n')).toEqual([
      'email',
      'extra',
      'phone',
    ]);
  });

  it('shows nothing in JSON that could steer the terminal', async () => {
    await store(staff, { message: 'a\u202eb\u2028c' });
    const { stdout } = await exported('--format', 'jsonl');
    expect(stdout).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ message: 'a\u202eb\u2028c' });
  });

  it('shows no progress on a terminal that shows the rows', async () => {
    await store(staff, full);
    const { stderr } = await staff.run(['contacts', 'export'], { terminals: ['stdout', 'stderr'] });
    expect(stderr).toBe('Exported 1 contact request.\n');
  });
});

describe('contacts export of many pages', () => {
  const amount = 1025;
  const ids = Array.from({ length: amount }, () => randomUUID());

  const storeAll = () =>
    putAll(
      staff.tables.contacts,
      ids.map((id, n) => {
        const createdAt = new Date(now.getTime() - n * 1000).toISOString();
        return { id, createdAt, message: 'Hello', ...listKeys({ id, createdAt }, false) };
      }),
    );

  const idsIn = (csv: string) => parse(csv, { from: 2 }).map(([id]) => id);

  it('writes each contact request once, and tells how far it is', async () => {
    await storeAll();
    const { stdout, stderr } = await staff.run(['contacts', 'export'], { terminals: ['stderr'] });
    expect(idsIn(stdout)).toEqual(ids);
    const progress = [100, 200, 300, 400, 500, 600, 700, 800, 900, '1,000', '1,025'].map(
      (done) => `\r\u001b[K${done} contact requests exported`,
    );
    expect(stderr).toBe(`${progress.join('')}\r\u001b[KExported 1,025 contact requests.\n`);
  });

  it('reads at most one item twice for each page, and of a range only its items', async () => {
    await storeAll();
    const scanned = async (...args: string[]) => {
      const { client: recording, calls } = createRecordingClient();
      const { stdout } = await staff.run(['contacts', 'export', ...args], { client: recording });
      const read = v.parse(queries, calls).reduce((sum, { output }) => sum + output.ScannedCount, 0);
      return { read, written: idsIn(stdout).length };
    };
    expect(await scanned()).toEqual({ read: amount + 10, written: amount });
    const minute = (ago: number) => new Date(now.getTime() - ago * 60_000 + 1).toISOString();
    expect(await scanned('--since', minute(10), '--until', minute(5))).toEqual({ read: 302, written: 300 });
  });

  it('goes on after a store that is too busy for a while', async () => {
    await storeAll();
    let asked = 0;
    await using busy = await startBusyStore(() => {
      asked += 1;
      return asked > 3 && asked < 6;
    });
    const { code, stdout, stderr } = await staff.run(['contacts', 'export'], { client: busy.client });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Exported 1,025 contact requests.\n' });
    expect(idsIn(stdout)).toEqual(ids);
  });

  it('says so if the store stays too busy, and leaves no file', async () => {
    await storeAll();
    let asked = 0;
    await using busy = await startBusyStore(() => {
      asked += 1;
      return asked > 3;
    });
    const args = ['contacts', 'export', '--output', join(folder, 'contacts.csv')];
    expect(await staff.run(args, { client: busy.client })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The environment cannot be reached or is too busy (Throttled): try again later.\n',
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('contacts export --output', () => {
  testOnPosix('writes a file that only its owner may read, and nothing else beside it', async () => {
    const file = join(folder, 'contacts.csv');
    const id = await store(staff, full);
    const told = { code: 0, stdout: '', stderr: 'Exported 1 contact request.\n' };
    expect(await exported('--output', file)).toEqual(told);
    expect(await readFile(file, 'utf8')).toContain(`\r\n${id},`);
    expect(await readdir(folder)).toEqual(['contacts.csv']);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  testOnPosix('replaces a file, and what a killed export left beside it', async () => {
    const file = join(folder, 'contacts.csv');
    await writeFile(file, 'earlier');
    await writeFile(`${file}.partial`, 'killed', { mode: 0o644 });
    await store(staff, full);
    expect(await exported('--output', file)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toContain('ada@example.com');
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await readdir(folder)).toEqual(['contacts.csv']);
  });

  testOnPosix('replaces the file behind a link, and leaves the link', async () => {
    const [file, link] = [join(folder, 'real.csv'), join(folder, 'link.csv')];
    await writeFile(file, 'earlier');
    await symlink(file, link);
    expect(await exported('--output', link)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(`${header}\r\n`);
    expect(await readlink(link)).toBe(file);
  });

  it('leaves what was there when it is stopped', async () => {
    const file = join(folder, 'contacts.csv');
    await writeFile(file, 'earlier');
    await using ctrlC = await pressCtrlCAt('Query');
    const outcome = await staff.run(['contacts', 'export', '--output', file], ctrlC);
    expect(outcome).toEqual({ code: 130, stdout: '', stderr: 'Stopped before the end.\n' });
    expect(await readFile(file, 'utf8')).toBe('earlier');
    expect(await readdir(folder)).toEqual(['contacts.csv']);
  });

  it('shows its progress on a terminal', async () => {
    await store(staff, full);
    const args = ['contacts', 'export', '--output', join(folder, 'contacts.csv')];
    const { stderr } = await staff.run(args, { terminals: ['stdout', 'stderr'] });
    expect(stderr).toBe('\r\u001b[K1 contact request exported\r\u001b[KExported 1 contact request.\n');
  });

  it('refuses a folder that is not there', async () => {
    const file = join(folder, 'nowhere', 'contacts.csv');
    expect(await exported('--output', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot write "${file}": no such file or directory.\n`,
    });
  });

  it('refuses to replace a folder', async () => {
    const file = join(folder, 'contacts');
    await mkdir(file);
    expect(await exported('--output', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot write "${file}": it is not a file.\n`,
    });
  });

  it('refuses an empty name', async () => {
    expect(await exported('--output', '')).toEqual({ code: 1, stdout: '', stderr: '--output: Must name a file.\n' });
  });

  it('refuses an unknown format', async () => {
    expect(await exported('--format', 'xlsx')).toEqual({
      code: 1,
      stdout: '',
      stderr: '--format: Must be csv or jsonl.\n',
    });
  });
});

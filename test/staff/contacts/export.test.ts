import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldNames } from '../../../functions/contacts/contact.ts';
import { listPartition } from '../../../functions/contacts/store.ts';
import { contactsTable } from '../../../functions/contacts/table.ts';
import { exportContacts } from '../../../lib/staff/contacts/export.ts';
import { putBrokenItem } from '../../support/broken-item.ts';
import { testOnPosix } from '../../support/posix.ts';
import { client } from '../../support/tables.ts';
import { pressCtrlCAt } from '../ctrl-c.ts';
import { lines, now, type StaffService, startStaff } from '../staff.ts';
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
const day = (date: number) => new Date(Date.UTC(2026, 1, date));

describe('contacts export', () => {
  it('writes CSV with a header row, safe to open in a spreadsheet', async () => {
    const id = await store(staff, full);
    const { code, stdout, stderr } = await exported();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
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
    const broken = await putBrokenItem(staff.tables.contacts, 'inbox#0', '2026-02-01T12:00:00.000Z#');
    const { code, stdout, stderr } = await exported('--format', 'jsonl');
    expect({ code, ids: lines(stdout).map((line) => JSON.parse(line).id) }).toEqual({ code: 0, ids: [id] });
    expect(stderr).toMatch(new RegExp(`^Left out the contact request ${broken}: .*docs/runbook.md.*\n$`));
  });

  it('writes only the header row when there is nothing', async () => {
    expect(await exported()).toMatchObject({ code: 0, stdout: `${header}\r\n` });
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

  it('exports every contact request of many pages once', async () => {
    const ids = Array.from({ length: 1025 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
    const items = ids.map((id, n) => {
      const createdAt = new Date(now.getTime() - n).toISOString();
      const { partitionKey, sortKey } = contactsTable.listIndex;
      return {
        ...{ id, createdAt, message: 'Hello', contentHash: '' },
        ...{ [partitionKey]: listPartition(id, false), [sortKey]: `${createdAt}#${id}` },
      };
    });
    for (let start = 0; start < items.length; start += 25) {
      const requests = items.slice(start, start + 25).map((item) => ({ PutRequest: { Item: item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [staff.tables.contacts]: requests } }));
    }
    const { stdout, stderr } = await staff.run(['contacts', 'export'], { terminals: ['stderr'] });
    expect(parse(stdout, { from: 2 }).map(([id]) => id)).toEqual(ids);
    expect(stderr).toBe('\r\u001b[K1,000 contact requests exported\r\u001b[K1,025 contact requests exported\r\u001b[K');
  });

  it('reads a page only when the one before has been taken', async () => {
    let read = 0;
    const endless = async function* () {
      for (;;) {
        read += 1;
        yield [{ id: String(read), createdAt: '', message: '' }];
      }
    };
    const chunks = exportContacts(endless(), 'jsonl');
    await chunks.next();
    await chunks.next();
    expect(read).toBe(2);
  });

  it('shows no progress on a terminal that shows the rows', async () => {
    await store(staff, full);
    const { stderr } = await staff.run(['contacts', 'export'], { terminals: ['stdout', 'stderr'] });
    expect(stderr).toBe('');
  });
});

describe('contacts export --output', () => {
  testOnPosix('writes a file that only its owner may read, and nothing else beside it', async () => {
    const file = join(folder, 'contacts.csv');
    await writeFile(file, 'earlier');
    const id = await store(staff, full);
    expect(await exported('--output', file)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(file, 'utf8')).toContain(`\r\n${id},`);
    expect(await readdir(folder)).toEqual(['contacts.csv']);
    expect((await stat(file)).mode & 0o077).toBe(0);
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
    expect(stderr).toBe('\r\u001b[K1 contact request exported\r\u001b[K');
  });

  it('refuses a folder that is not there', async () => {
    const file = join(folder, 'nowhere', 'contacts.csv');
    expect(await exported('--output', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot write "${file}": no such file or directory.\n`,
    });
  });

  it('refuses to take the place of what is no file', async () => {
    const file = join(folder, 'contacts');
    await mkdir(file);
    expect(await exported('--output', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot write "${file}": it is there and is no file.\n`,
    });
  });

  it('refuses an unknown format', async () => {
    expect(await exported('--format', 'xlsx')).toEqual({
      code: 1,
      stdout: '',
      stderr: '--format: Use csv or jsonl.\n',
    });
  });
});

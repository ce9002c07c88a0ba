import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { safeFileName } from '../../lib/staff/tool/visitors-file.ts';
import { sentFile, startBuckets } from '../support/bucket.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type RunOptions, refusal, type StaffService, startStaff, store } from './staff.ts';

let staff: StaffService;
let buckets: Awaited<ReturnType<typeof startBuckets>>;
let id: string;
let folder: string;
beforeEach(async () => {
  staff = await startStaff();
  buckets = await startBuckets('files');
  id = await store(staff, { email: 'ada@example.com' });
  folder = join(temporaryFolder(), 'new', 'folder');
});

const run = (args: readonly string[], options?: RunOptions) =>
  staff.run(['contacts', ...args], { bucket: { name: 'files', url: buckets.url }, scansFiles: true, ...options });
const list = (options?: RunOptions) => run(['files', id], options);
const write = (options?: RunOptions) => run(['files', id, '--output', folder], options);
const attach = (...files: Parameters<typeof buckets.attach>[2]) => buckets.attach(staff.tables.contacts, id, files);

const cv = sentFile('cv.pdf', 'x'.repeat(48_213));
const roof = sentFile('roof.jpg', 'a picture', 'image/jpeg');

/** Gives contact requests of these files the results of their scans. */
const scanned = (keys: readonly string[], ...results: readonly (string | undefined)[]) => {
  for (const [at, result] of results.entries()) if (result !== undefined) buckets.tags.set(keys[at] ?? '', result);
};

describe('contacts files', () => {
  it('lists the files with their states', async () => {
    const keys = await attach(cv, roof, roof, roof);
    scanned(keys, 'NO_THREATS_FOUND', 'THREATS_FOUND', 'UNSUPPORTED');
    expect(await list()).toEqual({
      code: 0,
      stdout: [
        'NAME      TYPE             SIZE     STATE',
        'cv.pdf    application/pdf  48.2 kB  clean',
        'roof.jpg  image/jpeg       9 bytes  infected',
        'roof.jpg  image/jpeg       9 bytes  unknown',
        'roof.jpg  image/jpeg       9 bytes  pending',
        '',
      ].join('\n'),
      stderr: '',
    });
    const [first, ...others] = JSON.parse((await run(['files', id, '--json'])).stdout);
    expect(first).toEqual({ name: 'cv.pdf', type: 'application/pdf', size: 48_213, state: 'clean' });
    expect(others).toHaveLength(3);
    const unscanned = await list({ scansFiles: false });
    expect(unscanned.stdout.match(/unknown|pending/g)).toEqual(['unknown', 'unknown']);
  });

  it('writes them into a folder that it makes, where only the owner can read them, byte for byte', async () => {
    scanned(await attach(cv, roof), 'NO_THREATS_FOUND', 'NO_THREATS_FOUND');
    const { code, stdout, stderr } = await write();
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Wrote 2 files.\n' });
    expect(stdout).toContain(`${join(folder, 'cv.pdf')}  `);
    expect(readFileSync(join(folder, 'cv.pdf'), 'utf8')).toBe(cv.content);
    if (process.getuid) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(join(folder, 'cv.pdf')).mode & 0o777).toBe(0o600);
    }
  });

  it('overwrites nothing: of equal names, the later ones get a number', async () => {
    scanned(await attach(roof, { ...roof, content: 'another' }), 'NO_THREATS_FOUND', 'NO_THREATS_FOUND');
    await write();
    writeFileSync(join(folder, 'roof.jpg'), 'changed');
    const { stdout } = await run(['files', id, '--output', folder, '--json']);
    expect(JSON.parse(stdout).map(({ path }: { path: string }) => path)).toEqual([
      join(folder, 'roof (3).jpg'),
      join(folder, 'roof (4).jpg'),
    ]);
    const contents = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    expect(Object.fromEntries(contents)).toEqual({
      'roof.jpg': 'changed',
      'roof (2).jpg': 'another',
      'roof (3).jpg': 'a picture',
      'roof (4).jpg': 'another',
    });
  });

  it('does not write what is infected, not scanned yet or gone, says so, and writes the others', async () => {
    const keys = await attach(cv, roof, { ...roof, name: 'new.jpg' }, { ...roof, name: 'gone.jpg' });
    scanned(keys, 'THREATS_FOUND', 'UNSUPPORTED');
    await buckets.remove(keys[3] ?? '');
    const { code, stderr } = await write();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: [
        'Nothing has scanned "roof.jpg": open it with care.',
        'Wrote 1 file.',
        'Did not write "cv.pdf": it is infected, so nobody can fetch it. Delete the contact request, or ask the visitor for another file.',
        'Did not write "new.jpg": it is not scanned yet. Try again in a minute.',
        'Did not write "gone.jpg": it is not in the bucket. See docs/restore.md.',
        '',
      ].join('\n'),
    });
    expect(readdirSync(folder)).toEqual(['roof.jpg']);
  });

  it('says that there are no files, or no bucket', async () => {
    expect(await list()).toEqual({
      code: 0,
      stdout: 'NAME  TYPE  SIZE  STATE\n',
      stderr: `The contact request ${id} has no files.\n`,
    });
    await attach(cv);
    expect(await write({ bucket: undefined })).toEqual(
      refusal('"local" has no bucket for files: see docs/restore.md. The contact request names "cv.pdf".'),
    );
  });

  it.each([
    ['cv.pdf', 'cv.pdf'],
    ['Müller 履歴書.pdf', 'Müller 履歴書.pdf'],
    ['../../etc/passwd', '_._.._etc_passwd'],
    ['..\\..\\evil.exe', '_._.._evil.exe'],
    ['/etc/cron.d/x', '_etc_cron.d_x'],
    ['C:\\x.txt', 'C__x.txt'],
    ['x.txt:stream', 'x.txt_stream'],
    ['.bashrc', '_bashrc'],
    ['~', '_'],
    ['-rf', '_rf'],
    ['..', '__'],
    [' ', '_'],
    ['', '_'],
    ['con', 'con_'],
    ['NUL.txt', 'NUL_.txt'],
    ['a\nb\u0000\u202egpj.exe', 'a_b__gpj.exe'],
    ['trailing.', 'trailing_'],
    [`${'é'.repeat(150)}.pdf`, `${'é'.repeat(98)}.pdf`],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(198)}`],
  ])('makes the name %j safe on every system', (given, safe) => {
    expect(safeFileName(given)).toBe(safe);
  });
});

it('contacts show lists the files', async () => {
  await attach(cv, roof);
  const { stdout } = await run(['show', id]);
  expect(stdout).toMatch(
    /\nfiles\n {2}cv\.pdf {4}application\/pdf, 48\.2 kB\n {2}roof\.jpg {2}image\/jpeg, 9 bytes\n$/,
  );
});

it('contacts export has the names of files in CSV, and all of them in JSON', async () => {
  await attach(cv, sentFile('=1+1.pdf', 'x'));
  const csv = await run(['export']);
  const [header, row] = csv.stdout.split('\r\n');
  expect([header?.split(',').at(-2), row]).toEqual(['files', expect.stringMatching(/,'cv\.pdf;' =1\+1\.pdf,$/)]);
  const { stdout } = await run(['export', '--format', 'jsonl']);
  expect(JSON.parse(stdout)).toMatchObject({
    id,
    files: [{ name: 'cv.pdf', type: 'application/pdf', size: 48_213 }, {}],
  });
  expect(JSON.parse(stdout)).not.toHaveProperty('upload');
});

describe('contacts erase', () => {
  const erase = (options?: RunOptions) => run(['erase', '--email', 'ada@example.com', '--yes'], options);

  /** Deletes files of erased contact requests while the command waits, as the service does. */
  const deleting = (prefix: string): RunOptions => {
    let waits = 0;
    return {
      wait: async () => {
        waits += 1;
        if (waits === 3) await buckets.remove(prefix);
      },
    };
  };

  it('waits until the files are gone, and counts them in its receipt', async () => {
    await attach(cv, roof);
    const { code, stdout, stderr } = await erase(deleting(id));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('still there') });
    expect(stdout).toMatch(
      /Not searched: message, contents of files\nFiles: 2 \(48,222 bytes\), all deleted\n[\da-f-]{36}\n$/,
    );
    expect(await buckets.keys()).toEqual([]);
  });

  it('says how many are left after two minutes', async () => {
    const [first = ''] = await attach(cv, roof);
    let waited = 0;
    const wait = async (milliseconds: number) => {
      waited += milliseconds;
    };
    await buckets.remove(first);
    await attach(cv, roof);
    const [, one = ''] = await buckets.keys();
    const result = await run(['erase', '--email', 'ada@example.com', '--yes', '--json'], {
      wait: async (milliseconds) => {
        if (waited === 0) await buckets.remove(one);
        await wait(milliseconds);
      },
    });
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('\n2 files still there after two minutes: '),
    });
    expect(JSON.parse(result.stdout)).toMatchObject({ erased: 1, files: { found: 3, bytes: 48_231, left: 2 } });
    expect(waited).toBe(120_000);
  });

  it('does not wait for a service that is stopped', async () => {
    await attach(cv);
    const wait = () => Promise.reject(new Error('It waited'));
    expect(await erase({ bucket: { name: 'files', url: buckets.url, isServed: false }, wait })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('\nFiles: 1 (48,213 bytes), 1 of them not deleted yet\n'),
      stderr: expect.stringContaining(
        '\n1 file still there: the service deletes them while it runs. Run "npm start".\n',
      ),
    });
  });

  it('finds a person by the name of a file', async () => {
    const other = await store(staff, { phone: '12345' });
    await buckets.attach(staff.tables.contacts, other, [sentFile('CV of ada@example.com.pdf', 'x')]);
    await run(['delete', id]);
    const { stdout, stderr } = await erase(deleting(other));
    expect(stderr).toContain('Matching fields: files (1).');
    expect(stdout).toContain(`Files: 1 (1 byte), all deleted\n${other}\n`);
  });

  it('waits for no new file of a contact request that gets the same id meanwhile', async () => {
    const [key = ''] = await attach(cv);
    const wait = async () => {
      await attach(roof);
      await buckets.remove(key);
    };
    expect(await erase({ wait })).toMatchObject({ code: 0, stdout: expect.stringContaining('all deleted') });
  });
});

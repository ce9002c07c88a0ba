import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished } from 'vitest';
import { createdContact } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import { type LocalService, runStaffCommand, startService } from '../acceptance/local/service.ts';
import { testOnPosix } from '../support/posix.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const start = async (dataDir: string): Promise<LocalService> => {
  const service = await startService(dataDir);
  onTestFinished(async () => {
    await service.end('SIGKILL');
  });
  return service;
};

const post = async ({ baseUrl }: LocalService, message: string): Promise<string> => {
  const { status, body } = await sendOnce(`${baseUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', message }),
  });
  expect(status).toBe(201);
  return v.parse(createdContact, body).id;
};

const statusOf = async ({ baseUrl, staffToken }: LocalService, id: string): Promise<number> =>
  (await sendOnce(`${baseUrl}/api/v1/contact/${id}`, { headers: { Authentication: staffToken } })).status;

/** Writes a backup with the staff command. @returns what it printed on standard error */
const backUp = async (dataDir: string, file: string): Promise<string> => {
  const { output, closed } = runStaffCommand({ DATA_DIR: dataDir }, 'backup', file);
  await closed;
  return output.stderr;
};

testOnPosix(
  'a backup under load has every contact request that was confirmed before, and `tar xf` restores it',
  async () => {
    const folder = temporaryFolder();
    const [dataDir = '', restored = '', file = ''] = ['data', 'restored', 'backup.tar'].map((name) =>
      join(folder, name),
    );
    const service = await start(dataDir);
    // The first key of a file in a bucket is as long as this.
    const key = join('files', 'bucket', 'ab'.repeat(60), 'ä photo.jpg');
    mkdirSync(join(dataDir, key, '..'), { recursive: true });
    writeFileSync(join(dataDir, key), 'a photo');

    const confirmed: string[] = [];
    let isLoaded = true;
    const visit = async () => {
      while (isLoaded) confirmed.push(await post(service, 'x'.repeat(4_000)));
    };
    const visitors = Promise.all(Array.from({ length: 8 }, visit));
    await expect.poll(() => confirmed.length, { timeout: 60_000 }).toBeGreaterThan(150);
    const before = [...confirmed];
    expect(await backUp(dataDir, file)).toMatch(/^Wrote [\d,]+ bytes\./);
    isLoaded = false;
    await visitors;
    // Visitors were served meanwhile.
    expect(confirmed.length).toBeGreaterThan(before.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('copy-'))).toEqual([]);

    mkdirSync(restored);
    execFileSync('tar', ['xf', file, '-C', restored]);
    expect(readFileSync(join(restored, key), 'utf8')).toBe('a photo');
    expect(readdirSync(restored).toSorted()).toEqual(['files', 'staff-token', 'store.db']);
    const again = await start(restored);
    expect(again.staffToken).toBe(service.staffToken);
    const statuses = new Set<number>();
    for (const id of before) statuses.add(await statusOf(again, id));
    expect([...statuses]).toEqual([200]);
    await post(again, 'After the restore');
  },
);

testOnPosix('backs up a service that does not run, and overwrites nothing', async () => {
  const folder = temporaryFolder();
  const [dataDir = '', file = ''] = ['data', 'backup.tar'].map((name) => join(folder, name));
  const service = await start(dataDir);
  const id = await post(service, 'Hello');
  await service.end('SIGKILL');
  // What a killed backup leaves could hold people who are erased later.
  writeFileSync(join(dataDir, 'copy-5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11.db'), 'left');
  expect(await backUp(dataDir, file)).toMatch(/^Wrote /);
  expect(execFileSync('tar', ['tf', file], { encoding: 'utf8' })).toBe('store.db\nstaff-token\n');
  expect(execFileSync('tar', ['xfO', file, 'store.db'], { maxBuffer: 10 ** 9 }).includes(id)).toBe(true);
  const bytes = readFileSync(file);
  expect(await backUp(dataDir, file)).toBe(`"${file}" exists already: choose another name.\n`);
  expect(readFileSync(file)).toEqual(bytes);
  expect(await backUp(dataDir, join(dataDir, 'backup.tar'))).toMatch(/ is in the data folder: /);
  expect(readdirSync(dataDir).filter((name) => /backup|^copy-/.test(name))).toEqual([]);
});

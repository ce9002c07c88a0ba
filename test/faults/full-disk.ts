import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { contactSchema, createdContact } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import { makeDataDir, removeDataDir, runNpmStart, startService } from '../acceptance/local/service.ts';
import { mailsIn } from '../support/mails.ts';
import { until } from '../support/until.ts';
import { settingsFile } from './environments.ts';
import { checkFiles, createFiles, formOf, storedKeys } from './sent-files.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** Enough for the service's own files, and quick to fill. */
const room = '160m';

const contactPath = '/api/v1/contact';

const post = ({ baseUrl }: Service, message: string) =>
  sendOnce(baseUrl + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'visitor@example.com', message }),
  });

const upload = ({ baseUrl }: Service, files: readonly Buffer[]) =>
  sendOnce(baseUrl + contactPath, { method: 'POST', body: formOf('with a file', files) });

const expectFiles = async ({ baseUrl, staffToken }: Service, response: unknown, files: readonly Buffer[]) => {
  const { id } = v.parse(createdContact, response);
  const { body } = await sendOnce(`${baseUrl}${contactPath}/${id}`, { headers: { Authentication: staffToken } });
  await checkFiles(v.parse(contactSchema, body), files);
};

/** Fills a disk up to so many bytes. @returns a function that makes room again */
const fill = async (folder: string, left: number) => {
  const filler = join(folder, 'filler');
  const { bavail, bsize } = await statfs(folder);
  // Without bytes left, the write fails: that is its purpose.
  await writeFile(filler, Buffer.alloc(bavail * bsize - left)).catch(() => {});
  return () => rm(filler);
};

/** A file that has no room is refused, while the store has some. */
const uploadWithoutRoom = async (service: Service, folder: string) => {
  const files = createFiles(1, 2_000_000);
  const { body: before } = await upload(service, files);
  const makeRoom = await fill(folder, 1_000_000);
  const stored = storedKeys(folder);
  const { status, headers, text } = await upload(service, files);
  assert.deepEqual([status, headers.get('retry-after') !== null], [503, true], text);
  assert.deepEqual(storedKeys(folder), stored, 'half a file is left');
  assert.equal((await post(service, 'without a file')).status, 201);
  await expectFiles(service, before, files);
  await makeRoom();
  const { body: after } = await upload(service, files);
  await expectFiles(service, after, files);
  console.log('full disk: a file gets 503, then 201');
};

const expectReadable = async ({ baseUrl, staffToken }: Service, created: readonly unknown[]) => {
  const ask = (path: string) => sendOnce(baseUrl + path, { headers: { Authentication: staffToken } });
  for (const response of created) {
    const contact = v.parse(createdContact, response);
    assert.deepEqual((await ask(`${contactPath}/${contact.id}`)).body, contact, 'a 201 is not stored');
  }
  assert.equal((await ask(contactPath)).status, 200, 'the list cannot be read');
};

const fillWhileServing = async (folder: string) => {
  const service = await startService(folder, { NOTIFY_EMAIL: 'staff@example.com', CRCS_SETTINGS: settingsFile });
  try {
    await uploadWithoutRoom(service, folder);
    const created: unknown[] = [(await post(service, 'before')).body];
    const makeRoom = await fill(folder, 0);

    // The store's file may still have free pages: several creates can succeed.
    for (;;) {
      const { status, headers, body, text } = await post(service, 'x'.repeat(5_000));
      if (status !== 201) {
        assert.deepEqual([status, headers.get('retry-after') !== null], [503, true], text);
        break;
      }
      created.push(body);
      assert(created.length < 5_000, 'creates succeed on a full disk');
    }
    await expectReadable(service, created.slice(-50));

    await makeRoom();
    const { status, body } = await post(service, 'after');
    assert.equal(status, 201, 'creates need a restart after the disk was full');
    await expectReadable(service, [...created.slice(-50), body]);
    const { id } = v.parse(createdContact, body);
    const isMailed = () => mailsIn(folder).some((mail) => mail.includes(id)) || undefined;
    await until('a mail about it', isMailed, AbortSignal.timeout(60_000));
    console.log(`full disk: ${created.length} creates, then 503, then 201 and a mail`);
  } finally {
    await service.end('SIGKILL');
  }
};

const startWithoutRoom = async (folder: string) => {
  // The second start finds the incomplete files of the first.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { child, output, closed } = runNpmStart({ PORT: '0', SITE_PORT: '0', DATA_DIR: folder });
    await closed;
    assert.equal(child.exitCode, 1);
    assert.match(output.stderr, /^The disk of \S+ is full: free some space, then try again\n$/);
  }
  execFileSync('mount', ['-o', `remount,size=${room}`, folder]);
  const service = await startService(folder);
  const { status } = await post(service, 'first');
  await service.end('SIGTERM');
  assert.equal(status, 201);
  console.log('start on a full disk: fails with one line, and succeeds after room was made');
};

/** Acts on a small disk of its own. @returns false if this process may not mount one */
const onDisk = async (size: string, act: (folder: string) => Promise<void>): Promise<boolean> => {
  const folder = await makeDataDir();
  try {
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder]);
    if (mount.status !== 0) return false;
    try {
      await act(folder);
    } finally {
      // Lazily: threads of a failed start may still use it.
      execFileSync('umount', ['-l', folder]);
    }
    return true;
  } finally {
    await removeDataDir(folder);
  }
};

/** Fills the disk of the data directory. Skipped without the right to mount one. */
export const tryFullDisk = async (): Promise<void> => {
  const tried =
    (await onDisk(room, fillWhileServing)) &&
    // The first has no room for the store, the second none for the bundles.
    (await onDisk('64k', startWithoutRoom)) &&
    (await onDisk('512k', startWithoutRoom));
  if (!tried) console.log('Skipped: the full disk, since this user may not mount a small one.');
};

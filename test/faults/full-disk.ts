import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { contactSchema } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import { makeDataDir, removeDataDir, runScript, startService } from '../acceptance/local/service.ts';
import { mailsIn } from '../local/notifications/mails.ts';
import { until } from '../rehearsal/until.ts';
import { firstLine, type Outcome } from './outcome.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** Enough for what a service writes, and little to fill. */
const room = '160m';

const contactPath = '/api/v1/contact';

const post = ({ baseUrl }: Service, message: string) =>
  sendOnce(baseUrl + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'visitor@example.com', message }),
  });

const ask = ({ baseUrl, staffToken }: Service, path: string) =>
  sendOnce(baseUrl + path, { headers: { Authentication: staffToken } });

/** Fills what is left of a disk. */
const fill = async (folder: string, file: string) => {
  const { bavail, bsize } = await statfs(folder);
  // What does not fit any more is the point of it.
  await writeFile(file, Buffer.alloc(bavail * bsize)).catch(() => {});
};

const isReadable = async (service: Service, created: readonly unknown[]) => {
  for (const contact of created) {
    const { id } = v.parse(contactSchema, contact);
    assert.deepEqual((await ask(service, `${contactPath}/${id}`)).body, contact, 'what was answered with 201 is there');
  }
  assert.equal((await ask(service, contactPath)).status, 200, 'the list is read');
};

const fillAndMend = async (service: Service, folder: string) => {
  const filler = join(folder, 'filler');
  const created: unknown[] = [];
  created.push((await post(service, 'before')).body);
  await fill(folder, filler);

  // The store may have some room left in files that it holds already.
  let status = 201;
  for (let number = 0; status === 201 && number < 5_000; number += 1) {
    const answer = await post(service, 'x'.repeat(5_000));
    status = answer.status;
    if (status === 201) created.push(answer.body);
    else assert.deepEqual([status, answer.headers.get('retry-after') !== null], [503, true], answer.text);
  }
  assert.equal(status, 503, 'a full disk is told');
  await isReadable(service, created.slice(-50));

  await rm(filler);
  const answer = await post(service, 'after');
  assert.equal(answer.status, 201, 'creates work again without a restart');
  await isReadable(service, [...created.slice(-50), answer.body]);
  const { id } = v.parse(contactSchema, answer.body);
  const isMailed = () => mailsIn(folder).some((mail) => mail.includes(id)) || undefined;
  await until('a mail of it', isMailed, AbortSignal.timeout(60_000));
  return `${created.length} creates, then 503, then 201 and a mail`;
};

/** Starts the first time, and the second, where there is no room for it, then where there is. */
const startWithoutRoom = async (folder: string) => {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { child, output, closed } = runScript('local.cjs', { PORT: '0', SITE_PORT: '0', DATA_DIR: folder });
    await closed;
    assert.equal(child.exitCode, 1);
    assert.match(output.stderr, /^The disk of \S+ is full: make room on it, then try again$/m);
  }
  execFileSync('mount', ['-o', `remount,size=${room}`, folder]);
  const service = await startService(folder);
  const { status } = await post(service, 'first');
  await service.end('SIGTERM');
  assert.equal(status, 201, 'with room it starts');
  return 'says so twice, then starts';
};

const fillWhileServing = async (folder: string) => {
  const service = await startService(folder, { NOTIFY_EMAIL: 'staff@example.com' });
  try {
    return await fillAndMend(service, folder);
  } finally {
    await service.end('SIGKILL');
  }
};

/** On a small disk of its own. It needs the right to mount; @returns else nothing. */
const onDisk = async (row: string, size: string, act: (folder: string) => Promise<string>) => {
  const folder = await makeDataDir();
  const started = performance.now();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder]).status === 0;
  const outcome = mounted
    ? await act(folder).then(
        (says) => ({ says, wrong: undefined }),
        (error) => ({ says: '', wrong: firstLine(error) }),
      )
    : undefined;
  // What a start that failed has begun may end after it.
  if (mounted) execFileSync('umount', ['-l', folder]);
  await removeDataDir(folder);
  return outcome && { row, column: '', ...outcome, milliseconds: performance.now() - started };
};

/** Lets the disk of the data directory be full. It needs the right to mount; @returns else nothing. */
export const tryFullDisk = async (): Promise<Outcome[] | undefined> => {
  const serving = await onDisk('full disk', room, fillWhileServing);
  const starting = await onDisk('full disk at the start', '64k', startWithoutRoom);
  return serving && starting && [serving, starting];
};

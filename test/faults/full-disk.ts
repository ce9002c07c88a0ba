import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { contactSchema } from '../acceptance/contact.ts';
import { sendOnce } from '../acceptance/http.ts';
import { makeDataDir, removeDataDir, startService } from '../acceptance/local/service.ts';
import { mailsIn } from '../local/notifications/mails.ts';
import { until } from '../rehearsal/until.ts';
import { firstLine, type Outcome } from './outcome.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const row = 'full disk';
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

/** Lets the disk of the data folder get full and empty again. It needs the right to mount; @returns else nothing. */
export const tryFullDisk = async (): Promise<Outcome[] | undefined> => {
  const folder = await makeDataDir();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=0700', 'tmpfs', folder]).status === 0;
  if (!mounted) {
    await removeDataDir(folder);
    return undefined;
  }
  const started = performance.now();
  const service = await startService(folder, { NOTIFY_EMAIL: 'staff@example.com' });
  const outcome = await fillAndMend(service, folder).then(
    (says) => ({ says, wrong: undefined }),
    (error) => ({ says: '', wrong: firstLine(error) }),
  );
  await service.end('SIGKILL');
  execFileSync('umount', [folder]);
  await removeDataDir(folder);
  return [{ row, column: '', ...outcome, milliseconds: performance.now() - started }];
};

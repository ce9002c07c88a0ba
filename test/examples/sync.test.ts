import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { contactCsvHeader, toContactCsvRow } from '../../functions/contacts/csv.ts';
import { type Contact, contactSchema } from '../acceptance/contact.ts';
import { changingTexts, plainTexts, splitTexts } from '../support/csv-texts.ts';
import { testOnPosix } from '../support/posix.ts';
import { type Front, type Meddle, startFront } from './front.ts';
import { requiresPython, runSync, startSync } from './script.ts';
import { startTestService, type TestService } from './service.ts';

const contactRows = v.array(v.object({ contact: v.string() }));

const csvRows = v.array(v.array(v.string()));

const inDatabase = (file: string): string[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = v.parse(contactRows, database.prepare('SELECT contact FROM contacts ORDER BY place, id').all());
  database.close();
  return rows.map(({ contact }) => contact);
};

const placeOf = ({ createdAt, releasedAt, id }: Contact) => `${releasedAt ?? createdAt} ${id}`;
const byPlace = (...contacts: Contact[]) => contacts.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));

/** Responds in place of the service. */
const withBody =
  (status: number, body: string, headers = {}): Meddle =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** Requests for a page to save. Before it, the script asks for the columns. */
const reads = /^GET .*order=asc/;

/** Meddles with the nth request of a pattern. */
const onNth = (nth: number, pattern: RegExp, meddle: Meddle): Meddle => {
  let count = 0;
  return (asked, response) => {
    if (!pattern.test(asked)) return;
    count += 1;
    return count === nth ? meddle(asked, response) : undefined;
  };
};

let service: TestService;
let mayRead: string;
let mayDelete: string;
beforeAll(async () => {
  service = await startTestService();
  mayRead = await service.issueToken('contacts:read');
  mayDelete = service.staffToken;
});
afterAll(() => service.stop());

let folder: string;
beforeEach(async (context) => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  requiresPython(context);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await service.empty();
});

const fileOf = ({ url }: Front, kind = 'db') =>
  join(folder, `contacts.${url.replace('http://', '').replaceAll(/[:/]/g, '_')}.${kind}`);
const kept = (front: Front): Contact[] =>
  inDatabase(fileOf(front)).map((text) => v.parse(contactSchema, JSON.parse(text)));
const run = ({ url }: Pick<Front, 'url'>, STAFF_TOKEN = mayRead, ...args: string[]) =>
  runSync(folder, { BASE_URL: url, STAFF_TOKEN }, ...args);
const succeeded = (all: number, fresh: number) => ({
  code: 0,
  stdout: expect.stringMatching(new RegExp(`^\\S+ has ${all} contact requests, ${fresh} of them new\\.\\n`)),
  stderr: '',
});
const expectFailure = ({ code, stderr }: Awaited<ReturnType<typeof run>>, why: string) => {
  expect(stderr).toMatch(/^sync\.py failed: .*\n$/);
  expect(stderr).toContain(why);
  expect(code).toBe(1);
};

it('misses and repeats nothing that is posted, released or deleted between runs', async () => {
  await using front = await startFront(service.baseUrl);
  const one = await service.post({ extra: 'é, "x"\n😀' });
  const spam = await service.postSpam();
  const deleted = await service.post();
  const last = await service.post();
  expect(await run(front)).toEqual(succeeded(3, 3));
  expect(kept(front)).toEqual(byPlace(one, deleted, last));

  await service.remove(deleted.id);
  await service.staff('contacts', 'release', spam.id);
  const fresh = await service.post();
  const released = { ...spam, releasedAt: expect.any(String) };
  const all = [...byPlace(one, deleted, last), released, fresh];
  expect(await run(front)).toEqual(succeeded(5, 2));
  expect(kept(front)).toEqual(all);

  front.asked.length = 0;
  expect(await run(front)).toEqual(succeeded(5, 0));
  expect(kept(front)).toEqual(all);
  // From the last place on, less one minute, to the second.
  const [reading] = front.asked.filter((asked) => reads.test(asked));
  const since = new URL(String(reading).slice(4), front.url).searchParams.get('since');
  const overlap = Date.parse(fresh.createdAt) - Date.parse(String(since));
  expect(overlap).toBeGreaterThanOrEqual(60_000);
  expect(overlap).toBeLessThan(61_000);
});

it('--delete deletes each saved contact request once, and no newer ones', async () => {
  const late: Contact[] = [];
  const meddle = onNth(1, /^DELETE/, async () => {
    late.push(await service.post());
  });
  await using front = await startFront(service.baseUrl, meddle);
  const spam = await service.postSpam();
  const early = [await service.post(), await service.post(), await service.post()];
  expect(await run(front, mayDelete, '--delete')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^3 deleted from the service\.$/m),
    stderr: '',
  });
  expect(kept(front)).toEqual(byPlace(...early));
  expect([await service.list(), await service.list(true)]).toEqual([late, [{ ...spam, spamReason: 'trap' }]]);

  expect(await run(front, mayDelete, '--delete')).toMatchObject({ code: 0 });
  expect(front.asked.filter((asked) => asked.startsWith('DELETE'))).toHaveLength(4);
  expect(kept(front)).toEqual(byPlace(...early, ...late));
  expect(await service.list()).toEqual([]);
});

testOnPosix('loses nothing if it is killed while it deletes', async () => {
  let kill = () => {};
  const meddle = onNth(1, /^DELETE/, async (asked, response) => {
    await service.remove(asked.slice(-36));
    kill();
    response.destroy();
  });
  await using front = await startFront(service.baseUrl, meddle);
  const all = [await service.post(), await service.post(), await service.post()];
  const killed = startSync(folder, { BASE_URL: front.url, STAFF_TOKEN: mayDelete }, '--delete');
  kill = killed.kill;
  expect((await killed.ended).code).toBeNull();
  expect(kept(front)).toEqual(byPlace(...all));

  expect(await run(front, mayDelete, '--delete')).toMatchObject({ code: 0, stderr: '' });
  expect(kept(front)).toEqual(byPlace(...all));
  expect(await service.list()).toEqual([]);
});

it('waits as long as 429 and 503 require, when it reads and when it deletes', async () => {
  const busy = (status: number) => withBody(status, '{"error":"…"}', { 'Retry-After': '0' });
  const meddles = [onNth(2, reads, busy(429)), onNth(1, /^DELETE/, busy(503))];
  await using front = await startFront(service.baseUrl, async (...request) => {
    for (const meddle of meddles) await meddle(...request);
  });
  const all = [await service.post(), await service.post(), await service.post()];
  expect(await run(front, mayDelete, '--delete')).toMatchObject({ code: 0, stderr: '' });
  expect(front.asked.filter((asked) => reads.test(asked) || asked.startsWith('DELETE'))).toHaveLength(3 + 4);
  expect(kept(front)).toEqual(byPlace(...all));
});

it.each([
  ['0', 6],
  ['3600', 1],
])('gives up on a service that stays busy: Retry-After %s, %i requests', async (seconds, requests) => {
  const busy = withBody(429, '{"error":"Too Many Requests"}', { 'Retry-After': seconds });
  await using front = await startFront(service.baseUrl, busy);
  expectFailure(await run(front), '429 {"error":"Too Many Requests"}');
  expect(front.asked).toHaveLength(requests);
});

it.each<[string, Meddle]>([
  ['is not JSON', withBody(200, '<html>\n<p>\n')],
  ['gets lost', (_, response) => void response.destroy()],
])('fails with one line if the second page %s; the next run misses nothing', async (_, meddle) => {
  await using front = await startFront(service.baseUrl, onNth(2, reads, meddle));
  const all = [await service.post(), await service.post(), await service.post()];
  expectFailure(await run(front, mayDelete, '--delete'), '');
  expect(existsSync(fileOf(front, 'csv'))).toBe(false);
  expect(await service.list()).toHaveLength(3);
  expect(await run(front)).toMatchObject({ code: 0, stderr: '' });
  expect(kept(front)).toEqual(byPlace(...all));
});

it.each([
  ['a base URL without a scheme', '127.0.0.1:9', 'crcs_x'],
  ['no token', 'http://127.0.0.1:9', ''],
  ['an unknown option', 'http://127.0.0.1:9', 'crcs_x', '--help'],
])('prints its usage for %s', async (_, url, token, ...args) => {
  expectFailure(await run({ url }, token, ...args), 'usage: BASE_URL=https://');
});

it('sends the token to no other address, even after a redirect or a foreign link', async () => {
  await using other = await startFront(service.baseUrl);
  const redirect = withBody(302, '', { Location: `${other.url}/api/v1/contact` });
  await using redirecting = await startFront(service.baseUrl, redirect);
  expectFailure(await run(redirecting), '');
  const link = withBody(200, '[]', { Link: `<${other.url}/api/v1/contact?cursor=x>; rel="next"` });
  await using linking = await startFront(service.baseUrl, onNth(1, reads, link));
  expectFailure(await run(linking), '400 {"error":"Bad Request"');
  expect(other.asked).toEqual([]);
});

it('does not run twice at the same time', async () => {
  let second: ReturnType<typeof run> | undefined;
  const meddle = onNth(1, reads, async () => {
    second = run(front);
    await second;
  });
  await using front = await startFront(service.baseUrl, meddle);
  const one = await service.post();
  expect(await run(front)).toMatchObject({ code: 0 });
  expectFailure((await second) ?? { code: 0, stdout: '', stderr: '' }, '');
  expect(kept(front)).toEqual([one]);
});

it('writes CSV that no spreadsheet changes, and that only the owner can read', async () => {
  const texts = [...Object.values(changingTexts).flat(), ...splitTexts.map(([text]) => text), ...plainTexts];
  const contacts = texts.map((text, at): Contact => {
    const time = new Date(at).toISOString();
    const fields = { message: text, site: 'https://shop24.example.com', form: text };
    const files = ['cv.pdf', text].map((name) => ({ name, type: 'application/pdf', size: 1 }));
    return { id: randomUUID(), createdAt: time, ...fields, releasedAt: time, extra: { topic: ['=1', text] }, files };
  });
  await using front = await startFront(service.baseUrl, onNth(1, reads, withBody(200, JSON.stringify(contacts))));
  await run(front);
  const file = readFileSync(fileOf(front, 'csv'), 'utf8');
  expect(file[0]).toBe('\ufeff');
  const withoutExtra = (row: readonly string[]) => row.toSpliced(-2, 1);
  const rows = v.parse(csvRows, parse(file, { bom: true }));
  const expected = v.parse(csvRows, parse(contactCsvHeader + contacts.map(toContactCsvRow).join('')));
  expect(rows.map(withoutExtra)).toEqual(expected.map(withoutExtra));
  // JSON as Python writes it.
  for (const [at, contact] of contacts.entries()) expect(JSON.parse(rows[at + 1]?.at(-2) ?? '')).toEqual(contact.extra);
  if (process.platform === 'win32') return;
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
});

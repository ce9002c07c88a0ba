import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { contactCsvHeader } from '../../functions/contacts/csv.ts';
import { type Contact, contactSchema } from '../acceptance/contact.ts';
import { testOnPosix } from '../support/posix.ts';
import { type Front, type Meddle, startFront } from './front.ts';
import { exampleScript, type ScriptName } from './script.ts';
import { startTestService, type TestService } from './service.ts';

/** The sync in one language, and the copies that it keeps. */
export interface SyncScript {
  readonly name: ScriptName;
  /** What its copies are kept in, by the end of that file's name. */
  readonly store: 'db' | 'jsonl';
  /** What `Retry-After` asks of it, in seconds: without some, curl takes a time of its own. */
  readonly retryAfter: 0 | 1;
}

const contactRows = v.array(v.object({ contact: v.string() }));

const csvRows = v.array(v.record(v.string(), v.string()));

const inDatabase = (file: string): string[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = v.parse(contactRows, database.prepare('SELECT contact FROM contacts ORDER BY place, id').all());
  database.close();
  return rows.map(({ contact }) => contact);
};

const inLines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

const placeOf = ({ createdAt, releasedAt, id }: Contact) => `${releasedAt ?? createdAt} ${id}`;
const byPlace = (...contacts: Contact[]) => contacts.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));

const withBody =
  (status: number, body: string, headers = {}) =>
  (_: string, response: Parameters<Meddle>[1]) => {
    response.writeHead(status, headers).end(body);
  };

/** Meddles with the nth request of those that a pattern fits. */
const onNth = (nth: number, pattern: RegExp, meddle: Meddle): Meddle => {
  let count = 0;
  return (asked, response) => {
    if (!pattern.test(asked)) return;
    count += 1;
    return count === nth ? meddle(asked, response) : undefined;
  };
};

/** What each of them does: the contract's "reading forward misses nothing", and what may go wrong on the way. */
export const testSync = ({ name, store, retryAfter }: SyncScript): void => {
  const script = exampleScript(name);
  const read = { db: inDatabase, jsonl: inLines }[store];
  let service: TestService;
  let mayRead: string;
  let mayDelete: string;
  beforeAll(async () => {
    service = await startTestService();
    mayRead = await service.issueToken('contacts:read');
    mayDelete = await service.issueToken('contacts:read,contacts:delete');
  });
  afterAll(() => service.stop());

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'examples-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    await service.empty();
  });
  beforeEach((context) => script.requiredBy(context));

  const fileOf = ({ url }: Pick<Front, 'url'>, kind: string = store) =>
    join(folder, `contacts.${url.replace('http://', '').replaceAll(/[:/]/g, '_')}.${kind}`);
  const kept = (front: Pick<Front, 'url'>): Contact[] =>
    read(fileOf(front)).map((text) => v.parse(contactSchema, JSON.parse(text)));
  const run = ({ url }: Pick<Front, 'url'>, STAFF_TOKEN = mayRead, ...args: string[]) =>
    script.run(folder, { BASE_URL: url, STAFF_TOKEN }, ...args);
  const summary = (all: number, fresh: number) =>
    expect.stringMatching(new RegExp(`^\\S+ has ${all} contact requests, ${fresh} of them new\\.\\n`));
  const expectFailure = ({ code, stderr }: Awaited<ReturnType<typeof run>>, why: string) => {
    expect(stderr).toMatch(new RegExp(`^${name} failed: .*\n$`));
    expect(stderr).toContain(why);
    expect(code).toBe(1);
  };

  it('misses nothing and repeats nothing, whatever is new, released and deleted between its runs', async () => {
    await using front = await startFront(service.baseUrl);
    const [one, spam, deleted, other, last] = [
      await service.post({ extra: 'é, "x"\n😀' }),
      await service.postSpam(),
      await service.post(),
      await service.post(),
      await service.post(),
    ];
    expect(await run(front)).toEqual({ code: 0, stdout: summary(4, 4), stderr: '' });
    expect(kept(front)).toEqual(byPlace(one, deleted, other, last));

    await service.remove(deleted.id);
    await service.staff('contacts', 'release', spam.id);
    const fresh = await service.post();
    const released = { ...spam, releasedAt: expect.any(String) };
    const all = [...byPlace(one, deleted, other, last), released, fresh];
    expect(await run(front)).toEqual({ code: 0, stdout: summary(6, 2), stderr: '' });
    expect(kept(front)).toEqual(all);
    expect(await run(front)).toEqual({ code: 0, stdout: summary(6, 0), stderr: '' });
    expect(kept(front)).toEqual(all);
  });

  it('asks from the last place on, less one minute', async () => {
    await using front = await startFront(service.baseUrl);
    await run(front);
    const { createdAt } = await service.post();
    await run(front);
    await run(front);
    const [first, second, third] = front.asked.map((asked) => new URL(asked.slice(4), front.url).searchParams);
    expect([first, second].map((query) => query?.has('since'))).toEqual([false, false]);
    expect(third?.get('order')).toBe('asc');
    // To the second, where a script counts in seconds.
    const overlap = Date.parse(createdAt) - Date.parse(third?.get('since') ?? '');
    expect(overlap).toBeGreaterThanOrEqual(60_000);
    expect(overlap).toBeLessThan(61_000);
  });

  it('with --delete deletes what it has, once, and nothing that came since', async () => {
    const late: Contact[] = [];
    const meddle = onNth(1, /^DELETE/, async () => {
      late.push(await service.post());
    });
    await using front = await startFront(service.baseUrl, meddle);
    const spam = await service.postSpam();
    const early = [await service.post(), await service.post(), await service.post()];
    expect(await run(front)).toMatchObject({ code: 0 });
    expect(await service.list()).toHaveLength(3);

    expect(await run(front, mayDelete, '--delete')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^3 deleted from the service\.$/m),
      stderr: '',
    });
    expect(kept(front)).toEqual(byPlace(...early));
    expect(await service.list()).toEqual(late);
    expect(await service.list(true)).toEqual([spam]);

    const deletes = () => front.asked.filter((asked) => asked.startsWith('DELETE'));
    expect(deletes()).toHaveLength(3);
    expect(await run(front, mayDelete, '--delete')).toMatchObject({ code: 0 });
    expect(deletes()).toHaveLength(4);
    expect(kept(front)).toEqual(byPlace(...early, ...late));
    expect(await service.list()).toEqual([]);
  });

  testOnPosix.each(['before', 'behind'])('loses nothing when it is killed %s a delete', async (where) => {
    let kill = () => {};
    let killing = true;
    const meddle: Meddle = async (asked, response) => {
      if (!killing || !asked.startsWith('DELETE')) return;
      if (where === 'behind') await service.remove(asked.slice(-36));
      kill();
      response.destroy();
    };
    await using front = await startFront(service.baseUrl, meddle);
    const all = [await service.post(), await service.post(), await service.post()];
    const killed = script.start(folder, { BASE_URL: front.url, STAFF_TOKEN: mayDelete }, '--delete');
    kill = killed.kill;
    expect((await killed.ended).code).toBeNull();
    expect(await service.list()).toHaveLength(where === 'before' ? 3 : 2);
    expect(kept(front)).toEqual(byPlace(...all));

    killing = false;
    const work = fileOf(front, 'work');
    if (existsSync(work)) {
      expectFailure(await run(front, mayDelete, '--delete'), `rm -r ${work.slice(folder.length + 1)}`);
      rmSync(work, { recursive: true });
    }
    expect(await run(front, mayDelete, '--delete')).toEqual({ code: 0, stdout: expect.any(String), stderr: '' });
    expect(kept(front)).toEqual(byPlace(...all));
    expect(await service.list()).toEqual([]);
  });

  it('deletes again what came again under the same id', async () => {
    await using front = await startFront(service.baseUrl);
    const post = () => service.post({ 'idempotency-key': `again-${name}` });
    const first = await post();
    await run(front, mayDelete, '--delete');
    const again = await post();
    expect(again.id).toBe(first.id);
    expect(await run(front, mayDelete, '--delete')).toMatchObject({ code: 0 });
    expect(kept(front)).toEqual([again]);
    expect(await service.list()).toEqual([]);
  });

  it('waits as long as the service says: 429 and 503, reading and deleting', async () => {
    const busy = (status: number) => withBody(status, '{"error":"…"}', { 'Retry-After': '0' });
    const meddles = [onNth(2, /^GET/, busy(429)), onNth(1, /^DELETE/, busy(503))];
    await using front = await startFront(service.baseUrl, async (...request) => {
      for (const meddle of meddles) await meddle(...request);
    });
    const all = [await service.post(), await service.post(), await service.post()];
    expect(await run(front, mayDelete, '--delete')).toEqual({ code: 0, stdout: expect.any(String), stderr: '' });
    expect(front.asked).toHaveLength(3 + 4);
    expect(kept(front)).toEqual(byPlace(...all));
    expect(await service.list()).toEqual([]);
  });

  it('does not wait for ever', async () => {
    const busy = (seconds: string) => withBody(429, '{"error":"Too Many Requests"}', { 'Retry-After': seconds });
    await using patient = await startFront(service.baseUrl, busy(String(retryAfter)));
    expectFailure(await run(patient), '429 {"error":"Too Many Requests"}');
    expect(patient.asked).toHaveLength(6);
    await using impatient = await startFront(service.baseUrl, busy('3600'));
    expectFailure(await run(impatient), '429 {"error":"Too Many Requests"}');
    expect(impatient.asked).toHaveLength(1);
  });

  it('a bad token is one line and 1, without the token', async () => {
    await using front = await startFront(service.baseUrl);
    const bad = `${mayRead.slice(0, -4)}xxxx`;
    const outcome = await run(front, bad);
    expectFailure(outcome, '401 {"error":"Unauthorized"}');
    expect(outcome.stderr).not.toContain(bad);
    expectFailure(await run(front, await service.issueToken('campaigns:read')), '403 {"error":"Forbidden"}');
    await service.staff('tokens', 'revoke', 'campaigns:read');
  });

  it('a token that may not delete is told so, when all is kept', async () => {
    await using front = await startFront(service.baseUrl);
    const one = await service.post();
    expectFailure(await run(front, mayRead, '--delete'), '403 {"error":"Forbidden"}');
    expect(kept(front)).toEqual([one]);
    expect(await run(front, mayDelete, '--delete')).toMatchObject({ code: 0 });
    expect(await service.list()).toEqual([]);
  });

  it.each<[string, Meddle, string]>([
    ['a page of somebody else', withBody(200, '<html>\n<p>\n'), ''],
    ['an object', withBody(200, '{}'), ''],
    ['a list of nothing', withBody(200, '[null]'), ''],
    ['a list of something else', withBody(200, '[{"id":"x"}]'), ''],
    ['a refusal of somebody else', withBody(418, '<html>\n<p>\n'), '418 <html> <p>'],
    ['a lost connection', (_, response) => void response.destroy(), ''],
    [
      'an answer that is cut',
      (_, response) => void response.writeHead(200, { 'Content-Length': 100 }).write('[', () => response.destroy()),
      '',
    ],
  ])('%s on the second page is one line and 1, and the next run misses nothing', async (_, meddle, why) => {
    await using front = await startFront(service.baseUrl, onNth(2, /^GET/, meddle));
    const all = [await service.post(), await service.post(), await service.post()];
    expectFailure(await run(front, mayDelete, '--delete'), why);
    expect(existsSync(fileOf(front, 'csv'))).toBe(false);
    expect(await service.list()).toHaveLength(3);
    expect(await run(front)).toMatchObject({ code: 0, stderr: '' });
    expect(kept(front)).toEqual(byPlace(...all));
  });

  it('one line and 1 also where nobody listens, and where it is called in another way', async () => {
    const front = await startFront(service.baseUrl);
    await front[Symbol.asyncDispose]();
    expectFailure(await run(front), '');
    expectFailure(await run({ url: 'http://exa mple' }), '');
    for (const outcome of [
      await run({ url: '' }),
      // curl would take it for http://, and the token would go unencrypted.
      await run({ url: front.url.replace('http://', '') }),
      await run(front, ''),
      await run(front, `${mayRead}\nx`),
      await run(front, mayRead, '--help'),
      await run(front, mayRead, '--delete', 'x'),
    ]) {
      expectFailure(outcome, 'usage: BASE_URL=https://');
      expect(outcome.stderr).not.toContain(mayRead);
    }
  });

  it('sends the token to no other address, wherever an answer leads', async () => {
    await using other = await startFront(service.baseUrl);
    const redirect = withBody(302, '', { Location: `${other.url}/api/v1/contact` });
    await using redirecting = await startFront(service.baseUrl, redirect);
    expectFailure(await run(redirecting), '');
    const link = withBody(200, '[]', { Link: `<${other.url}/api/v1/contact?cursor=x>; rel="next"` });
    await using linking = await startFront(service.baseUrl, onNth(1, /^GET/, link));
    expectFailure(await run(linking), '400 {"error":"Bad Request"');
    expect(other.asked).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('shows the token in no list of processes', async () => {
    let seen = '';
    const meddle = onNth(1, /^GET/, () => {
      for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          seen += readFileSync(`/proc/${process}/cmdline`, 'utf8').replaceAll('\0', ' ');
        } catch {
          // It has ended meanwhile.
        }
      }
    });
    await using front = await startFront(service.baseUrl, meddle);
    expect(await run(front)).toMatchObject({ code: 0 });
    expect(seen).toContain(name);
    expect(seen).not.toContain(mayRead);
  });

  it('runs once at a time', async () => {
    let second: ReturnType<typeof run> | undefined;
    const meddle = onNth(1, /^GET/, async () => {
      second = run(front);
      await second;
    });
    await using front = await startFront(service.baseUrl, meddle);
    const one = await service.post();
    expect(await run(front)).toMatchObject({ code: 0 });
    expectFailure((await second) ?? { code: 0, stdout: '', stderr: '' }, '');
    expect(kept(front)).toEqual([one]);
  });

  it('keeps apart what it read of each service, whose base URL may end with a slash', async () => {
    const [one, other] = [await startFront(service.baseUrl), await startFront(service.baseUrl)];
    await service.post();
    for (const url of [one.url, other.url, `${other.url}/`]) expect(await run({ url })).toMatchObject({ code: 0 });
    expect([kept(one), kept(other)]).toEqual([await service.list(), await service.list()]);
    expect(readdirSync(folder).filter((file) => file.endsWith('.csv'))).toHaveLength(2);
    for (const front of [one, other]) await front[Symbol.asyncDispose]();
  });

  it('writes the CSV of the service: the same columns, and no formula for a spreadsheet', async () => {
    await using front = await startFront(service.baseUrl);
    const message = '=1+1,=2;-3\n@x "=4" ＝5;\u00a0=6';
    const { id, createdAt } = await service.post({
      message,
      phone: '+49 30 5550199',
      topic: ['=1', '=2'],
      company: 'é',
    });
    await run(front);
    const text = readFileSync(fileOf(front, 'csv'), 'utf8');
    expect(text.split('\n', 1)[0]?.replaceAll('"', '')).toBe(contactCsvHeader.slice(0, -1));
    const [{ extra = '', ...row } = {}, ...others] = v.parse(csvRows, parse(text, { columns: true }));
    expect(others).toEqual([]);
    expect({ ...row, extra: JSON.parse(extra) }).toEqual({
      ...{ id, createdAt, email: 'ada@example.com', phone: "'+49 30 5550199", company: 'é' },
      ...{ message: `'=1+1,'=2;'-3\n'@x "=4" ＝5;\u00a0'=6`, firstName: '', lastName: '', site: '', releasedAt: '' },
      extra: { topic: ['=1', expect.stringMatching(/^'?=2$/)] },
    });
  });

  testOnPosix('its files are for their owner alone', async () => {
    await using front = await startFront(service.baseUrl);
    await service.post();
    await run(front);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  });
};

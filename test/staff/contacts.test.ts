import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { contactStore } from '../../functions/contacts/store.ts';
import { putBrokenItem } from '../support/broken-item.ts';
import { createRecordingClient } from '../support/recording-client.ts';
import { startRelay } from '../support/relay.ts';
import type { TestServer } from '../support/server.ts';
import { client } from '../support/tables.ts';
import { pressCtrlCAt } from './ctrl-c.ts';
import { lines, now, type RunOptions, type StaffService, startStaff } from './staff.ts';
import { store } from './stored.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const list = async (...args: string[]) => {
  const { code, stdout, stderr } = await staff.run(['contacts', 'list', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return lines(stdout);
};

const idsIn = (rows: readonly string[]) => rows.slice(1).map((row) => row.split('  ')[1]);

const identified = v.object({ id: v.string() });

const query = v.object({ output: v.object({ ScannedCount: v.number() }) });

/** How many items were read. */
const scannedIn = (calls: readonly unknown[]) =>
  calls.reduce<number>((sum, call) => sum + v.parse(query, call).output.ScannedCount, 0);

/** A client that reaches the store by a relay. */
const clientOf = ({ url }: TestServer) => DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: url }));

const day = (date: number) => new Date(Date.UTC(2026, 1, date));

describe('contacts list', () => {
  it('shows who wrote what and when, newest first, each on a line', async () => {
    const older = await store(staff, { phone: '+49 170 1234567', message: 'Short' }, { createdAt: day(1) });
    const newer = await store(
      staff,
      { email: 'ada@example.com', phone: '12345', message: `${'x'.repeat(61)}` },
      { createdAt: day(2), site: 'https://www.example.com' },
    );
    const lined = await store(staff, { email: 'b@example.com', message: 'First\nsecond' }, { createdAt: day(3) });
    expect(await list()).toEqual([
      `TIME${' '.repeat(22)}ID${' '.repeat(36)}FROM${' '.repeat(13)}SITE${' '.repeat(21)}MESSAGE`,
      `2026-02-03T00:00:00.000Z  ${lined}  b@example.com${' '.repeat(29)}First second`,
      `2026-02-02T00:00:00.000Z  ${newer}  ada@example.com  https://www.example.com  ${'x'.repeat(61)}`,
      `2026-02-01T00:00:00.000Z  ${older}  +49 170 1234567${' '.repeat(27)}Short`,
    ]);
  });

  it('has room for the message on a terminal of 80 columns', async () => {
    const site = 'https://www.example.com';
    const id = await store(
      staff,
      { email: 'ada@example.com', message: 'Hello, is it there?' },
      { createdAt: day(2), site },
    );
    const { stdout } = await staff.run(['contacts', 'list'], { terminals: ['stdout'], columns: 80 });
    expect(lines(stdout)[1]).toBe(`2026-02-02 00:00  ${id}  ada@example…  Hello, is…`);
  });

  it('keeps to a range: since is inclusive, until exclusive', async () => {
    const [, second, third] = [
      await store(staff, {}, { createdAt: day(1) }),
      await store(staff, {}, { createdAt: day(2) }),
      await store(staff, {}, { createdAt: day(3) }),
      await store(staff, {}, { createdAt: day(4) }),
    ];
    const range = ['--since', '2026-02-02T01:00:00+01:00', '--until', '2026-02-04T00:00:00Z'];
    expect(idsIn(await list(...range))).toEqual([third, second]);
  });

  it.each([
    ['2026-02-27', ['2026-02-27', '2026-02-28T23:59:59.999Z', '2026-03-01T11:00:00.000Z']],
    ['2d', ['2026-02-28T23:59:59.999Z', '2026-03-01T11:00:00.000Z']],
    ['1h', ['2026-03-01T11:00:00.000Z']],
    ['61m', ['2026-03-01T11:00:00.000Z']],
    ['59m', []],
    ['1w', ['2026-02-26T23:59:59.999Z', '2026-02-27', '2026-02-28T23:59:59.999Z', '2026-03-01T11:00:00.000Z']],
  ])('takes a date, which begins in UTC, and how long ago: --since %s', async (since, expected) => {
    for (const time of [
      '2026-02-26T23:59:59.999Z',
      '2026-02-27',
      '2026-02-28T23:59:59.999Z',
      '2026-03-01T11:00:00.000Z',
    ]) {
      await store(staff, {}, { createdAt: new Date(time) });
    }
    const times = (await list('--since', since)).slice(1).map((row) => row.split('  ')[0]);
    expect(times).toEqual(expected.map((time) => new Date(time).toISOString()).reverse());
    expect(await list('--until', since)).toHaveLength(1 + 4 - expected.length);
  });

  it('lists spam only when asked to, and then only spam', async () => {
    const [spam, normal] = [await store(staff, {}, { spam: true }), await store(staff, {})];
    expect(idsIn(await list())).toEqual([normal]);
    expect(idsIn(await list('--spam'))).toEqual([spam]);
  });

  it('lists those of a site, in whichever way its origin is written', async () => {
    const [one, spam] = [
      await store(staff, {}, { site: 'https://www.example.com' }),
      await store(staff, {}, { site: 'https://www.example.com', spam: true }),
      await store(staff, {}, { site: 'https://www.example.com.invalid' }),
      await store(staff, {}),
    ];
    for (const written of ['https://www.example.com', 'HTTPS://WWW.Example.COM:443/contact']) {
      expect(idsIn(await list('--site', written))).toEqual([one]);
    }
    expect(idsIn(await list('--spam', '--site', 'https://www.example.com'))).toEqual([spam]);
    expect(idsIn(await list('--site', 'http://www.example.com'))).toEqual([]);
  });

  it('ends after a limit, and reads no more pages than it takes', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, at) => store(staff, {}, { createdAt: new Date(now.getTime() - at) })),
    );
    const queried = async (...args: string[]) => {
      const { client, calls } = createRecordingClient();
      const { stdout } = await staff.run(['contacts', 'list', ...args], { client });
      return { ids: idsIn(lines(stdout)), scanned: scannedIn(calls) };
    };
    const three = await queried('--limit', '3');
    expect(three.ids).toEqual(ids.slice(0, 3));
    expect(three.scanned).toBeLessThan(30);
    expect((await queried('--limit', '30')).ids).toEqual(ids);
    expect((await queried('--limit', '31')).ids).toEqual(ids);
    expect((await queried('--limit', '2', '--since', '1h')).ids).toEqual(ids.slice(0, 2));
  });

  it('ends after a limit of those of a site', async () => {
    const site = 'https://www.example.com';
    const ids = [];
    for (const at of [3, 2, 1]) {
      ids.push(await store(staff, {}, { site, createdAt: day(at) }));
      await store(staff, {}, { createdAt: day(at) });
    }
    expect(idsIn(await list('--site', site, '--limit', '2'))).toEqual(ids.slice(0, 2));
  });

  it('gives a program one array, each contact request as the API answers it', async () => {
    expect(await list('--json')).toEqual(['[]']);
    const fields = { email: 'a@example.com', message: 'One\n\u202etwo', extra: { topic: ['a', 'b'] } };
    const newer = await store(staff, fields, { createdAt: day(2), site: 'https://www.example.com' });
    const older = await store(staff, {}, { createdAt: day(1), expiresAt: day(40) });
    const printed = await list('--json');
    expect(printed).toHaveLength(4);
    expect(printed.join('')).not.toContain('\u202e');
    expect(JSON.parse(printed.join('\n'))).toEqual([
      { id: newer, createdAt: day(2).toISOString(), ...fields, site: 'https://www.example.com' },
      { id: older, createdAt: day(1).toISOString(), message: 'Hello' },
    ]);
  });

  it('shows nothing that could steer the terminal', async () => {
    await store(staff, { email: 'a@example.com', message: 'red \u001b[31m\ttext \u202egnp.exe' });
    expect((await list())[1]).toMatch(/red {2}\[31m text {2}gnp\.exe$/);
  });

  it('ends with 130 on Ctrl-C', async () => {
    await store(staff, {});
    await using ctrlC = await pressCtrlCAt('Query');
    expect(await staff.run(['contacts', 'list'], ctrlC)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Stopped before the end.\n',
    });
  });
});

describe('contacts show', () => {
  const show = (...args: string[]) => staff.run(['contacts', 'show', ...args]);

  it('prints a contact request whole, its lines as they were sent', async () => {
    const id = await store(
      staff,
      {
        email: 'ada@example.com',
        phone: '12345',
        company: 'Analytical, Ltd.',
        message: `First line\n\n  ${'long '.repeat(200)}end`,
        firstName: 'Ada',
        lastName: 'Lovelace',
        extra: { topic: 'A question', 'What else?': ['one', 'two\nlines'] },
      },
      { createdAt: day(1), site: 'https://www.example.com', expiresAt: day(40), spam: true },
    );
    await staff.run(['contacts', 'release', id], { now: day(2) });
    expect(await show(id.toUpperCase())).toEqual({
      code: 0,
      stdout: [
        `id          ${id}`,
        'createdAt   2026-02-01T00:00:00.000Z',
        'releasedAt  2026-02-02T00:00:00.000Z',
        'expires     2026-03-12T00:00:00.000Z',
        'spam        no',
        'site        https://www.example.com',
        'email       ada@example.com',
        'phone       12345',
        'company     Analytical, Ltd.',
        'message     First line',
        '',
        `              ${'long '.repeat(200)}end`,
        'firstName   Ada',
        'lastName    Lovelace',
        'extra',
        '  topic       A question',
        '  What else?  one',
        '              two',
        '              lines',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('says what is spam, and leaves out what is not there', async () => {
    const id = await store(staff, {}, { spam: true });
    expect(lines((await show(id)).stdout)).toEqual([
      `id         ${id}`,
      `createdAt  ${now.toISOString()}`,
      'expires    never',
      'spam       yes',
      'message    Hello',
    ]);
  });

  it('shows nothing that could steer the terminal', async () => {
    const id = await store(staff, { message: 'red \u001b[31m\u202e\nnext', extra: { 'a\u009b': '\u2066b' } });
    expect((await show(id)).stdout).toMatch(/red {2}\[31m\n {11}next\nextra\n {2}a {4}b\n$/);
    expect((await show(id, '--json')).stdout).toMatch(/^[\x20-\x7e]+\n$/);
  });

  it('gives a program the contact request as the API answers it', async () => {
    const fields = { email: 'a@example.com', message: 'One\n\u202etwo', extra: { topic: ['a', 'b'] } };
    const id = await store(staff, fields, { spam: true, expiresAt: day(40) });
    const { stdout } = await show(id, '--json');
    expect(JSON.parse(stdout)).toEqual({ id, createdAt: now.toISOString(), ...fields });
    expect(lines(stdout)).toHaveLength(1);
  });

  it('says in a line when there is nothing to show', async () => {
    const expired = await store(staff, {}, { expiresAt: day(28) });
    const broken = await putBrokenItem(staff.tables.contacts, 'inbox', '2026-02-01T12:00:00.000Z#');
    const line = async (id: string) => {
      const { code, stdout, stderr } = await show(id);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    expect(await line(unknownId)).toBe(`There is no contact request ${unknownId}.\n`);
    expect(await line(expired)).toBe(
      `The contact request ${expired} expired at 2026-02-28T00:00:00.000Z: it is no longer shown.\n`,
    );
    expect(await line(broken)).toBe(
      `The contact request ${broken} cannot be read (docs/runbook.md, "unreadable-items").\n`,
    );
    expect(await line('17')).toBe('<id>: "17" is not a UUID.\n');
  });
});

describe('contacts delete', () => {
  it('deletes one for good, and says so when there is none', async () => {
    const [id, other] = [await store(staff, {}), await store(staff, {})];
    expect(await staff.run(['contacts', 'delete', id.toUpperCase()])).toEqual({
      code: 0,
      stdout: `Deleted the contact request ${id} for good.\n`,
      stderr: '',
    });
    expect(idsIn(await list())).toEqual([other]);
    expect(await staff.run(['contacts', 'delete', id])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no contact request ${id}.\n`,
    });
  });

  it('tells a program which', async () => {
    const id = await store(staff, {});
    const { code, stdout } = await staff.run(['contacts', 'delete', id, '--json']);
    expect({ code, told: JSON.parse(stdout) }).toEqual({ code: 0, told: { id } });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('deletes also what has expired, and what cannot be read', async () => {
    const ids = [
      await store(staff, {}, { expiresAt: day(1) }),
      await putBrokenItem(staff.tables.contacts, 'inbox', '2026-02-01T12:00:00.000Z#'),
    ];
    for (const id of ids) expect(await staff.run(['contacts', 'delete', id])).toMatchObject({ code: 0 });
    expect(await staff.everything()).toEqual([[], [], []]);
  });
});

describe('contacts delete --spam', () => {
  const site = 'https://www.example.com';
  const deleteSpam = (args: readonly string[], options?: RunOptions) =>
    staff.run(['contacts', 'delete', '--spam', '--since', '2026-02-10', ...args], options);

  it('deletes the spam since a time, and nothing else', async () => {
    const left = [
      await store(staff, {}, { createdAt: day(20) }),
      await store(staff, {}, { spam: true, createdAt: day(9) }),
    ];
    for (let at = 0; at < 25; at += 1) await store(staff, {}, { spam: true, createdAt: day(10) });
    await putBrokenItem(staff.tables.contacts, 'spam', '2026-02-11T12:00:00.000Z#');
    expect(await deleteSpam(['--yes'])).toEqual({
      code: 0,
      stdout: 'Deleted 26 contact requests for good.\n',
      stderr: 'Found 26 contact requests marked as spam.\n',
    });
    const [kept] = v.parse(v.tuple([v.array(identified), v.unknown(), v.unknown()]), await staff.everything());
    expect(kept.map(({ id }) => id).toSorted()).toEqual(left.toSorted());
  });

  it('keeps to a site', async () => {
    await store(staff, {}, { spam: true, site });
    const left = await store(staff, {}, { spam: true, site: 'https://shop.example.com' });
    expect(await deleteSpam(['--site', site, '--yes'])).toMatchObject({
      stdout: 'Deleted 1 contact request for good.\n',
    });
    expect(idsIn(await list('--spam'))).toEqual([left]);
  });

  it('asks first, and deletes nothing without an answer', async () => {
    const id = await store(staff, {}, { spam: true });
    expect(await deleteSpam([])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Found 1 contact request marked as spam.\nNothing was changed: add --yes to go on without a question.\n',
    });
    expect(idsIn(await list('--spam'))).toEqual([id]);
    expect(await deleteSpam([], { terminals: ['stdin'], input: 'y\n' })).toMatchObject({ code: 0 });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('leaves what is released meanwhile', async () => {
    const id = await store(staff, {}, { spam: true });
    await using relay = await startRelay({
      before: async (operation) => {
        if (operation === 'DeleteItem') await staff.run(['contacts', 'release', id]);
      },
    });
    expect(await deleteSpam(['--yes'], { client: clientOf(relay) })).toMatchObject({
      stdout: 'Deleted 0 contact requests for good.\n',
    });
    expect(idsIn(await list())).toEqual([id]);
  });

  it.each([
    [['contacts', 'delete', '--spam']],
    [['contacts', 'delete', unknownId, '--spam', '--since', '1d']],
    [['contacts', 'delete', unknownId, '--yes']],
    [['contacts', 'delete', '--since', '1d']],
  ])('refuses %j', async (args) => {
    expect(await staff.run(args)).toEqual({ code: 1, stdout: '', stderr: 'Give an id, or --spam with --since.\n' });
  });
});

describe('contacts release', () => {
  it('releases several, and names each that it cannot release', async () => {
    const [one, other, normal] = [
      await store(staff, {}, { spam: true }),
      await store(staff, {}, { spam: true }),
      await store(staff, {}),
    ];
    expect(await staff.run(['contacts', 'release', one, normal, unknownId, other])).toEqual({
      code: 1,
      stdout: `Released the contact request ${one} from spam.\nReleased the contact request ${other} from spam.\n`,
      stderr: `The contact request ${normal} is not marked as spam.\nThere is no contact request ${unknownId}.\n`,
    });
    expect(idsIn(await list('--spam'))).toEqual([]);
  });

  it('moves a contact request from the list of spam to the normal one', async () => {
    const [id, other] = [await store(staff, {}, { spam: true }), await store(staff, {}, { spam: true })];
    expect(await staff.run(['contacts', 'release', id.toUpperCase()])).toEqual({
      code: 0,
      stdout: `Released the contact request ${id} from spam.\n`,
      stderr: '',
    });
    expect(idsIn(await list())).toEqual([id]);
    expect(idsIn(await list('--spam'))).toEqual([other]);
  });

  it('tells a program since when it is listed', async () => {
    const id = await store(staff, {}, { spam: true });
    const { code, stdout } = await staff.run(['contacts', 'release', id, '--json'], { now: day(3) });
    expect({ code, told: JSON.parse(stdout) }).toEqual({ code: 0, told: [{ id, releasedAt: day(3).toISOString() }] });
    expect(idsIn(await list())).toEqual([id]);
  });

  it('moves to the end of the list, and since and until count from then', async () => {
    const id = await store(staff, {}, { spam: true, createdAt: day(1) });
    const between = await store(staff, {}, { createdAt: day(2) });
    await staff.run(['contacts', 'release', id], { now: day(3) });
    const released = { id, createdAt: day(1).toISOString(), message: 'Hello', releasedAt: day(3).toISOString() };
    expect(await contactStore(client, staff.tables.contacts).get(id, now)).toEqual(released);
    const { stdout } = await staff.run(['contacts', 'export', '--format', 'jsonl']);
    expect(lines(stdout).map((line) => JSON.parse(line))).toMatchObject([released, { id: between }]);
    expect((await list('--since', day(3).toISOString()))[1]).toMatch(`2026-02-03T00:00:00.000Z  ${id}  `);
    expect(idsIn(await list('--until', day(3).toISOString()))).toEqual([between]);
  });

  it('gives a repeated request with its Idempotency-Key the first answer, which tells of no spam', async () => {
    const request = {
      fields: { message: 'Hello' },
      spam: true,
      createdAt: day(1),
      idempotencyKey: 'key',
    };
    const id = await store(staff, request.fields, request);
    await staff.run(['contacts', 'release', id]);
    expect(await contactStore(client, staff.tables.contacts).create(request)).toEqual({
      outcome: 'replayed',
      contact: { id, createdAt: day(1).toISOString(), message: 'Hello' },
    });
  });

  it('is done when the answer to it got lost, and the store is asked again', async () => {
    const id = await store(staff, {}, { spam: true });
    let lost = false;
    await using relay = await startRelay({
      losesAnswer: (operation) => {
        const loses = operation === 'UpdateItem' && !lost;
        lost ||= loses;
        return loses;
      },
    });
    expect(await staff.run(['contacts', 'release', id], { client: clientOf(relay) })).toMatchObject({ code: 0 });
    expect(lost).toBe(true);
    expect(idsIn(await list())).toEqual([id]);
  });
});

describe('a mistake', () => {
  it.each([
    [['release'], 'Missing required argument \'id\'. "npx crcs contacts release --help" shows how.'],
    [['release', '17'], '<id>: "17" is not a UUID.'],
    [['release', unknownId], `There is no contact request ${unknownId}.`],
    [
      ['list', '--since', 'yesterday'],
      '--since: Use a time such as 2026-01-31T12:00:00Z, a date such as 2026-01-31, or how long ago, such as 7d, 12h or 30m.',
    ],
    [
      ['list', '--since', '2026-02-30T00:00:00Z', '--until', '1'],
      '--since: Use a time such as 2026-01-31T12:00:00Z, a date such as 2026-01-31, or how long ago, such as 7d, 12h or 30m. --until: Use a time such as 2026-01-31T12:00:00Z, a date such as 2026-01-31, or how long ago, such as 7d, 12h or 30m.',
    ],
    [['list', '--since', '1d', '--until', '7d'], '--until must be later than --since.'],
    [['export', '--since', '2026-01-31', '--until', '2026-01-31'], '--until must be later than --since.'],
    [['list', '--site', 'www.example.com'], '--site: Must have scheme and host, as in https://www.example.com.'],
    [['list', '--site', 'ftp://www.example.com'], '--site: Must have scheme and host, as in https://www.example.com.'],
  ])('changes nothing: %j', async (args, line) => {
    await store(staff, {}, { spam: true });
    const before = await staff.everything();
    expect(await staff.run(['contacts', ...args])).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(await staff.everything()).toEqual(before);
  });

  it.each([
    ['was never marked', () => store(staff, {})],
    [
      'was released before',
      async () => {
        const id = await store(staff, {}, { spam: true });
        await staff.run(['contacts', 'release', id], { now: day(1) });
        return id;
      },
    ],
  ])('is told when what should be released %s', async (_, prepare) => {
    const id = await prepare();
    const before = await staff.everything();
    expect(await staff.run(['contacts', 'release', id])).toEqual({
      code: 1,
      stdout: '',
      stderr: `The contact request ${id} is not marked as spam.\n`,
    });
    expect(await staff.everything()).toEqual(before);
  });

  it('is told when what should be released is deleted just then, and it stays deleted', async () => {
    const id = await store(staff, {}, { spam: true });
    await using relay = await startRelay({
      before: async (operation) => {
        if (operation === 'UpdateItem') await contactStore(client, staff.tables.contacts).delete(id, now);
      },
    });
    expect(await staff.run(['contacts', 'release', id], { client: clientOf(relay) })).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no contact request ${id}.\n`,
    });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('is told when what should be released has expired', async () => {
    const id = await store(staff, {}, { spam: true, expiresAt: now });
    const before = await staff.everything();
    expect(await staff.run(['contacts', 'release', id])).toMatchObject({
      code: 1,
      stderr: `There is no contact request ${id}.\n`,
    });
    expect(await staff.everything()).toEqual(before);
  });
});

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { contactStore } from '../../functions/contacts/store.ts';
import { putBrokenItem } from '../support/broken-item.ts';
import { startRelay } from '../support/relay.ts';
import type { TestServer } from '../support/server.ts';
import { client, putAll } from '../support/tables.ts';
import { startBusyStore } from './busy-store.ts';
import { pressCtrlCAt } from './ctrl-c.ts';
import { lines, now, type RunOptions, type StaffService, startStaff } from './staff.ts';
import { store } from './stored.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

interface EraseOptions extends RunOptions {
  readonly yes?: boolean;
}

const eraseBy = (args: readonly string[], { yes = true, ...options }: EraseOptions = {}) =>
  staff.run(['contacts', 'erase', ...args, ...(yes ? ['--yes'] : [])], options);

const erase = (email: string, options: EraseOptions = {}) => eraseBy(['--email', email], options);

const isThere = async (id: string) => (await contactStore(client, staff.tables.contacts).get(id, now)) !== undefined;

/** Which of them are still there. */
const areThere = (ids: readonly string[]) => Promise.all(ids.map(isThere));

/** A client that reaches the store by a relay. */
const clientOf = ({ url }: TestServer) => DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: url }));

const copies = 'Copies may be elsewhere: docs/security.md#erase-a-person.\n';

/** What tells of an erasure to who keeps a record of it. */
const recordOf = (ids: readonly string[]) =>
  [
    `Erased ${ids.length} contact request${ids.length === 1 ? '' : 's'} in local, ${now.toISOString()}`,
    ...[...ids].sort(),
    '',
  ].join('\n');

describe('contacts erase --email', () => {
  it('erases every contact request of the address, whatever its case, spam too, and no other', async () => {
    const gone = [
      await store(staff, { email: 'Ada@Example.com' }),
      await store(staff, { email: 'ada@example.com' }, { spam: true }),
      await store(staff, { email: 'ADA@EXAMPLE.COM' }, { createdAt: new Date(0) }),
    ];
    const left = [
      await store(staff, { email: 'ada@example.com.invalid' }),
      await store(staff, { email: 'xada@example.com' }),
      await store(staff, { phone: '12345', message: 'ada@example.com' }),
    ];
    expect(await erase(' aDA@example.COM ')).toEqual({
      code: 0,
      stdout: recordOf(gone),
      stderr: `Found 3 contact requests: 3 by email.\n${copies}`,
    });
    expect(await areThere([...gone, ...left])).toEqual([false, false, false, true, true, true]);
  });

  it('looks into what forms sent besides, and says in which fields it stood', async () => {
    const gone = [
      await store(staff, { email: 'ADA@example.com', extra: { cc: 'ada@example.com' } }),
      await store(staff, { phone: '12345', extra: { cc: 'Ada <Ada@Example.com>, Bob <bob@example.com>' } }),
      await store(staff, { phone: '12345', extra: { topics: ['One', 'ask ada@example.com.'] } }, { spam: true }),
    ];
    const left = [
      await store(staff, { phone: '12345', extra: { cc: 'x.ada@example.com' } }),
      await store(staff, { phone: '12345', extra: { cc: 'ada@example.com.au' } }),
      await store(staff, { phone: '12345', extra: { cc: 'adaXexample.com' } }),
    ];
    const { stdout, stderr } = await erase('ada@example.com');
    expect(stdout).toBe(recordOf(gone));
    const found = /^Found 3 contact requests: (.*)\.\n/.exec(stderr)?.[1]?.split(', ').sort();
    expect(found).toEqual(['1 by email', '1 by extra.topics', '2 by extra.cc']);
    expect(await areThere([...gone, ...left])).toEqual([false, false, false, true, true, true]);
  });

  it.each(['ada@b\u00fccher.example', 'ada@xn--bcher-kva.example', 'ada@Bu\u0308cher.example'])(
    'knows a domain in Unicode and in ASCII, as browsers send it: %s',
    async (address) => {
      const gone = [
        await store(staff, { email: 'Ada@xn--bcher-kva.example' }),
        await store(staff, { phone: '12345', extra: { cc: 'an ada@B\u00fccher.example!' } }),
      ];
      const left = await store(staff, { phone: '12345', extra: { cc: 'ada@b\u00fccher.example.invalid' } });
      expect(await erase(address)).toMatchObject({ stdout: recordOf(gone) });
      expect(await isThere(left)).toBe(true);
    },
  );

  it('prints a record for programs, which tells no datum of a person', async () => {
    const id = await store(staff, { email: 'ada@example.com', extra: { 'cc\u202e': 'ada@example.com' } });
    const { stdout, stderr } = await eraseBy(['--email', 'ada@example.com', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      environment: 'local',
      time: now.toISOString(),
      found: 1,
      erased: 1,
      left: 0,
      ids: [id],
    });
    expect(stderr).toBe(`Found 1 contact request: 1 by email, 1 by extra.cc .\n${copies}`);
  });

  it('says until when backups of a deployed environment hold what was erased', async () => {
    const deployed = { isLocal: false };
    const backupsEnd = '2026-04-05T12:00:00.000Z';
    const id = await store(staff, { email: 'ada@example.com' });
    const { stdout } = await erase('ada@example.com', deployed);
    expect(stdout).toBe(
      `Erased 1 contact request in local, ${now.toISOString()}\nBackups still hold them until ${backupsEnd}\n${id}\n`,
    );
    await store(staff, { email: 'ada@example.com' });
    const programs = await eraseBy(['--email', 'ada@example.com', '--json'], deployed);
    expect(JSON.parse(programs.stdout)).toMatchObject({ erased: 1, backupsEnd });
  });

  it('erases past what cannot be read, and says which it is: it may be theirs, too', async () => {
    const gone = await store(staff, { email: 'ada@example.com' });
    const broken = await putBrokenItem(staff.tables.contacts, 'spam', '2026-02-01T12:00:00.000Z#');
    const { code, stdout, stderr } = await erase('ada@example.com');
    expect({ code, stdout }).toEqual({ code: 0, stdout: recordOf([gone]) });
    expect(stderr).toContain(`Left out the contact request ${broken}: `);
    expect(await isThere(gone)).toBe(false);
  });

  it.each([
    ['a list', ['Ada@example.com']],
    ['a set', new Set(['Ada@example.com'])],
    ['the second line of a text', 'Hello\nAda@example.com'],
  ])('erases what cannot be read when the address stands in it, in %s', async (_, email) => {
    const id = '00000000-0000-4000-8000-000000000000';
    const keys = { listPartition: 'inbox', listSort: `2026-02-01T12:00:00.000Z#${id}` };
    await putAll(staff.tables.contacts, [{ id, createdAt: 5, email, ...keys }]);
    expect(await erase('ada@example.com')).toMatchObject({
      stdout: recordOf([id]),
      stderr: `Found 1 contact request: 1 by an unreadable item.\n${copies}`,
    });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('erases also what has expired and is not yet gone', async () => {
    const id = await store(staff, { email: 'ada@example.com' }, { expiresAt: new Date(now.getTime() - 1000) });
    expect(await erase('ada@example.com')).toMatchObject({ stdout: recordOf([id]) });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('finds what is released from spam while it looks', async () => {
    const id = await store(staff, { email: 'ada@example.com' }, { spam: true });
    let asked = 0;
    await using relay = await startRelay({
      before: async (operation) => {
        if (operation === 'Query') asked += 1;
        // The second list is about to be read.
        if (operation === 'Query' && asked === 2) await staff.run(['contacts', 'release', id]);
      },
    });
    expect(await erase('ada@example.com', { client: clientOf(relay) })).toMatchObject({ stdout: recordOf([id]) });
  });

  it('has nothing to ask when there is nothing to erase', async () => {
    expect(await erase('ada@example.com', { yes: false })).toEqual({ code: 0, stdout: recordOf([]), stderr: '' });
  });
});

describe('contacts erase --phone', () => {
  const numbers = ['+49 170 123-4567', '0049 (170) 1234567', '49 1701234567', '+49 (0)170 1234567'];

  it.each(numbers)('goes by the digits, where + and 00 are the same: %s', async (number) => {
    const gone = [
      ...(await Promise.all(numbers.map((phone) => store(staff, { phone })))),
      await store(staff, { phone: '49.170.1234567' }, { spam: true }),
      await store(staff, { email: 'a@example.com', extra: { mobile: 'privat: +49 170/1234567' } }),
      await store(staff, { email: 'a@example.com', extra: { mobile: ['0', '00491701234567!'] } }),
      await store(staff, { email: 'a@example.com', extra: { mobile: 'or +49\u00a0(0) 170\u2013123 45 67' } }),
      await store(staff, { email: 'a@example.com', extra: { mobile: '+1 555 0100 / +49 170 1234567' } }),
    ];
    const left = [
      await store(staff, { phone: '0170 1234567' }),
      await store(staff, { phone: '+49 170 12345678' }),
      await store(staff, { phone: '+1 49 170 1234567' }),
      await store(staff, { email: 'a@example.com', message: '+49 170 1234567', extra: { order: '491701234567890' } }),
      await store(staff, { email: 'a@example.com', extra: { order: '1491701234567' } }),
      await store(staff, { email: 'a@example.com', extra: { mobile: '+1 49 170 1234567' } }),
    ];
    const { stdout, stderr } = await eraseBy(['--phone', number]);
    expect(stdout).toBe(recordOf(gone));
    expect(stderr).toMatch(
      /^Found 9 contact requests: (?:5 by phone, 4 by extra.mobile|4 by extra.mobile, 5 by phone)\.\n/,
    );
    expect(await areThere(left)).toEqual(left.map(() => true));
  });

  it('takes no short number within what forms sent besides for that of the person', async () => {
    const gone = await store(staff, { phone: '12 34 56', extra: { postcode: '123456' } });
    const left = await store(staff, { email: 'bob@example.com', extra: { postcode: '123456' } });
    const { stdout } = await eraseBy(['--phone', '123456']);
    expect(stdout).toBe(recordOf([gone]));
    expect(await isThere(left)).toBe(true);
  });

  it('goes by either, given an address, too', async () => {
    const gone = [await store(staff, { phone: '12345' }), await store(staff, { email: 'ada@example.com' })];
    const left = await store(staff, { phone: '54321', email: 'bob@example.com' });
    const { stdout } = await eraseBy(['--phone', '12345', '--email', 'ada@example.com']);
    expect(stdout).toBe(recordOf(gone));
    expect(await isThere(left)).toBe(true);
  });
});

describe('contacts erase by the standard input', () => {
  it('takes the address from a line of it', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase('-', { input: ' ADA@example.com \nmore\n' })).toEqual({
      code: 0,
      stdout: recordOf([id]),
      stderr: `Found 1 contact request: 1 by email.\n${copies}`,
    });
  });

  it('asks for it on a terminal, and then whether to erase', async () => {
    const id = await store(staff, { phone: '12345' });
    const typed = { yes: false, input: '12345\ny\n', terminals: ['stdin'] } as const;
    expect(await eraseBy(['--phone', '-'], typed)).toEqual({
      code: 0,
      stdout: recordOf([id]),
      stderr: `Phone number: Found 1 contact request: 1 by phone.\nErase for good? [y/N] ${copies}`,
    });
  });

  it.each([
    ['--email', '', 'email address'],
    ['--email', 'ada\n', 'email address'],
    ['--phone', '1-2\n', 'phone number'],
  ])('refuses %s with the input %j', async (option, input, what) => {
    const id = await store(staff, { email: 'ada@example.com', phone: '12' });
    expect(await eraseBy([option, '-'], { input })).toEqual({
      code: 1,
      stdout: '',
      stderr: `The standard input has no ${what}.\n`,
    });
    expect(await isThere(id)).toBe(true);
  });
});

describe('contacts erase asks first', () => {
  it.each(['y', 'YES', ' yes '])('and erases after the answer "%s" on a terminal', async (answer) => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase('ada@example.com', { yes: false, input: `${answer}\n`, terminals: ['stdin'] })).toEqual({
      code: 0,
      stdout: recordOf([id]),
      stderr: `Found 1 contact request: 1 by email.\nErase for good? [y/N] ${copies}`,
    });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it.each(['n\n', '\n', '', 'yesterday\n'])('and erases nothing after the answer %j', async (input) => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase('ada@example.com', { yes: false, input, terminals: ['stdin'] })).toEqual({
      code: 1,
      stdout: '',
      // A person's own line break ends the question, the end of the input has none.
      stderr: `Found 1 contact request: 1 by email.\nErase for good? [y/N] ${input === '' ? '\n' : ''}Nothing was changed.\n`,
    });
    expect(await isThere(id)).toBe(true);
  });

  it('and erases nothing where nobody can be asked', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase('ada@example.com', { yes: false, input: 'y\n' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Found 1 contact request: 1 by email.\nNothing was changed: add --yes to go on without a question.\n',
    });
    expect(await isThere(id)).toBe(true);
  });
});

describe('contacts erase, when it takes long,', () => {
  it('shows how far it is on a terminal, and clears the line', async () => {
    await store(staff, { email: 'ada@example.com' });
    const { stderr } = await erase('ada@example.com', { terminals: ['stderr'] });
    expect(stderr).toBe(
      [
        '\r\u001b[K1 contact request read',
        '\r\u001b[KFound 1 contact request: 1 by email.\n',
        '\r\u001b[K1 contact request deleted',
        `\r\u001b[K${copies}`,
      ].join(''),
    );
  });

  it('says what cannot be read on a line of its own', async () => {
    const broken = await putBrokenItem(staff.tables.contacts, 'spam', '2026-02-01T12:00:00.000Z#');
    const { stderr } = await erase('ada@example.com', { terminals: ['stderr'] });
    expect(stderr).toContain(`\r\u001b[KLeft out the contact request ${broken}: `);
  });

  const storeMany = () => Promise.all(Array.from({ length: 25 }, () => store(staff, { email: 'ada@example.com' })));

  it.each([
    ['Query', 25],
    // Ten are under way at the same time.
    ['DeleteItem', 15],
  ])('stops on Ctrl-C at the first %s, leaves %i of 25, and says so', async (operation, left) => {
    await storeMany();
    await using ctrlC = await pressCtrlCAt(operation);
    const { code, stdout, stderr } = await erase('ada@example.com', ctrlC);
    expect({ code, end: stderr.endsWith('Stopped before the end.\n') }).toEqual({ code: 130, end: true });
    expect(await staff.everything()).toEqual([expect.objectContaining({ length: left }), [], []]);
    expect(lines(stdout)[0]).toBe(
      left === 25 ? undefined : `Erased 10 of 25 contact requests in local, ${now.toISOString()}`,
    );
  });

  it('gives up on a store that stays too busy, and its record is true', async () => {
    const ids = await storeMany();
    let deleted = 0;
    await using busy = await startBusyStore((operation) => {
      if (operation === 'DeleteItem') deleted += 1;
      return deleted > 7 && operation === 'DeleteItem';
    });
    const { code, stdout, stderr } = await eraseBy(['--email', 'ada@example.com', '--json'], { client: busy.client });
    expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
      code: 1,
      stderr: 'The environment cannot be reached or is too busy (Throttled): try again later.',
    });
    const record = JSON.parse(stdout);
    expect(record).toMatchObject({ found: 25, erased: 7, left: 18 });
    const there = new Set(await Promise.all(ids.map(async (id) => ((await isThere(id)) ? undefined : id))));
    expect(new Set([...record.ids, undefined])).toEqual(there);
  });

  it('counts what it deleted when the answer to that got lost', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    let lost = 0;
    await using relay = await startRelay({
      losesAnswer: (operation) => {
        if (operation === 'DeleteItem') lost += 1;
        return operation === 'DeleteItem' && lost <= 2;
      },
    });
    expect(await erase('ada@example.com', { client: clientOf(relay) })).toMatchObject({
      code: 0,
      stdout: recordOf([id]),
    });
    expect(lost).toBeGreaterThan(1);
  });

  it('does not count what another deletes meanwhile', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    await using relay = await startRelay({
      before: async (operation) => {
        if (operation === 'GetItem') await contactStore(client, staff.tables.contacts).delete(id, now);
      },
    });
    const { stdout } = await eraseBy(['--email', 'ada@example.com', '--json'], { client: clientOf(relay) });
    expect(JSON.parse(stdout)).toMatchObject({ found: 1, erased: 0, left: 0, ids: [] });
  });
});

describe('contacts erase refuses', () => {
  it.each([
    [['--email', ' '], '--email: Must be an email address, or - to give it on the standard input.'],
    [['--email', 'ada'], '--email: Must be an email address, or - to give it on the standard input.'],
    [['--phone', '00(0)'], '--phone: Must be a phone number, or - to give it on the standard input.'],
    [['--phone', '+'], '--phone: Must be a phone number, or - to give it on the standard input.'],
    [[], 'Name a person by --email or --phone.'],
  ])('%j', async (args, line) => {
    const id = await store(staff, {});
    expect(await eraseBy(args)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(await isThere(id)).toBe(true);
  });
});

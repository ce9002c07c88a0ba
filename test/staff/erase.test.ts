import { beforeEach, describe, expect, it } from 'vitest';
import { storedContact } from '../../functions/contacts/contact.ts';
import { contactStore } from '../../functions/contacts/contact-store.ts';
import { putBrokenItem } from '../support/broken-item.ts';
import { failingAt, losingResponse, meanwhile, pressCtrlCAt } from '../support/relayed-clients.ts';
import { client, putAll } from '../support/tables.ts';
import { now, type RunOptions, refusal, type StaffService, startStaff, store } from './staff.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const erase = (args: readonly string[], options?: RunOptions) => staff.run(['contacts', 'erase', ...args], options);
const ada = ['--email', 'ada@example.com', '--yes'];

const isThere = async (id: string) => (await contactStore(client, staff.tables.contacts).get(id, now)) !== undefined;
const areThere = (ids: readonly string[]) => Promise.all(ids.map(isThere));

const stack = { name: 'ContactService-dev', account: '123456789012', region: 'eu-central-1' };

const copies = 'Other copies may exist: see docs/security.md#erase-a-person.\n';

/** The fields of a contact request that a person fills in, except the message. */
const searchedFields = Object.keys(storedContact.entries).filter(
  (field) => !['id', 'createdAt', 'releasedAt', 'site', 'message'].includes(field),
);

const searchedBy = (mark: string) =>
  `Searched by ${mark}, including spam: ${searchedFields.join(', ')}, names of extra fields. Not searched: message`;
const searched = searchedBy('email address');

/** The receipt of an erasure. */
const receiptOf = (ids: readonly string[], mark = 'email address') =>
  [
    `Erased ${ids.length} contact request${ids.length === 1 ? '' : 's'} in local, ${now.toISOString()}`,
    searchedBy(mark),
    ...[...ids].sort(),
    '',
  ].join('\n');

/** Expects that these, and only these, are erased. */
const expectErased = async (args: readonly string[], gone: readonly string[], left: readonly string[]) => {
  const { code, stdout, stderr } = await erase([...args, '--yes']);
  const marks = { '--email': 'email address', '--phone': 'phone number' };
  const given = Object.entries(marks).flatMap(([option, mark]) => (args.includes(option) ? [mark] : []));
  expect({ code, stdout }).toEqual({ code: 0, stdout: receiptOf(gone, given.join(' and ')) });
  expect(await areThere([...gone, ...left])).toEqual([...gone.map(() => false), ...left.map(() => true)]);
  return stderr;
};

describe('contacts erase --email', () => {
  it('erases every contact request of the address, whatever its case, spam too, and no other', async () => {
    const gone = [
      await store(staff, { email: 'Ada@Example.com' }),
      await store(staff, { email: 'ada@example.com' }, { spam: true }),
      await store(staff, { email: 'ADA@EXAMPLE.COM' }, { createdAt: new Date(0) }),
      await store(staff, { extra: { cc: 'Ada <ada@example.com>', 'or ada@example.com': 'yes' } }),
    ];
    const left = [
      await store(staff, { email: 'ada@example.com.invalid' }),
      await store(staff, { email: 'xada@example.com' }),
      await store(staff, { phone: '12345', message: 'ada@example.com' }),
    ];
    const stderr = await expectErased(['--email', ' aDA@example.COM '], gone, left);
    const [, found = '', end] = /^Found 4 contact requests\. Matching fields: (.*)\.\n(.*\n)$/.exec(stderr) ?? [];
    expect(found.split(', ').toSorted()).toEqual(['email (3)', 'extra.cc (1)', 'name of an extra field (1)']);
    expect(end).toBe(copies);
  });

  it('says how long the backups of a deployed environment hold the erased data', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect((await erase(ada, { stack })).stdout).toBe(
      `Erased 1 contact request in local, ${now.toISOString()}\n${searched}\nBackups keep them until 2026-04-05T12:00:00.000Z\n${id}\n`,
    );
  });

  it('goes on after an unreadable item and names it: it may be of the same person', async () => {
    const gone = await store(staff, { email: 'ada@example.com' });
    const broken = await putBrokenItem(staff.tables.contacts, 'spam', '2026-02-01T12:00:00.000Z#');
    const { stdout, stderr } = await erase(ada);
    expect(stdout).toBe(receiptOf([gone]));
    expect(stderr).toContain(`Left out the contact request ${broken}: `);
  });

  it.each([
    ['a list', ['Ada@example.com']],
    ['a set', new Set(['Ada@example.com'])],
    ['the second line of a text', 'Hello\nAda@example.com'],
  ])('erases an unreadable item that holds the address in %s', async (_, email) => {
    const id = '00000000-0000-4000-8000-000000000000';
    const keys = { listPartition: 'inbox', listSort: `2026-02-01T12:00:00.000Z#${id}` };
    await putAll(staff.tables.contacts, [{ id, createdAt: 5, email, ...keys }]);
    expect(await erase(ada)).toMatchObject({
      stdout: receiptOf([id]),
      stderr: `Found 1 contact request. Matching fields: unreadable item (1).\n${copies}`,
    });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('erases also what has expired but is still stored', async () => {
    await store(staff, { email: 'ada@example.com' }, { expiresAt: new Date(now.getTime() - 1000) });
    await erase(ada);
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('finds what is released from spam between its two lists', async () => {
    const id = await store(staff, { email: 'ada@example.com' }, { spam: true });
    await using releasing = await meanwhile('Query', () => staff.run(['contacts', 'release', id]), { nth: 2 });
    expect(await erase(ada, releasing)).toMatchObject({ stdout: receiptOf([id]) });
  });
});

it('contacts erase --phone erases every contact request of the number, and with --email those of the address, too', async () => {
  const gone = [
    await store(staff, { phone: '+49 170 1234567' }),
    await store(staff, { phone: '0049 (170) 1234567' }, { spam: true }),
    await store(staff, { email: 'ada@example.com' }),
  ];
  const left = [await store(staff, { phone: '54321', email: 'bob@example.com', message: '+49 170 1234567' })];
  await expectErased(['--phone', '+49 (0)170 123-4567', '--email', 'ada@example.com'], gone, left);
});

describe('contacts erase reads the person from the standard input', () => {
  it('from its first line', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    const outcome = await erase(['--email', '-', '--yes'], { input: ' ADA@example.com \nmore\n' });
    expect(outcome).toMatchObject({ code: 0, stdout: receiptOf([id]) });
  });

  it('on a terminal by a question, and then asks whether to erase', async () => {
    const id = await store(staff, { phone: '12345' });
    expect(await erase(['--phone', '-'], { input: '12345\ny\n', terminals: ['stdin'] })).toEqual({
      code: 0,
      stdout: receiptOf([id], 'phone number'),
      stderr: `Phone number: Found 1 contact request. Matching fields: phone (1).\nErase for good? [y/N] ${copies}`,
    });
  });

  it.each([
    ['--email', '', 'email address'],
    ['--email', 'ada\n', 'email address'],
    ['--phone', '1-2\n', 'phone number'],
  ])('and refuses %s with the input %j', async (option, input, what) => {
    expect(await erase([option, '-', '--yes'], { input })).toEqual(
      refusal(`The input is no ${what}: write one, and nothing else.`),
    );
  });
});

describe('contacts erase asks first', () => {
  const found = 'Found 1 contact request. Matching fields: email (1).\n';
  const question = `${found}Erase for good? [y/N] `;

  it.each([
    ['y\n', true, question + copies],
    [' YES \n', true, question + copies],
    ['yesterday\n', false, `${question}Nothing was changed.\n`],
    ['\n', false, `${question}Nothing was changed.\n`],
    // At the end of the input, the command itself ends the line.
    ['', false, `${question}\nNothing was changed.\n`],
  ])('and takes the answer %j', async (input, isErased, stderr) => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase(['--email', 'ada@example.com'], { input, terminals: ['stdin'] })).toEqual({
      code: isErased ? 0 : 1,
      stdout: isErased ? receiptOf([id]) : '',
      stderr,
    });
    expect(await isThere(id)).toBe(!isErased);
  });

  it('and erases nothing if the input is not a terminal', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase(['--email', 'ada@example.com'], { input: 'y\n' })).toEqual(
      refusal(`${found}Nothing was changed: no terminal to confirm at. Add --yes to skip the question.`),
    );
    expect(await isThere(id)).toBe(true);
  });

  it('but not if there is nothing to erase', async () => {
    const outcome = await erase(['--email', 'ada@example.com'], { stack });
    const stdout = `Found no contact request in local, ${now.toISOString()}\n${searched}\n`;
    expect(outcome).toEqual({ code: 0, stdout, stderr: '' });
  });
});

describe('the receipt of contacts erase', () => {
  const storeMany = () => Promise.all(Array.from({ length: 25 }, () => store(staff, { email: 'ada@example.com' })));

  it.each([
    ['Query', false],
    ['DeleteItem', true],
  ])('is true after Ctrl-C at the first %s; erased some: %s', async (operation, some) => {
    const ids = await storeMany();
    await using ctrlC = await pressCtrlCAt(operation);
    const { code, stdout, stderr } = await erase(ada, ctrlC);
    expect({ code, end: stderr.endsWith('Stopped before the end.\n') }).toEqual({ code: 130, end: true });
    const there = await areThere(ids);
    const gone = ids.filter((_, at) => !there[at]).toSorted();
    expect([gone.length > 0, gone.length < ids.length]).toEqual([some, true]);
    const receipt = [`Erased ${gone.length} of 25 contact requests in local, ${now.toISOString()}`, searched, ...gone];
    expect(stdout.trimEnd().split('\n')).toEqual(some ? receipt : ['']);
  });

  it('is true if the store fails in the middle', async () => {
    const ids = await storeMany();
    const { code, stdout, stderr } = await erase([...ada, '--json'], { client: failingAt('DeleteItem', { after: 7 }) });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/\nFailed: The line is cut\.\n$/) });
    const there = await areThere(ids);
    const gone = ids.filter((_, at) => !there[at]).toSorted();
    expect(JSON.parse(stdout)).toMatchObject({ found: 25, erased: 7, left: 18, ids: gone });
  });

  it('names what is left after one failed deletion, which stops the others', async () => {
    const ids = await storeMany();
    const client = failingAt('DeleteItem', { after: 7, times: 1 });
    const { code, stdout } = await erase([...ada, '--json'], { client });
    const { erased, left } = JSON.parse(stdout);
    const there = (await areThere(ids)).filter(Boolean).length;
    expect({ code, left, erased }).toEqual({ code: 1, left: there, erased: ids.length - there });
    expect(left).toBeGreaterThan(1);
  });

  it('counts what was deleted although the response got lost', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    await using losing = await losingResponse('DeleteItem');
    expect(await erase(ada, losing)).toMatchObject({ code: 0, stdout: receiptOf([id]) });
  });

  it('does not count what somebody else deletes meanwhile', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    await using deleting = await meanwhile('GetItem', () => staff.run(['contacts', 'delete', id]));
    const { stdout } = await erase([...ada, '--json'], deleting);
    expect(JSON.parse(stdout)).toMatchObject({ found: 1, erased: 0, left: 0, ids: [] });
  });
});

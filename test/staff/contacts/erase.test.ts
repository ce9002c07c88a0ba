import { beforeEach, describe, expect, it } from 'vitest';
import { contactStore } from '../../../functions/contacts/store.ts';
import { putBrokenItem } from '../../support/broken-item.ts';
import { client } from '../../support/tables.ts';
import { pressCtrlCAt } from '../ctrl-c.ts';
import { now, type RunOptions, type StaffService, startStaff } from '../staff.ts';
import { store } from './stored.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const erase = (email: string, { yes = true, ...options }: RunOptions & { yes?: boolean } = {}) =>
  staff.run(['contacts', 'erase', '--email', email, ...(yes ? ['--yes'] : [])], options);

const isThere = async (id: string) => (await contactStore(client, staff.tables.contacts).get(id, now)) !== undefined;

describe('contacts erase', () => {
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
      stdout: 'Erased 3 contact requests of aDA@example.COM.\n',
      stderr: '',
    });
    expect(await Promise.all(gone.map(isThere))).toEqual([false, false, false]);
    expect(await Promise.all(left.map(isThere))).toEqual([true, true, true]);
  });

  it('erases past what cannot be read, and says which it is: it may be theirs, too', async () => {
    const gone = await store(staff, { email: 'ada@example.com' });
    const broken = await putBrokenItem(staff.tables.contacts, 'spam#0', '2026-02-01T12:00:00.000Z#');
    const { code, stdout, stderr } = await erase('ada@example.com');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Erased 1 contact request of ada@example.com.\n' });
    expect(stderr).toContain(`Left out the contact request ${broken}: `);
    expect(await isThere(gone)).toBe(false);
  });

  it('erases also what has expired and is not yet gone', async () => {
    await store(staff, { email: 'ada@example.com' }, { expiresAt: new Date(now.getTime() - 1000) });
    expect(await erase('ada@example.com')).toMatchObject({ stdout: 'Erased 1 contact request of ada@example.com.\n' });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it('has nothing to ask when there is nothing to erase', async () => {
    expect(await erase('ada@example.com', { yes: false })).toEqual({
      code: 0,
      stdout: 'Erased 0 contact requests of ada@example.com.\n',
      stderr: '',
    });
  });

  it.each(['y', 'YES', ' yes '])('erases after the answer "%s" on a terminal', async (answer) => {
    await store(staff, { email: 'ada@example.com' });
    expect(await erase('ada@example.com', { yes: false, input: `${answer}\n`, terminals: ['stdin'] })).toEqual({
      code: 0,
      stdout: 'Erased 1 contact request of ada@example.com.\n',
      stderr: 'Erase 1 contact request of ada@example.com for good? [y/N] ',
    });
    expect(await staff.everything()).toEqual([[], [], []]);
  });

  it.each(['n\n', '\n', '', 'yesterday\n'])('erases nothing after the answer %j', async (input) => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase('ada@example.com', { yes: false, input, terminals: ['stdin'] })).toEqual({
      code: 1,
      stdout: '',
      // A person's own line break ends the question, the end of the input has none.
      stderr: `Erase 1 contact request of ada@example.com for good? [y/N] ${input === '' ? '\n' : ''}Nothing was erased.\n`,
    });
    expect(await isThere(id)).toBe(true);
  });

  it('erases nothing where nobody can be asked, and says how many it would', async () => {
    const id = await store(staff, { email: 'ada@example.com' });
    expect(await erase('ada@example.com', { yes: false, input: 'y\n' })).toEqual({
      code: 1,
      stdout: '',
      stderr: '1 contact request would be erased: add --yes to erase for good.\n',
    });
    expect(await isThere(id)).toBe(true);
  });

  it('shows how far it is on a terminal, and clears the line', async () => {
    await store(staff, { email: 'ada@example.com' });
    const { stderr } = await erase('ada@example.com', { terminals: ['stderr'] });
    expect(stderr).toBe(
      [
        '\r\u001b[K1 contact request read',
        '\r\u001b[K1 contact request read',
        '\r\u001b[K',
        '\r\u001b[K1 contact request erased',
        '\r\u001b[K',
      ].join(''),
    );
  });

  it.each([
    ['Query', 25],
    // Ten are under way at the same time.
    ['DeleteItem', 15],
  ])('stops on Ctrl-C at the first %s and leaves %i of 25', async (operation, left) => {
    await Promise.all(Array.from({ length: 25 }, () => store(staff, { email: 'ada@example.com' })));
    await using ctrlC = await pressCtrlCAt(operation);
    expect(await erase('ada@example.com', ctrlC)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Stopped before the end.\n',
    });
    expect(await staff.everything()).toEqual([expect.objectContaining({ length: left }), [], []]);
  });

  it.each([
    [['--email', ' '], '--email: Give an email address.'],
    [[], 'Missing: --email. Usage: contacts erase --email <address> [--yes]'],
  ])('refuses %j', async (args, line) => {
    const id = await store(staff, {});
    expect(await staff.run(['contacts', 'erase', '--yes', ...args])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${line}\n`,
    });
    expect(await isThere(id)).toBe(true);
  });
});

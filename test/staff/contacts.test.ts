import { beforeEach, describe, expect, it } from 'vitest';
import { changeContact } from '../../functions/contacts/change.ts';
import { contactStore } from '../../functions/contacts/contact-store.ts';
import { putBrokenItem } from '../support/broken-item.ts';
import { losingResponse, meanwhile, pressCtrlCAt } from '../support/relayed-clients.ts';
import { client } from '../support/tables.ts';
import { lines, now, type RunOptions, refusal, type StaffService, startStaff, store, storeMany } from './staff.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const site = 'https://www.example.com';
const noContact = (id: string) =>
  `There is no contact request ${id}: it was deleted, has expired, or is in another environment, which --env names.`;

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const run = (args: readonly string[], options?: RunOptions) => staff.run(['contacts', ...args], options);
const list = async (...args: string[]) => lines((await run(['list', ...args])).stdout);
const ids = async (...args: string[]) => (await list(...args)).slice(1).map((row) => row.split('  ')[1]);
const day = (date: number) => new Date(Date.UTC(2026, 1, date));
const storeBroken = (partition: 'inbox' | 'spam') =>
  putBrokenItem(staff.tables.contacts, partition, '2026-02-20T12:00:00.000Z#');

describe('contacts list', () => {
  it('shows the sender and the message, newest first, one line each', async () => {
    const older = await store(staff, { phone: '+49 170 1234567', message: 'Short' }, { createdAt: day(1) });
    const fields = { email: 'ada@example.com', phone: '12345', message: 'x'.repeat(61) };
    const newer = await store(staff, { ...fields, form: 'sales' }, { createdAt: day(2), site });
    const lined = await store(staff, { email: 'b@example.com', message: 'First\nsecond' }, { createdAt: day(3) });
    expect(await list()).toEqual([
      `TIME${' '.repeat(22)}ID${' '.repeat(36)}FROM${' '.repeat(13)}SITE${' '.repeat(21)}FORM   MESSAGE`,
      `2026-02-03T00:00:00.000Z  ${lined}  b@example.com${' '.repeat(36)}First second`,
      `2026-02-02T00:00:00.000Z  ${newer}  ada@example.com  ${site}  sales  ${'x'.repeat(61)}`,
      `2026-02-01T00:00:00.000Z  ${older}  +49 170 1234567${' '.repeat(34)}Short`,
    ]);
  });

  const terminal = { terminals: ['stdout'], columns: 80 } as const;

  it('shows each in two lines on a terminal: when, where and the id, then who and what', async () => {
    const fields = { email: 'ada@example.com', message: `Hello,\nis it there? ${'x'.repeat(100)}`, form: 'sales' };
    const id = await store(staff, fields, { createdAt: day(2), site, spam: 'trap' });
    expect(lines((await run(['list', '--spam'], terminal)).stdout)).toEqual([
      `2026-02-02 00:00Z  ${id}  trap  https://www.exam…`,
      `  ada@example.com  Hello, is it there? ${'x'.repeat(40)}…`,
    ]);
  });

  it('shows who wrote each, on a terminal with the address if it fits', async () => {
    const senders = [
      [
        { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
        'Ada Lovelace',
        'Ada Lovelace <ada@example.com>',
      ],
      [{ extra: { Nom: 'Zoé Müller' }, email: 'zoe.mueller@branch.example.com' }, 'Zoé Müller', 'Zoé Müller'],
      [{ phone: '12345' }, '12345', '12345'],
      [{ firstName: 'Ada', email: 'ada@xn--bcher-kva.example' }, 'Ada', 'Ada <ada@bücher.example>'],
      [{ extra: { topic: 'a' } }, '', 'A visitor'],
    ] as const;
    for (const [at, [fields]] of senders.entries()) await store(staff, fields, { createdAt: day(9 - at) });
    expect((await list()).slice(1).map((row) => row.split('  ')[2])).toEqual(senders.map(([, from]) => from));
    const shown = lines((await run(['list'], terminal)).stdout).filter((_, at) => at % 2 === 1);
    expect(shown).toEqual(senders.map(([, , who]) => `  ${who}  Hello`));
  });

  it('shows what else was written in a form without a message', async () => {
    const extra = { size: 'XL', wishes: ['Tea', 'Two cups'] };
    await contactStore(client, staff.tables.contacts).create({ fields: { extra }, spam: false, createdAt: now });
    expect((await list())[1]).toMatch(/ {2}Two cups$/);
    expect(lines((await run(['list'], terminal)).stdout)[1]).toBe('  A visitor  Two cups');
  });

  it('keeps from a terminal what a name could do to it', async () => {
    const names = {
      '\u001b[31mRed\u009b\r\nline': '[31mRed   line',
      'a\u202eb\u2066c': 'a b c',
      [`a${'\u0489'.repeat(90)}b`]: `a${'\u0489'.repeat(8)}b`,
      ['田'.repeat(60)]: `${'田'.repeat(12)}…`,
    };
    for (const [at, name] of Object.keys(names).entries()) {
      await store(staff, { extra: { name } }, { createdAt: day(9 - at) });
    }
    const shown = lines((await run(['list'], terminal)).stdout).filter((_, at) => at % 2 === 1);
    expect(shown.map((line) => line.trim())).toEqual(Object.values(names).map((name) => `${name}  Hello`));
  });

  it.each<readonly [args: readonly string[], told: string]>([
    [
      [],
      'No contact requests found: send your form, or add --spam to look in spam. If nothing arrives, see docs/troubleshooting.md#nothing-arrives.',
    ],
    [['--site', site], 'No contact request matches: use fewer filters, or add --spam to look in spam.'],
    [
      ['--campaign', 'sprung-sale'],
      'No campaign is called "sprung-sale", and no contact request that matches came under it. To see all: npx --no-install crcs campaigns list --count',
    ],
    [['--spam'], 'No contact request is marked as spam.'],
    [['--spam', '--since', '1d'], 'No spam matches: use fewer filters.'],
  ])('says on stderr that there is nothing, and what to do: %j', async (args, told) => {
    expect(await run(['list', ...args], terminal)).toEqual({ code: 0, stdout: '', stderr: `${told}\n` });
    const { stdout, stderr } = await run(['list', ...args]);
    expect({ heads: lines(stdout).length, stderr }).toEqual({ heads: 1, stderr: `${told}\n` });
    expect(await run(['list', ...args, '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  const week = '2026-02-26T23:59:59.999Z';
  const friday = '2026-02-27T00:00:00.000Z';
  const saturday = '2026-02-28T23:59:59.999Z';
  const hour = '2026-03-01T11:00:00.000Z';

  it('takes dates, which begin in UTC, and durations', async () => {
    for (const time of [week, friday, saturday, hour]) await store(staff, {}, { createdAt: new Date(time) });
    for (const [given, since] of [
      ['2026-02-27', [hour, saturday, friday]],
      ['1w', [hour, saturday, friday, week]],
      ['2d', [hour, saturday]],
      ['1h', [hour]],
      ['59m', []],
    ] as const) {
      expect((await list('--since', given)).slice(1).map((row) => row.split('  ')[0])).toEqual(since);
      expect(await ids('--until', given)).toHaveLength(4 - since.length);
    }
  });

  it('keeps to a site, whichever way its origin is written', async () => {
    const one = await store(staff, {}, { site });
    await store(staff, {}, { site: `${site}.invalid` });
    await store(staff, {});
    expect(await ids('--site', 'HTTPS://WWW.Example.COM:443/contact')).toEqual([one]);
    expect(await ids('--site', 'http://www.example.com')).toEqual([]);
  });

  it('keeps to a form, whichever way its name is typed, and to a form of a site', async () => {
    const name = 'Zo\u00eb';
    const typed = 'Zoe\u0308';
    const one = await store(staff, { form: name }, { site, createdAt: day(2) });
    const other = await store(staff, { form: name }, { site: `${site}.invalid`, createdAt: day(1) });
    const inLowerCase = await store(staff, { form: 'zo\u00eb' }, { site, createdAt: day(0) });
    await store(staff, {}, { site });
    expect(await ids('--form', typed)).toEqual([one, other, inLowerCase]);
    expect(await ids('--form', typed, '--site', site)).toEqual([one, inLowerCase]);
  });

  it('keeps to a campaign: what sent its id or its current name, in any case', async () => {
    const sale = (await staff.run(['campaigns', 'add', 'Été'])).stdout.trim();
    const other = (await staff.run(['campaigns', 'add', 'Spring'])).stdout.trim();
    const sent = ['\u00c9T\u00c9', sale, sale.toUpperCase(), 'Autumn', 'Spring', other];
    const [byName, byId, byUpperId, byText, ofOther, byOtherId] = await Promise.all(
      sent.map((campaign, at) => store(staff, { campaign }, { createdAt: day(20 - at), site })),
    );
    await store(staff, { extra: { campaign: sale } });
    for (const typed of [' e\u0301te\u0301', sale.toUpperCase()]) {
      expect(await ids('--campaign', typed)).toEqual([byName, byId, byUpperId]);
    }
    expect(await ids('--campaign', 'autumn')).toEqual([byText]);
    expect(await ids('--campaign', 'winter')).toEqual([]);
    expect(await ids('--campaign', sale, '--site', `${site}.invalid`)).toEqual([]);

    await staff.run(['campaigns', 'rename', sale, 'Autumn']);
    expect(await ids('--campaign', '\u00c9t\u00e9')).toEqual([byName]);
    for (const typed of ['Autumn', sale]) expect(await ids('--campaign', typed)).toEqual([byId, byUpperId, byText]);

    await staff.run(['campaigns', 'remove', other]);
    expect(await ids('--campaign', 'spring')).toEqual([ofOther]);
    expect(await ids('--campaign', other)).toEqual([byOtherId]);
  });

  it('keeps to a person, as an export does', async () => {
    const sent = await store(
      staff,
      { email: 'Ada@example.com', phone: '+49 170 1234567' },
      { createdAt: day(2), site },
    );
    const named = await store(staff, { extra: { copy: 'to ada@example.com' } }, { createdAt: day(1) });
    await store(staff, { email: 'grace@example.com' }, { site });
    expect(await ids('--email', 'ada@example.com')).toEqual([sent, named]);
    expect(await ids('--email', 'ada@example.com', '--site', site)).toEqual([sent]);
    expect(await ids('--phone', '0049 170 1234567')).toEqual([sent]);
  });

  it('says if no campaign has the name that was given', async () => {
    const id = (await staff.run(['campaigns', 'add', 'Spring'])).stdout.trim();
    for (const typed of ['spring', id]) {
      const { stderr } = await run(['list', '--campaign', typed]);
      expect(stderr).toBe('No contact request matches: use fewer filters, or add --spam to look in spam.\n');
    }
  });

  it('ends at the limit', async () => {
    const stored = [];
    for (let at = 0; at < 5; at += 1) {
      stored.push(await store(staff, {}, { site, createdAt: new Date(now.getTime() - at) }));
    }
    expect(await ids('--limit', '3')).toEqual(stored.slice(0, 3));
    expect(await ids('--limit', '6')).toEqual(stored);
    await store(staff, {});
    expect(await ids('--limit', '2', '--site', site)).toEqual(stored.slice(0, 2));
  });

  it('ends at the limit on the second page, too', async () => {
    const older = { site, createdAt: day(1) };
    await Promise.all([store(staff, {}, { site }), store(staff, {}, older), store(staff, {}, older)]);
    await storeMany(staff, 100, day(2));
    expect(await ids('--limit', '2', '--site', site)).toHaveLength(2);
  });

  it('gives a program one array, each contact request as the API returns it', async () => {
    expect(await list('--json')).toEqual(['[]']);
    const fields = { email: 'a@example.com', message: 'One\n\u202etwo', extra: { topic: ['a', 'b'] } };
    const newer = await store(staff, fields, { createdAt: day(2), site });
    const older = await store(staff, {}, { createdAt: day(1), expiresAt: day(40) });
    const printed = (await list('--json')).join('\n');
    expect(printed).not.toContain('\u202e');
    expect(JSON.parse(printed)).toEqual([
      { id: newer, createdAt: day(2).toISOString(), ...fields, site },
      { id: older, createdAt: day(1).toISOString(), message: 'Hello' },
    ]);
  });
});

it('lists spam with the reason, which a release removes', async () => {
  const trapped = await store(staff, {}, { spam: 'trap' });
  const unproved = await store(staff, {}, { spam: 'no proof' });
  const reasons = async () => (await list('--spam')).slice(1).map((row) => row.split('  ').slice(1, 3));
  expect((await list('--spam'))[0]).toMatch(/^TIME +ID +REASON +FROM/);
  expect((await reasons()).toSorted()).toEqual(
    [
      [trapped, 'trap'],
      [unproved, 'no proof'],
    ].toSorted(),
  );
  await run(['release', unproved]);
  const json = async (...args: string[]) => JSON.parse((await run(['list', '--json', ...args])).stdout);
  expect(await json('--spam')).toMatchObject([{ id: trapped, spamReason: 'trap' }]);
  expect(await json()).toEqual([expect.not.objectContaining({ spamReason: expect.anything() })]);
  expect(JSON.stringify(await staff.everything())).not.toContain('no proof');
});

describe('contacts show', () => {
  it('prints every field, with the line breaks of the visitor', async () => {
    const id = await store(
      staff,
      {
        email: 'ada@xn--bcher-kva.example',
        phone: '12345',
        company: 'Analytical, Ltd.',
        message: `First line\n\n  ${'long '.repeat(200)}end`,
        firstName: 'Ada',
        lastName: 'Lovelace',
        form: 'sales',
        campaign: 'spring-sale',
        extra: { topic: 'A question', 'What else?': ['one', 'two\nlines'] },
      },
      { createdAt: day(1), site, expiresAt: day(40), spam: true },
    );
    await run(['release', id], { now: day(2) });
    expect(await run(['show', id.toUpperCase()])).toEqual({
      code: 0,
      stdout: [
        `id          ${id}`,
        'createdAt   2026-02-01T00:00:00.000Z',
        'releasedAt  2026-02-02T00:00:00.000Z',
        'expires     2026-03-12T00:00:00.000Z',
        'spam        no',
        `site        ${site}`,
        'form        sales',
        'campaign    spring-sale',
        'email       ada@bücher.example',
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

  it('says why it is spam, and leaves out missing fields', async () => {
    const id = await store(staff, {}, { spam: 'no trap' });
    expect(JSON.parse((await run(['show', id, '--json'])).stdout)).toHaveProperty('spamReason', 'no trap');
    expect(lines((await run(['show', id])).stdout)).toEqual([
      `id         ${id}`,
      `createdAt  ${now.toISOString()}`,
      'expires    never',
      'spam       yes (no trap)',
      'message    Hello',
    ]);
  });

  it('shows hidden fields after the others', async () => {
    const id = await store(staff, { extra: { op: 'Send', size: 'XL' } });
    expect((await run(['show', id])).stdout).toMatch(/\nextra\n {2}size {2}XL\n {2}op {4}Send\n$/);
  });

  it('prints nothing that could steer the terminal', async () => {
    const id = await store(staff, { message: 'red \u001b[31m\u202e\nnext', extra: { 'a\u009b': '\u2066b' } });
    expect((await run(['show', id])).stdout).toMatch(/red {2}\[31m\n {11}next\nextra\n {2}a {4}b\n$/);
    expect((await run(['show', id, '--json'])).stdout).toMatch(/^[\x20-\x7e]+\n$/);
  });

  it('says in one line why there is nothing to show', async () => {
    const expired = await store(staff, {}, { expiresAt: day(28) });
    const broken = await storeBroken('inbox');
    for (const [id, line] of [
      [unknownId, noContact(unknownId)],
      [expired, `The contact request ${expired} expired at 2026-02-28T00:00:00.000Z and is no longer shown.`],
      [broken, `The contact request ${broken} is unreadable: see docs/runbook.md#unreadable-items.`],
    ] as const) {
      expect(await run(['show', id])).toEqual(refusal(line));
    }
  });
});

describe('contacts delete', () => {
  it('deletes one contact request for good', async () => {
    const id = await store(staff, {});
    const other = await store(staff, {});
    expect(await run(['delete', id.toUpperCase()])).toEqual({
      code: 0,
      stdout: `Deleted the contact request ${id} for good.\n`,
      stderr: '',
    });
    expect(await ids()).toEqual([other]);
    expect(await run(['delete', id])).toEqual(refusal(noContact(id)));
  });

  it('takes --yes, which it does not need', async () => {
    expect(await run(['delete', await store(staff, {}), '--yes'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('deletes also expired and unreadable ones', async () => {
    for (const id of [await store(staff, {}, { expiresAt: day(1) }), await storeBroken('inbox')]) {
      expect(await run(['delete', id])).toMatchObject({ code: 0 });
    }
    expect(await staff.everything()).toEqual([[], [], []]);
  });
});

describe('contacts delete --spam', () => {
  const deleteSpam = (args: readonly string[], options?: RunOptions) =>
    run(['delete', '--spam', '--since', '2026-02-10', ...args], options);

  it('deletes the spam since a time, and nothing else', async () => {
    const normal = await store(staff, {}, { createdAt: day(20) });
    const older = await store(staff, {}, { spam: true, createdAt: day(9) });
    for (let at = 0; at < 12; at += 1) await store(staff, {}, { spam: true, createdAt: day(10) });
    await storeBroken('spam');
    expect(await deleteSpam(['--yes'])).toEqual({
      code: 0,
      stdout: 'Deleted 13 contact requests for good.\n',
      stderr: 'Found 13 contact requests marked as spam.\n',
    });
    expect([await ids(), await ids('--spam')]).toEqual([[normal], [older]]);
  });

  it('says in one line that there is none', async () => {
    const nothing = { code: 0, stdout: '', stderr: 'Found 0 contact requests marked as spam.\n' };
    expect(await deleteSpam([])).toEqual(nothing);
  });

  it('keeps to a form of a site', async () => {
    await store(staff, { form: 'sales' }, { spam: true, site });
    const left = [
      await store(staff, { form: 'help' }, { spam: true, site, createdAt: day(20) }),
      await store(staff, { form: 'sales' }, { spam: true, site: 'https://shop.example.com', createdAt: day(19) }),
    ];
    await deleteSpam(['--site', site, '--form', 'sales', '--yes']);
    expect(await ids('--spam')).toEqual(left);
  });

  it('keeps to a campaign', async () => {
    const { stdout } = await staff.run(['campaigns', 'add', 'Spring']);
    await store(staff, { campaign: stdout.trim() }, { spam: true });
    const left = await store(staff, { campaign: 'Autumn' }, { spam: true });
    await deleteSpam(['--campaign', 'spring', '--yes']);
    expect(await ids('--spam')).toEqual([left]);
  });

  it('does not delete what is released meanwhile', async () => {
    const id = await store(staff, {}, { spam: true });
    await using releasing = await meanwhile('DeleteItem', () => run(['release', id]));
    expect(await deleteSpam(['--yes'], releasing)).toMatchObject({ stdout: 'Deleted 0 contact requests for good.\n' });
    expect(await ids()).toEqual([id]);
  });
});

describe('contacts delete with filters', () => {
  const flood = async () => {
    const kept = [
      await store(staff, { message: 'Later', form: 'sales' }, { createdAt: day(21) }),
      await store(staff, { message: 'Other form' }, { createdAt: day(20) }),
      await store(staff, { message: 'Earlier', form: 'sales' }, { createdAt: day(19) }),
    ];
    for (let at = 1; at <= 12; at += 1) {
      await store(staff, { message: `Flood ${at}`, form: 'sales' }, { createdAt: new Date(day(20).getTime() + at) });
    }
    const spam = await store(staff, { form: 'sales' }, { spam: true, createdAt: day(20) });
    return { kept, spam };
  };
  const deleteFlood = (args: readonly string[], options?: RunOptions) =>
    run(['delete', '--since', '2026-02-20', '--until', '2026-02-21', '--form', 'sales', ...args], options);

  it('deletes what they select, and nothing else', async () => {
    const { kept, spam } = await flood();
    await store(staff, { form: 'sales' }, { createdAt: day(20), expiresAt: day(21) });
    expect(await deleteFlood(['--yes'])).toEqual({
      code: 0,
      stdout: 'Deleted 13 contact requests for good.\n',
      stderr: 'Found 13 contact requests.\n',
    });
    expect([await ids(), await ids('--spam')]).toEqual([kept, [spam]]);
  });

  it('shows some from the newest to the oldest, and deletes nothing unless someone types the number', async () => {
    await flood();
    const refused = await deleteFlood([]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Found 12 contact requests\.\n(.*\n){10}Nothing was changed: no terminal/);
    const messages = [...refused.stderr.matchAll(/^ {2}A visitor {2}(.*)$/gm)].map(([, message]) => message);
    expect(messages).toEqual(['Flood 12', 'Flood 9', 'Flood 6', 'Flood 4', 'Flood 1']);
    for (const input of ['y\n', '11\n', '\n', '']) {
      const answered = await deleteFlood([], { terminals: ['stdin'], input });
      expect(answered, input).toMatchObject({ code: 1, stderr: expect.stringMatching(/Nothing was changed\.\n$/) });
    }
    expect(await ids()).toHaveLength(15);
    const agreed = await deleteFlood([], { terminals: ['stdin'], input: '12\n' });
    expect(agreed).toMatchObject({ code: 0, stdout: 'Deleted 12 contact requests for good.\n' });
    expect(agreed.stderr).toMatch(/\nTo delete them for good, type their number: $/);
  });

  it('continues where it was stopped', async () => {
    const { kept } = await flood();
    await using ctrlC = await pressCtrlCAt('DeleteItem');
    const stopped = await deleteFlood(['--yes'], ctrlC);
    expect(stopped).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/^Deleted \d+ contact requests? for good/),
    });
    expect(await deleteFlood(['--yes'])).toMatchObject({ code: 0 });
    expect(await ids()).toEqual(kept);
  });

  it('deletes those of a person', async () => {
    const other = await store(staff, { email: 'ada@example.com' });
    await store(staff, { email: 'Bot@example.com' });
    await store(staff, { extra: { cc: 'bot@example.com' } });
    await storeBroken('inbox');
    expect(await run(['delete', '--email', 'bot@example.com', '--yes'])).toMatchObject({
      code: 0,
      stdout: 'Deleted 2 contact requests for good.\n',
    });
    expect(await ids()).toEqual([other]);
  });
});

describe('contacts release', () => {
  it('moves several from spam to the normal list, and names each that it cannot release', async () => {
    const one = await store(staff, {}, { spam: true, createdAt: day(1) });
    const other = await store(staff, {}, { spam: true });
    const left = await store(staff, {}, { spam: true });
    const normal = await store(staff, {});
    const released = await store(staff, {}, { spam: true });
    const expired = await store(staff, {}, { spam: true, expiresAt: now });
    await run(['release', released], { now: day(1) });
    expect(await run(['release', one.toUpperCase(), normal, unknownId, released, expired, other])).toEqual({
      code: 1,
      stdout: `Released the contact request ${one} from spam.\nReleased the contact request ${other} from spam.\n`,
      stderr: [
        `The contact request ${normal} is not marked as spam.\n`,
        `${noContact(unknownId)}\n`,
        `The contact request ${released} is not marked as spam.\n`,
        `${noContact(expired)}\n`,
      ].join(''),
    });
    expect(await ids('--spam')).toEqual([left]);
    expect((await ids()).toSorted()).toEqual([one, other, normal, released].toSorted());
  });

  it('moves a contact request to the end of the list, and since and until count from then', async () => {
    const id = await store(staff, {}, { spam: true, createdAt: day(1) });
    const between = await store(staff, {}, { createdAt: day(2) });
    const { stdout } = await run(['release', id, '--json'], { now: day(3) });
    expect(JSON.parse(stdout)).toEqual([{ id, releasedAt: day(3).toISOString() }]);
    expect(JSON.parse((await list('--json')).join(''))).toMatchObject([
      { id, createdAt: day(1).toISOString(), releasedAt: day(3).toISOString() },
      { id: between },
    ]);
    expect((await list('--since', day(3).toISOString()))[1]).toMatch(`2026-02-03T00:00:00.000Z  ${id}  `);
    expect(await ids('--until', day(3).toISOString())).toEqual([between]);
  });

  it('stores the time of each release, so that scripts which read forward miss none of many', async () => {
    const one = await store(staff, {}, { spam: true });
    const other = await store(staff, {}, { spam: true });
    const time = day(1);
    await using passing = await meanwhile('UpdateItem', async () => time.setTime(day(2).getTime()));
    const { stdout } = await run(['release', one, other, '--json'], { ...passing, now: time });
    expect(JSON.parse(stdout)).toEqual([
      { id: one, releasedAt: day(1).toISOString() },
      { id: other, releasedAt: day(2).toISOString() },
    ]);
  });

  it('moves what staff had marked back to its place, and says that nobody is notified', async () => {
    const id = await store(staff, {}, { createdAt: day(1) });
    const newer = await store(staff, {}, { createdAt: day(2) });
    await changeContact({ client, table: staff.tables.contacts }, id, { spam: true }, day(3));
    expect(await run(['release', id])).toEqual({
      code: 0,
      stdout: `Moved the contact request ${id} back to its place. Staff had marked it, so nobody is notified.\n`,
      stderr: '',
    });
    expect(await ids()).toEqual([newer, id]);
  });

  it('leaves the first response to an Idempotency-Key as it was: without a sign of spam', async () => {
    const request = { fields: { message: 'Hello' }, spam: 'trap', createdAt: day(1), storageKey: 'key' } as const;
    const id = await store(staff, request.fields, request);
    await run(['release', id]);
    expect(await contactStore(client, staff.tables.contacts).create(request)).toEqual({
      outcome: 'replayed',
      contact: { id, createdAt: day(1).toISOString(), message: 'Hello' },
    });
  });

  it('succeeds although the response of the store got lost', async () => {
    const id = await store(staff, {}, { spam: true });
    await using losing = await losingResponse('UpdateItem');
    expect(await run(['release', id], losing)).toMatchObject({ code: 0 });
    expect(await ids()).toEqual([id]);
  });

  it('does not restore what is deleted meanwhile', async () => {
    const id = await store(staff, {}, { spam: true });
    await using deleting = await meanwhile('UpdateItem', () => run(['delete', id]));
    expect(await run(['release', id], deleting)).toEqual(refusal(noContact(id)));
    expect(await staff.everything()).toEqual([[], [], []]);
  });
});

describe('contacts answered', () => {
  const answered = (args: readonly string[], options?: RunOptions) =>
    run(['answered', ...args], { triage: true, ...options });

  it('notes for several who has answered and when, once, and names each that is missing', async () => {
    const one = await store(staff, {});
    const other = await store(staff, {}, { spam: true });
    await answered([one], { now: day(1) });
    expect(await answered([one, unknownId, other], { now: day(2) })).toEqual({
      code: 1,
      stdout: [
        `The contact request ${one} is answered: ${day(1).toISOString()}, crcs.\n`,
        `The contact request ${other} is answered: ${day(2).toISOString()}, crcs.\n`,
      ].join(''),
      stderr: `${noContact(unknownId)}\n`,
    });
    expect((await run(['show', one])).stdout).toContain(`\nanswered   ${day(1).toISOString()}, crcs\n`);
    const { stdout } = await answered(['--undo', one, '--json']);
    expect(JSON.parse(stdout)).toEqual([{ id: one }]);
    expect((await run(['show', one])).stdout).not.toContain('answered');
  });

  it('shows in lists who has answered', async () => {
    const by = (name: string | false, id: string) =>
      changeContact({ client, table: staff.tables.contacts }, id, { answeredBy: name }, day(3));
    const one = await store(staff, {}, { createdAt: day(2) });
    const other = await store(staff, {}, { createdAt: day(1) });
    await by('Grace\u001b[31m', one);
    const [heads = '', first = '', second = ''] = lines((await run(['list'], { triage: true })).stdout);
    expect(heads).toMatch(/^TIME +ID +ANSWERED BY +FROM /);
    expect(first).toContain(`${one}  Grace [31m  `);
    expect(second).toContain(other);
    const shown = lines((await run(['list'], { terminals: ['stdout'], columns: 100 })).stdout);
    expect(shown[0]).toBe(`2026-02-02 00:00Z  ${one}  answered by Grace [31m`);
    expect(shown[2]).toBe(`2026-02-01 00:00Z  ${other}`);
    const jsonLines = lines((await run(['export', '--format', 'jsonl'])).stdout);
    expect(jsonLines.map((line) => JSON.parse(line).answeredAt)).toEqual([day(3).toISOString(), undefined]);
    expect((await run(['export'])).stdout).not.toContain('Grace');
  });

  it('refuses in an environment without triage, and changes nothing', async () => {
    const id = await store(staff, {});
    const before = await staff.everything();
    expect(await answered([id], { triage: false })).toEqual(
      refusal('"local" has no triage: set triage (see docs/settings.md) and deploy.'),
    );
    expect(await staff.everything()).toEqual(before);
  });
});

it('refuses an empty range', async () => {
  const line = '--until must be later than --since.';
  expect(await run(['list', '--since', '2026-01-31', '--until', '2026-01-31'])).toEqual(refusal(line));
});

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { putBrokenItem } from '../support/broken-item.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { pressCtrlCAt } from './clients.ts';
import { lines, type RunOptions, refusal, type StaffService, startStaff, store, storeMany } from './staff.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const run = (...args: readonly string[]) => staff.run(['campaigns', ...args]);
const add = async (name: string) => (await run('add', name)).stdout.trim();
/** The campaigns as `id  name`, as the command lists them. */
const listed = async () => lines((await run('list')).stdout).slice(1);
const names = async () => (await listed()).map((row) => row.slice(38));

it('adds a campaign and prints its id alone', async () => {
  const name = '😀'.repeat(200);
  const { code, stdout, stderr } = await run('add', `  ${name} `);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/);
  expect(await listed()).toEqual([`${stdout.trim()}  ${name}`]);
});

it.each([' Caf\u00e9 ', 'Cafe\u0301', 'CAF\u00c9'])('refuses to add the name of another campaign: %j', async (name) => {
  const id = await add('Caf\u00e9');
  expect(await run('add', name)).toEqual(refusal(`A campaign with that name already exists: ${id}.`));
  expect(await listed()).toEqual([`${id}  Caf\u00e9`]);
});

it('lists by name, whatever its case', async () => {
  const zoo = await add('zoo');
  const apple = await add('apple');
  const banana = await add('Banana');
  expect(await listed()).toEqual([`${apple}  apple`, `${banana}  Banana`, `${zoo}  zoo`]);
});

it('says on stderr that there is no campaign, and how to add one', async () => {
  const stderr = 'No campaigns found. To add one: npx --no-install crcs campaigns add spring-sale --env local\n';
  expect(await run('list')).toEqual({ code: 0, stdout: 'ID  NAME\n', stderr });
  expect(await run('list', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

it('names an unreadable campaign and lists the others', async () => {
  await add('whole');
  const broken = await putBrokenItem(staff.tables.campaigns, 'campaigns', 'broken\u001f');
  expect(await names()).toEqual(['whole']);
  expect((await run('list')).stderr).toContain(`Left out the campaign ${broken}: `);
});

it('renames a campaign, which moves in the list and keeps its id', async () => {
  const first = await add('A');
  const second = await add('B');
  expect(await run('rename', first.toUpperCase(), 'C')).toEqual({
    code: 0,
    stdout: `Renamed the campaign ${first} to "C".\n`,
    stderr: 'Contact requests that came as "A" keep that name. Change it in your links and forms, too.\n',
  });
  expect(await listed()).toEqual([`${second}  B`, `${first}  C`]);
});

it('refuses to rename to the name of another campaign, but changes the case of its own', async () => {
  const first = await add('A');
  const second = await add('B');
  expect(await run('rename', first, 'b')).toEqual(refusal(`A campaign with that name already exists: ${second}.`));
  expect(await run('rename', first, 'a')).toMatchObject({ code: 0, stderr: '' });
  expect(await listed()).toEqual([`${first}  a`, `${second}  B`]);
});

it('removes one campaign', async () => {
  const first = await add('A');
  const second = await add('B');
  expect(await run('remove', first)).toEqual({ code: 0, stdout: `Removed the campaign ${first}.\n`, stderr: '' });
  expect(await listed()).toEqual([`${second}  B`]);
});

it.each([
  [
    ['rename', unknownId, 'Autumn'],
    `There is no campaign ${unknownId}. Run "npx --no-install crcs campaigns list" to see all.`,
  ],
  [['remove', unknownId], `There is no campaign ${unknownId}. Run "npx --no-install crcs campaigns list" to see all.`],
])('refuses %j and changes nothing', async (args, line) => {
  await add('Spring');
  expect(await run(...args)).toEqual(refusal(line));
  expect(await names()).toEqual(['Spring']);
});

describe('campaigns list --count', () => {
  const day = (date: number) => new Date(Date.UTC(2026, 1, date));
  const sendFrom = (campaign: string, options?: Parameters<typeof store>[2]) => store(staff, { campaign }, options);

  it('counts by campaign, most first, what sent its id or its current name, and the texts that are no campaign', async () => {
    const spring = await add('Spring');
    const autumn = await add('Autumn');
    for (const text of [spring.toUpperCase(), 'SPRING', 'spring']) await sendFrom(text);
    await sendFrom('spring-sale', { createdAt: day(2) });
    await sendFrom('Spring-Sale', { createdAt: day(1) });
    await sendFrom('spring', { spam: true });
    await sendFrom('spring', { expiresAt: day(1) });
    await store(staff, { extra: { campaign: 'spring' } });
    expect(await run('list', '--count')).toEqual({
      code: 0,
      stdout: [
        `COUNT  ID${' '.repeat(34)}  NAME`,
        `3      ${spring}  Spring`,
        `2      ${' '.repeat(36)}  spring-sale`,
        `0      ${autumn}  Autumn`,
        '',
      ].join('\n'),
      stderr: 'Counted 6 contact requests, 1 of them without a campaign.\n',
    });
    expect(JSON.parse((await run('list', '--count', '--json')).stdout)).toEqual([
      { id: spring, name: 'Spring', count: 3 },
      { name: 'spring-sale', count: 2 },
      { id: autumn, name: 'Autumn', count: 0 },
    ]);
  });

  it('shows the spelling that most sent', async () => {
    for (const [at, text] of ['Sale', 'SALE', 'sale', 'SALE'].entries())
      await sendFrom(text, { createdAt: day(9 - at) });
    expect(lines((await run('list', '--count')).stdout).slice(1)).toEqual([expect.stringMatching(/^4 +SALE$/)]);
  });

  it('counts what came in a time', async () => {
    for (const date of [1, 2, 3, 4]) await sendFrom('spring', { createdAt: day(date) });
    const { stdout } = await run('list', '--count', '--since', '2026-02-02', '--until', '2026-02-04');
    expect(lines(stdout).slice(1)).toEqual([expect.stringMatching(/^2 +spring$/)]);
  });

  it('names what is unreadable, and counts the rest', async () => {
    await sendFrom('spring');
    const id = await putBrokenItem(staff.tables.contacts, 'inbox', '2026-02-20T12:00:00.000Z#');
    const { code, stdout, stderr } = await run('list', '--count');
    expect({ code, rows: lines(stdout).length }).toEqual({ code: 0, rows: 2 });
    expect(stderr).toContain(`Left out the contact request ${id}: `);
  });

  it('shows progress on a terminal', async () => {
    await storeMany(staff, 225);
    const { stderr } = await staff.run(['campaigns', 'list', '--count'], { terminals: ['stderr'] });
    const progress = [100, 200, 225].map((read) => `\r\u001b[K${read} contact requests read`).join('');
    expect(stderr).toBe(`${progress}\r\u001b[KCounted 225 contact requests, 225 of them without a campaign.\n`);
  });
});

describe('campaigns import', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const importFile = async (content: string | Uint8Array, options?: RunOptions) => {
    const file = join(folder, 'campaigns.csv');
    await writeFile(file, content);
    return staff.run(['campaigns', 'import', file], options);
  };
  const numbered = (count: number) => `name\n${Array.from({ length: count }, (_, n) => `Campaign ${n}\n`).join('')}`;

  it('adds campaigns; the same import again changes nothing', async () => {
    expect(await importFile(numbered(25))).toEqual({
      code: 0,
      stdout: '25 added, 0 renamed, 0 unchanged.\n',
      stderr: '',
    });
    const before = await listed();
    expect(before).toHaveLength(25);
    expect(await importFile(numbered(25))).toMatchObject({ stdout: '0 added, 0 renamed, 25 unchanged.\n' });
    expect(await listed()).toEqual(before);
  });

  it('adds or renames by id, and adds by name the rows without an id', async () => {
    const old = await add('Old');
    const kept = await add('Kept');
    const fresh = randomUUID();
    const file = `id,name\n${old},New\n${kept},Kept\n${fresh.toUpperCase()}, Fresh \n,Unnumbered\n`;
    expect(await importFile(file)).toMatchObject({ stdout: '2 added, 1 renamed, 1 unchanged.\n' });
    expect(await listed()).toEqual([
      `${fresh}  Fresh`,
      `${kept}  Kept`,
      `${old}  New`,
      expect.stringMatching(/ {2}Unnumbered$/),
    ]);
    expect(await importFile(file)).toMatchObject({ stdout: '0 added, 0 renamed, 4 unchanged.\n' });
  });

  it('lets two campaigns swap their names', async () => {
    const first = await add('A');
    const second = await add('B');
    expect(await importFile(`id,name\n${first},B\n${second},A\n`)).toMatchObject({
      stdout: '0 added, 2 renamed, 0 unchanged.\n',
    });
    expect(await listed()).toEqual([`${second}  A`, `${first}  B`]);
  });

  it('reads the files of spreadsheets: a byte order mark, CRLF, quotes, blank lines', async () => {
    expect(await importFile('\ufeffName\r\n"Sale, ""big"""\r\n\r\n"Zoo"')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['Sale, "big"', 'Zoo']);
  });

  const id = '5e5b1f6e-2c64-4f0c-9c1b-0b6c1d1d8a11';
  const wrongHeader = 'Line 1: the header row must be "name", "id,name" or "name,id".';

  it.each([
    ['an empty file', '', [wrongHeader]],
    ['a header without a name', 'id\n', [wrongHeader]],
    ['semicolons', 'id;name\n', [wrongHeader]],
    ['another column', 'name,budget\nSpring,100\n', [wrongHeader]],
    ['a column twice', 'name,name\nSpring,Autumn\n', [wrongHeader]],
    [
      'an open quote',
      'name\nSpring\n"Autumn\n',
      ['The file is not valid CSV: Quote Not Closed: the parsing is finished with an opening quote at line 3'],
    ],
    ['Latin-1', Buffer.from('name\nCaf\xe9\n', 'latin1'), ['The file is not UTF-8: save it as CSV in UTF-8.']],
    [
      'wrong rows',
      `id,name\n${id},Spring\n,\nspring,${'x'.repeat(201)}\n${id.toUpperCase()},Summer\n,"Au\ntumn"\nWinter\n,Fine\n`,
      [
        'Line 3: A campaign needs a name.',
        'Line 4: A campaign name must have at most 200 characters.',
        'Line 4: "spring" is not a UUID.',
        'Line 5: Line 2 has the same id.',
        'Line 7: A campaign name must be one line of text.',
        'Line 8: The header row has 2 columns, but this row has 1.',
      ],
    ],
  ])('names each error and imports nothing: %s', async (_, content, told) => {
    await add('Before');
    expect(await importFile(content)).toEqual(refusal(...told));
    expect(await names()).toEqual(['Before']);
  });

  it('names each row whose name is taken, and imports nothing', async () => {
    const spring = await add('Spring');
    const autumn = await add('Autumn');
    const file = `name,id\nWinter,\nwinter,\nSPRING,${autumn}\nSummer,${id}\nWINTER,${randomUUID()}\nSpring,\n`;
    expect(await importFile(file)).toEqual(
      refusal(
        'Line 3: Line 2 has the same name.',
        `Line 4: The campaign ${spring} already has this name.`,
        'Line 6: Line 2 has the same name.',
      ),
    );
    expect(await names()).toEqual(['Autumn', 'Spring']);
  });

  it('says that the file is missing', async () => {
    const file = join(folder, 'nothing.csv');
    expect(await run('import', file)).toEqual(refusal(`Cannot read "${file}": no such file or directory.`));
  });

  it('stops on Ctrl-C; the same import again adds the rest', async () => {
    await using ctrlC = await pressCtrlCAt('PutItem');
    expect(await importFile(numbered(25), ctrlC)).toMatchObject({ code: 130, stderr: 'Stopped before the end.\n' });
    const { length } = await names();
    expect(length).toBeLessThan(25);
    expect(await importFile(numbered(25))).toMatchObject({
      stdout: `${25 - length} added, 0 renamed, ${length} unchanged.\n`,
    });
  });
});

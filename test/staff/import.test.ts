import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toItem } from '../../functions/campaigns/campaign.ts';
import { listCampaigns } from '../../lib/staff/campaign-table.ts';
import { client } from '../support/tables.ts';
import { pressCtrlCAt } from './ctrl-c.ts';
import { type RunOptions, type StaffService, startStaff } from './staff.ts';

let staff: StaffService;
let folder: string;
beforeEach(async () => {
  [staff, folder] = [await startStaff(), await mkdtemp(join(tmpdir(), 'staff-'))];
});
afterEach(() => rm(folder, { recursive: true }));

const importFile = async (content: string | Uint8Array, options?: RunOptions) => {
  const file = join(folder, 'campaigns.csv');
  await writeFile(file, content);
  return staff.run(['campaigns', 'import', file], options);
};
const add = async (name: string) => (await staff.run(['campaigns', 'add', name])).stdout.trim();
const campaigns = () => listCampaigns({ client, table: staff.tables.campaigns }, () => {});
const names = async () => (await campaigns()).map(({ name }) => name);
const numbered = (count: number) => `name\n${Array.from({ length: count }, (_, n) => `Campaign ${n}\n`).join('')}`;

describe('campaigns import', () => {
  it('adds 1,000 campaigns, and the second time none', async () => {
    expect(await importFile(numbered(1000))).toEqual({
      code: 0,
      stdout: '1,000 added, 0 renamed, 0 unchanged.\n',
      stderr: '',
    });
    const before = await campaigns();
    expect(before).toHaveLength(1000);
    expect(await importFile(numbered(1000))).toMatchObject({ stdout: '0 added, 0 renamed, 1,000 unchanged.\n' });
    expect(await campaigns()).toEqual(before);
  });

  it('adds or renames by id, and adds by name what has none', async () => {
    const [old, kept, fresh] = [await add('Old'), await add('Kept'), randomUUID()];
    const file = `id,name\n${old},New\n${kept},Kept\n${fresh.toUpperCase()}, Fresh \n,Unnumbered\n`;
    expect(await importFile(file)).toMatchObject({ stdout: '2 added, 1 renamed, 1 unchanged.\n' });
    expect(await campaigns()).toEqual([
      { id: fresh, name: 'Fresh' },
      { id: kept, name: 'Kept' },
      { id: old, name: 'New' },
      { id: expect.any(String), name: 'Unnumbered' },
    ]);
    expect(await importFile(file)).toMatchObject({ stdout: '0 added, 0 renamed, 4 unchanged.\n' });
  });

  it('leaves a campaign of that name as it is, compared as names are sorted', async () => {
    const id = await add('Caf\u00e9');
    expect(await importFile('name\n Cafe\u0301 \n')).toMatchObject({ stdout: '0 added, 0 renamed, 1 unchanged.\n' });
    expect(await importFile('name\nCAF\u00c9\n')).toMatchObject({ stdout: '0 added, 0 renamed, 1 unchanged.\n' });
    expect(await campaigns()).toEqual([{ id, name: 'Caf\u00e9' }]);
  });

  it('lets two campaigns change their names with each other', async () => {
    const [first, second] = [await add('A'), await add('B')];
    expect(await importFile(`id,name\n${first},B\n${second},A\n`)).toMatchObject({
      stdout: '0 added, 2 renamed, 0 unchanged.\n',
    });
    expect(await campaigns()).toEqual([
      { id: second, name: 'A' },
      { id: first, name: 'B' },
    ]);
  });

  it('takes two of a name that there are already', async () => {
    const ids = [randomUUID(), randomUUID()].toSorted();
    for (const id of ids)
      await client.send(new PutCommand({ TableName: staff.tables.campaigns, Item: toItem({ id, name: 'Twice' }) }));
    expect(await importFile(`id,name\n${ids[0]},Twice\n${ids[1]},Twice\n`)).toMatchObject({
      stdout: '0 added, 0 renamed, 2 unchanged.\n',
    });
  });

  it('tells a program how many', async () => {
    await importFile('name\nSpring\n');
    const file = join(folder, 'campaigns.csv');
    await writeFile(file, 'name\nSpring\nAutumn\n');
    const { stdout } = await staff.run(['campaigns', 'import', file, '--json']);
    expect(JSON.parse(stdout)).toEqual({ added: 1, renamed: 0, unchanged: 1 });
  });

  it('adds by name again what it renames by id, so that a second import changes nothing', async () => {
    const id = await add('Old');
    const file = `name,id\nOld,\nNew,${id}\n`;
    expect(await importFile(file)).toMatchObject({ stdout: '1 added, 1 renamed, 0 unchanged.\n' });
    expect(await importFile(file)).toMatchObject({ stdout: '0 added, 0 renamed, 2 unchanged.\n' });
    expect(await names()).toEqual(['New', 'Old']);
  });

  it('reads what spreadsheets write: a byte order mark, CRLF, quotes, blank lines', async () => {
    expect(await importFile('\ufeffName\r\n"Sale, ""big"""\r\n\r\n"Zoo"')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['Sale, "big"', 'Zoo']);
  });

  it('imports nothing of a file without rows', async () => {
    expect(await importFile('id,name\n')).toMatchObject({ code: 0, stdout: '0 added, 0 renamed, 0 unchanged.\n' });
  });

  it('shows how far it is on a terminal, and clears the line', async () => {
    const { stderr } = await importFile(numbered(30), { terminals: ['stderr'] });
    expect(stderr).toBe(
      '\r\u001b[K10 campaigns written\r\u001b[K20 campaigns written\r\u001b[K30 campaigns written\r\u001b[K',
    );
  });
});

describe('a file that is wrong', () => {
  const id = '5e5b1f6e-2c64-4f0c-9c1b-0b6c1d1d8a11';
  const wrongHeader = 'Line 1: the header row must be "name" or "id,name", in any order and nothing else.\n';

  it.each([
    ['', wrongHeader],
    ['id\n', wrongHeader],
    ['id;name\n', wrongHeader],
    ['name,budget\nSpring,100\n', wrongHeader],
    ['name,name\nSpring,Autumn\n', wrongHeader],
    [
      'name\nSpring\n"Autumn\n',
      'This is not CSV: Quote Not Closed: the parsing is finished with an opening quote at line 3\n',
    ],
    [Buffer.from('name\nCaf\xe9\n', 'latin1'), 'This is not UTF-8: save it as CSV in UTF-8.\n'],
    [
      `id,name\n${id},Spring\n,\nspring,${'x'.repeat(201)}\n${id.toUpperCase()},Summer\n,"Au\ntumn"\nWinter\n,Fine\n`,
      [
        'Line 3: A campaign needs a name.',
        'Line 4: A campaign name has 200 characters at most.',
        'Line 4: "spring" is not a UUID.',
        'Line 5: This is the id of line 2.',
        'Line 6: A campaign name is one line of text.',
        'Line 8: This row has another number of columns (1) than the header row (2).',
        '',
      ].join('\n'),
    ],
  ])('is told line by line, and nothing is imported: %j', async (content, stderr) => {
    await add('Before');
    expect(await importFile(content)).toEqual({ code: 1, stdout: '', stderr });
    expect(await names()).toEqual(['Before']);
  });

  it('is told line by line whose names are taken, and nothing is imported', async () => {
    const [spring, autumn] = [await add('Spring'), await add('Autumn')];
    const file = `name,id\nWinter,\nwinter,\nSPRING,${autumn}\nSummer,${id}\nsummer,\nWINTER,${randomUUID()}\nSpring,\n`;
    expect(await importFile(file)).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        'Line 3: Line 2 has the same name.',
        `Line 4: The campaign ${spring} has this name.`,
        'Line 6: Line 5 has the same name.',
        'Line 7: Line 2 has the same name.',
        '',
      ].join('\n'),
    });
    expect(await names()).toEqual(['Autumn', 'Spring']);
  });

  it('names 50 faults at most', async () => {
    const { stderr } = await importFile(`id,name\n${'spring,Spring\n'.repeat(1051)}`);
    const told = stderr.split('\n').slice(0, -1);
    expect(told).toHaveLength(51);
    expect(told.slice(-2)).toEqual(['Line 51: "spring" is not a UUID.', '… and 1,001 more.']);
  });

  it('may be missing', async () => {
    const file = join(folder, 'nothing.csv');
    expect(await staff.run(['campaigns', 'import', file])).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot read "${file}": no such file or directory.\n`,
    });
  });
});

it('stops on Ctrl-C; the same import again adds the rest', async () => {
  await using ctrlC = await pressCtrlCAt('PutItem');
  expect(await importFile(numbered(60), ctrlC)).toEqual({ code: 130, stdout: '', stderr: 'Stopped before the end.\n' });
  const { length } = await names();
  expect(length).toBeLessThan(60);
  expect(await importFile(numbered(60))).toMatchObject({
    stdout: `${60 - length} added, 0 renamed, ${length} unchanged.\n`,
  });
});

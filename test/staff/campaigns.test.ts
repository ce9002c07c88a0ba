import { beforeEach, describe, expect, it } from 'vitest';
import { campaignStore } from '../../functions/campaigns/store.ts';
import { addCampaign } from '../../lib/staff/campaign-table.ts';
import { client } from '../support/tables.ts';
import { lines, type StaffService, startStaff } from './staff.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const add = async (name: string) => (await staff.run(['campaigns', 'add', name])).stdout.trim();
const get = (id: string) => campaignStore(client, staff.tables.campaigns).get(id);
const listed = async () => lines((await staff.run(['campaigns', 'list'])).stdout);

describe('campaigns add', () => {
  it('prints the id of the new campaign, alone', async () => {
    const { code, stdout, stderr } = await staff.run(['campaigns', 'add', '  Spring sale ']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/);
    expect(await get(stdout.trim())).toEqual({ id: stdout.trim(), name: 'Spring sale' });
  });

  it('tells a program of it', async () => {
    const { stdout } = await staff.run(['campaigns', 'add', 'Spring sale', '--json']);
    const campaign = JSON.parse(stdout);
    expect(campaign).toEqual({ id: expect.any(String), name: 'Spring sale' });
    expect(await get(campaign.id)).toEqual(campaign);
  });

  it.each([' Caf\u00e9 ', 'Cafe\u0301', 'CAF\u00c9'])('refuses a name that there is: %j', async (name) => {
    const id = await add('Caf\u00e9');
    const before = await staff.everything();
    expect(await staff.run(['campaigns', 'add', name])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is already a campaign of that name: ${id}.\n`,
    });
    expect(await staff.everything()).toEqual(before);
  });

  it('takes a name that another begins with', async () => {
    await add('Spring sale');
    expect(await staff.run(['campaigns', 'add', 'Spring'])).toMatchObject({ code: 0 });
  });

  it('is at hand for other code', async () => {
    const campaign = await addCampaign({ client, table: staff.tables.campaigns }, 'Seed');
    expect(await get(campaign.id)).toEqual({ id: campaign.id, name: 'Seed' });
  });
});

describe('campaigns list', () => {
  it('lists by name, whatever its case', async () => {
    const [zoo, apple, banana] = [await add('zoo'), await add('apple'), await add('Banana')];
    expect(await listed()).toEqual([`ID${' '.repeat(36)}NAME`, `${apple}  apple`, `${banana}  Banana`, `${zoo}  zoo`]);
  });
});

describe('campaigns list --json', () => {
  it('is an array of all of them, by name', async () => {
    expect((await staff.run(['campaigns', 'list', '--json'])).stdout).toBe('[]\n');
    const [zoo, apple] = [await add('zoo'), await add('apple')];
    const { stdout } = await staff.run(['campaigns', 'list', '--json']);
    expect(JSON.parse(stdout)).toEqual([
      { id: apple, name: 'apple' },
      { id: zoo, name: 'zoo' },
    ]);
  });
});

describe('campaigns rename', () => {
  it('refuses a name that another has, and takes its own in another case', async () => {
    const [first, second] = [await add('A'), await add('B')];
    expect(await staff.run(['campaigns', 'rename', first, 'b'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is already a campaign of that name: ${second}.\n`,
    });
    expect(await staff.run(['campaigns', 'rename', first, 'a'])).toMatchObject({ code: 0 });
    expect((await listed()).slice(1)).toEqual([`${first}  a`, `${second}  B`]);
  });

  it('changes the name and the place in the list, and keeps the id', async () => {
    const [first, second] = [await add('A'), await add('B')];
    const { code, stdout } = await staff.run(['campaigns', 'rename', first.toUpperCase(), 'C']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Renamed the campaign ${first} to "C".\n` });
    expect((await listed()).slice(1)).toEqual([`${second}  B`, `${first}  C`]);
  });

  it('tells a program of it', async () => {
    const id = await add('A');
    const { stdout } = await staff.run(['campaigns', 'rename', id, ' B ', '--json']);
    expect(JSON.parse(stdout)).toEqual({ id, name: 'B' });
    expect(await get(id)).toEqual({ id, name: 'B' });
  });
});

describe('campaigns remove', () => {
  it('removes that campaign only', async () => {
    const [first, second] = [await add('A'), await add('B')];
    const { code, stdout } = await staff.run(['campaigns', 'remove', first]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Removed the campaign ${first}.\n` });
    expect((await listed()).slice(1)).toEqual([`${second}  B`]);
  });

  it('tells a program which', async () => {
    const id = await add('A');
    expect(JSON.parse((await staff.run(['campaigns', 'remove', id, '--json'])).stdout)).toEqual({ id });
    expect(await get(id)).toBeUndefined();
  });
});

describe('a mistake', () => {
  it.each([
    [['add'], 'Missing required argument \'name\'. "npx crcs campaigns add --help" shows how.'],
    [['add', ' '], '<name>: A campaign needs a name.'],
    [['add', 'x'.repeat(201)], '<name>: A campaign name has 200 characters at most.'],
    [['add', 'a\u0007'], '<name>: A campaign name is one line of text.'],
    [
      ['add', 'Spring', 'sale'],
      'Too many arguments for \'add\'. Expected 1 argument but got 2. "npx crcs campaigns add --help" shows how.',
    ],
    [['add', '--name', 'Spring'], 'Unknown option \'--name\'. "npx crcs campaigns add --help" shows how.'],
    [['rename', unknownId], 'Missing required argument \'name\'. "npx crcs campaigns rename --help" shows how.'],
    [['rename', unknownId, ' '], '<name>: A campaign needs a name.'],
    [['rename', 'spring', 'Autumn'], '<id>: "spring" is not a UUID.'],
    [['rename', unknownId, 'Autumn'], `There is no campaign ${unknownId}: "campaigns list" shows all.`],
    [['remove', 'spring'], '<id>: "spring" is not a UUID.'],
    [['remove', unknownId], `There is no campaign ${unknownId}: "campaigns list" shows all.`],
  ])('changes nothing: %j', async (args, line) => {
    await add('Spring');
    const before = await staff.everything();
    expect(await staff.run(['campaigns', ...args])).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
    expect(await staff.everything()).toEqual(before);
  });
});

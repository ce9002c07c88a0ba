import { beforeEach, describe, expect, it } from 'vitest';
import { putBrokenItem } from '../support/broken-item.ts';
import { lines, refusal, type StaffService, startStaff, store, storeMany } from './staff.ts';

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

import { beforeEach, expect, it } from 'vitest';
import { lines, type RunOptions, type StaffService, startStaff } from './staff.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
});

const issue = (name: string) => staff.run(['tokens', 'issue', '--name', name, '--allow', 'campaigns:read']);

const list = async (options: RunOptions = {}) => lines((await staff.run(['tokens', 'list'], options)).stdout);

const terminal = { terminals: ['stdout'] } as const;

it.each([
  ['wide characters', '日本語', 6],
  ['a family joined of emoji', '👩‍👩‍👧‍👦', 2],
  ['combining marks', 'a\u0323\u0308\u0301', 1],
])('aligns columns beside %s', async (_, name, width) => {
  await issue(name);
  const [head = '', row = ''] = await list();
  expect(row.startsWith(`${name.normalize('NFC')}${' '.repeat(Math.max('NAME'.length, width) - width)}  `)).toBe(true);
  expect(head).toMatch(new RegExp(`^NAME {${Math.max(0, width - 'NAME'.length) + 2}}ID`));
});

it('cuts lines to the width of a terminal, but never within a character', async () => {
  const name = '👩‍👩‍👧‍👦'.repeat(5);
  await staff.run(['campaigns', 'add', name]);
  const shown = async (options: RunOptions) => lines((await staff.run(['campaigns', 'list'], options)).stdout)[1];
  expect(await shown({ ...terminal, columns: 45 })).toMatch(/ {2}(?:👩‍👩‍👧‍👦){3}…$/u);
  // Anything but a terminal gets whole lines.
  expect((await shown({ columns: 45 }))?.endsWith(name)).toBe(true);
});

import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lines, type RunOptions, type StaffService, startStaff } from '../staff.ts';

let staff: StaffService;
beforeEach(async () => {
  staff = await startStaff();
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', undefined);
  // Node takes a terminal of continuous integration for one without colours.
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm-256color');
});
afterEach(() => vi.unstubAllEnvs());

const issue = async (...names: string[]) => {
  for (const name of names) await staff.run(['tokens', 'issue', '--name', name, '--allow', 'campaigns:read']);
};

const list = async (options: RunOptions = {}) => lines((await staff.run(['tokens', 'list'], options)).stdout);

const terminal = { terminals: ['stdout'] } as const;

it.each([
  ['wide characters', '日本語', 6],
  ['full-width and half-width forms', 'Ａｱ', 3],
  ['Hangul', '한국어', 6],
  ['a family joined of emoji', '👩‍👩‍👧‍👦', 2],
  ['a flag', '🇩🇪', 2],
  ['an emoji by its variation selector', '❤️', 2],
  ['combining marks', 'a\u0323\u0308\u0301', 1],
  ['vowel signs', 'नमस्ते', 4],
])('holds its columns beside %s', async (_, name, width) => {
  await issue(name);
  const [head = '', row = ''] = await list();
  expect(row.startsWith(`${name.normalize('NFC')}${' '.repeat(Math.max('NAME'.length, width) - width)}  `)).toBe(true);
  expect(head).toMatch(new RegExp(`^NAME {${Math.max(0, width - 'NAME'.length) + 2}}ID`));
});

it('is not cut, however long its lines are, where it is no terminal', async () => {
  await issue('x'.repeat(100));
  const [head = '', row = ''] = await list({ columns: 40 });
  expect(row).toMatch(/^x{100} {2}.* never$/);
  expect(head).toMatch(/^NAME {98}ID/);
});

it.each([120, 90, 80])('fits a terminal of %i columns, where what shrinks is cut', async (columns) => {
  await issue('x'.repeat(100), 'Short');
  const [head = '', short = '', long = ''] = await list({ ...terminal, columns });
  expect(long).toMatch(/^x+… {2}[0-9a-f]{12} {2}campaigns:read {2}2026-03-01T12:00:00.000Z {2}never$/);
  expect(stripVTControlCharacters(head)).toHaveLength(columns);
  expect(short.indexOf(' campaigns')).toBe(long.indexOf(' campaigns'));
});

it('is cut where a terminal is too narrow for it, but no character in two', async () => {
  await issue('👩‍👩‍👧‍👦'.repeat(5));
  const [, row = ''] = await list({ ...terminal, columns: 12 });
  expect(row).toMatch(/^(?:👩‍👩‍👧‍👦){3}… {3}[0-9a-f]…$/u);
});

it('is as wide as it needs to be on a terminal that does not know its width', async () => {
  await issue('x'.repeat(100));
  expect((await list(terminal))[1]).toMatch(/^x{100} {2}.* never$/);
});

it('has a bold head on a terminal, but where NO_COLOR is set', async () => {
  await issue('CRM');
  const [head = '', row = ''] = await list();
  expect(head).toMatch(/^NAME {2}ID/);
  expect(await list(terminal)).toEqual([`\u001b[1m${head}\u001b[22m`, row]);
  vi.stubEnv('NO_COLOR', '1');
  expect(await list(terminal)).toEqual([head, row]);
});

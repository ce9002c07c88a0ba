import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSettings } from '../../lib/shared/settings-file.ts';
import { outcome, start } from '../staff/process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string) => {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
};

const json = (name: string) => JSON.stringify({ [name]: {} });
const script = (name: string) => `export const environments = ${json(name)};\n`;

/** The environments that a project in this folder uses. */
const inForce = async (CRCS_SETTINGS?: string) =>
  Object.keys((await loadSettings({ CRCS_SETTINGS }, folder)).environments);

const error = async (CRCS_SETTINGS?: string) => {
  const error: unknown = await loadSettings({ CRCS_SETTINGS }, folder).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message.replaceAll(folder, '…') : 'none';
};

test('uses lib/environments.ts if there is no other file, even with an empty variable', async () => {
  await write('lib/environments.ts', script('lib'));
  expect(await inForce()).toEqual(['lib']);
  expect(await inForce('')).toEqual(['lib']);
});

test.each(['ts', 'js', 'mjs'])('prefers settings/environments.%s to lib/environments.ts', async (kind) => {
  await write('lib/environments.ts', script('lib'));
  await write(`settings/environments.${kind}`, script('own'));
  expect(await inForce()).toEqual(['own']);
});

test('reads JSON through a link', async () => {
  await write('repository/environments.json', json('own'));
  await symlink(join(folder, 'repository'), join(folder, 'settings'), 'junction');
  expect(await inForce()).toEqual(['own']);
});

test('prefers the file that the variable names', async () => {
  await write('settings/environments.ts', script('own'));
  expect(await inForce(await write('named.mjs', script('named')))).toEqual(['named']);
  expect(await inForce(await write('named.json', json('named')))).toEqual(['named']);
  expect(await inForce(await write('marked.json', `\uFEFF${json('marked')}`))).toEqual(['marked']);
});

test('refuses a dangling link instead of using lib/environments.ts', async () => {
  await write('lib/environments.ts', script('lib'));
  await symlink(join(folder, 'nowhere'), join(folder, 'settings'), 'junction');
  expect(await error()).toBe('…/settings: has no environments.ts, .js, .mjs, .json, see docs/settings.md');
});

test('refuses two files', async () => {
  await write('settings/environments.ts', script('own'));
  await write('settings/environments.json', json('own'));
  expect(await error()).toBe('…/settings: has …/settings/environments.ts and …/settings/environments.json: keep one');
});

test.each([
  [
    'settings.yaml',
    '',
    'CRCS_SETTINGS: "…/settings.yaml" is not a settings file: its name must end with .ts, .js, .mjs, .json',
  ],
  ['empty.mjs', '', '…/empty.mjs: exports no environments: write export const environments = { … };'],
  [
    'list.json',
    '1',
    '…/list.json: environments: must be an object with environment names as keys and their settings as values',
  ],
  ['here.json', json('local'), '…/here.json: environments: "local" is reserved for npm start: choose another name'],
  ['text.json', '{ "prod": "https://a.example" }', '…/text.json: prod: must be an object of settings'],
])('refuses %s in one line', async (name, text, line) => {
  expect(await error(await write(name, text))).toBe(line);
});

// In a process: the test runner reads modules another way than Node does.
test.each([
  ['thrown.mjs', 'throw new Error("one\\ntwo");', /^…\/thrown\.mjs:1: cannot be read: one\n$/],
  ['comma.ts', 'export const environments = {\n  dev: {},,\n};\n', /^…\/comma\.ts:2: cannot be read: [^\n]+\n$/],
])('names the line of an error in %s', async (name, text, line) => {
  const file = await write(name, text);
  const { stderr } = await outcome(start(['tokens', 'list'], { CRCS_SETTINGS: file }));
  expect(stderr.replaceAll(folder, '…')).toMatch(line);
});

test('refuses a missing or broken file in one line', async () => {
  expect(await error(join(folder, 'gone.ts'))).toBe('CRCS_SETTINGS: the file …/gone.ts does not exist');
  expect(await error(await write('broken.json', '{'))).toMatch(/^…\/broken\.json: cannot be read: [^\n]+$/);
});

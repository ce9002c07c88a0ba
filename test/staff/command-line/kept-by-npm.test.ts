import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentNames, runCommand } from '../staff.ts';

const project = join(import.meta.dirname, '..', '..', '..');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-by-npm-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs npm as somebody types it, with a folder of its own for data. */
const npm = async (...args: readonly string[]) => {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const run = promisify(execFile)('npm', ['--silent', ...args], {
    cwd: project,
    env: { ...Object.fromEntries(kept), DATA_DIR: join(folder, 'data') },
    shell: process.platform === 'win32',
  });
  return run.then(
    (written) => ({ code: 0, ...written }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
};

it.each([
  [['run', 'staff', 'campaigns', 'add', 'Only for prod', '--env=prod'], '--env'],
  [['run', 'staff', 'campaigns', 'add', 'Spring', '--env', 'prod'], '--env'],
  [['run', 'staff', 'campaigns', 'add', 'Spring', '--stack', 'old'], '--stack'],
  [['run', 'staff', 'tokens', 'issue', '--name=CRM', '--allow=all', '--env=prod'], '--env, --name'],
  [['run', 'staff', 'contacts', 'list', '--spam'], '--spam'],
  [['exec', 'crcs', 'campaigns', 'add', 'Spring', '--env=prod'], '--env'],
])('npm keeps an option without "--", and nothing is done: %j', async (args, kept) => {
  const called = args.slice(2, 4).join(' ');
  const outcome = await npm(...args);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain(`npm kept ${kept}`);
  expect(outcome.stderr).toContain(
    `type "npx crcs ${called} …" or, with the two dashes, "npm run staff -- ${called} …".\n`,
  );
});

it('npm passes every option on behind "--", and by npx', async () => {
  const line = `Unknown environment "nowhere": choose from ${environmentNames.join(', ')}.\n`;
  expect((await npm('run', 'staff', '--', 'tokens', 'list', '--env=nowhere')).stderr).toBe(line);
  expect((await npm('exec', '--offline', '--', 'crcs', 'tokens', 'list', '--env=nowhere')).stderr).toBe(line);
});

const refused = { code: 1, stdout: '', stderr: expect.stringMatching(/^npm kept /) };

/** Runs a command that is a mistake anyhow: it opens no tables. */
const run = (args: readonly string[], variables: NodeJS.ProcessEnv) => runCommand(args, { variables });

it("counts npm's own settings only for a command that takes them, in a script", async () => {
  const erase = ['contacts', 'erase'];
  const script = { npm_lifecycle_event: 'staff', npm_config_yes: 'true' };
  expect(await run(erase, script)).toEqual(refused);
  expect(await run(erase, { ...script, npm_lifecycle_event: 'npx' })).toMatchObject({
    stderr: expect.stringMatching(/^Name a person /),
  });
});

it('lets be what the command line has itself, and what a file of npm configures', async () => {
  const userconfig = join(folder, '.npmrc');
  await writeFile(userconfig, '//registry.example/:always-auth=true\nyes = true\n');
  const script = { npm_lifecycle_event: 'staff', npm_config_yes: 'true' };
  const missing = { code: 1, stderr: expect.stringMatching(/^Name a person /) };
  expect(await run(['contacts', 'erase', '--yes'], script)).toMatchObject(missing);
  expect(await run(['contacts', 'erase'], { ...script, npm_config_userconfig: userconfig })).toMatchObject(missing);
  expect(await run(['contacts', 'erase'], { ...script, NPM_CONFIG_USERCONFIG: userconfig })).toMatchObject(missing);
});

it("knows which of its options are npm's settings, too", async () => {
  const { stdout } = await npm('config', 'list', '--long', '--json');
  const settings = Object.keys(v.parse(v.record(v.string(), v.unknown()), JSON.parse(stdout)));
  const pages = await Promise.all(
    ['contacts list', 'contacts export', 'contacts erase', 'tokens issue', 'tokens rotate', 'campaigns import'].map(
      (name) => run([...name.split(' '), '--help'], {}),
    ),
  );
  const options = pages.flatMap(({ stdout }) => [...stdout.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name = '']) => name));
  const shared = [...new Set(options)].filter((option) => settings.includes(option));
  expect(shared).toContain('json');
  for (const option of shared) {
    // As `npx --yes crcs …` leaves it.
    const variables = { npm_lifecycle_event: 'npx', [`npm_config_${option}`]: 'true' };
    expect(await run(['contacts', 'erase'], variables), option).toMatchObject({
      stderr: expect.stringMatching(/^Name /),
    });
  }
});

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDeployed } from './staff/deployed.ts';
import { outcome, start } from './staff/process.ts';
import { refusal } from './staff/staff.ts';
import { makeProject } from './support/project.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const projectWith = (env: string | Buffer) => {
  const project = makeProject(temporaryFolder());
  writeFileSync(join(project, '.env'), env);
  return project;
};

const startLocal = (project: string) => {
  const child = spawn(process.execPath, [join(project, 'bin', 'run.cjs'), 'bin/local.ts'], {
    env: { ...process.env, DATA_DIR: join(project, 'data'), PORT: '0', SITE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
};

const programs = [
  ['npm start', startLocal],
  ['the staff command', (project: string) => start(['campaigns', 'list'], {}, { project })],
] as const;

test('npm start refuses a wrong variable of .env as it refuses one of the shell, and first names a misspelled one', async () => {
  const project = projectWith('AWS_PROFILE=dev\nSITE_ORIGIN=http://localhost:5500\nNOTIFY_EMAIL=me\n');
  expect(await outcome(startLocal(project))).toEqual(
    refusal(
      'SITE_ORIGIN in .env: unknown variable. Did you mean SITE_ORIGINS?\nNOTIFY_EMAIL: "me" is not an email address',
    ),
  );
});

test.each(programs)('%s says in one line that it cannot read .env', async (_, run) => {
  const project = makeProject(temporaryFolder());
  mkdirSync(join(project, '.env'));
  expect(await outcome(run(project))).toEqual(
    refusal(
      'Cannot read .env: illegal operation on a directory. Make it a text file in UTF-8 that you can read, or delete it.',
    ),
  );
});

test('an .env that Windows PowerShell wrote in UTF-16 is refused, because no variable would be found in it', async () => {
  const utf16 = Buffer.from('\uFEFFDATA_DIR=data\r\n', 'utf16le');
  const { stderr } = await outcome(start(['campaigns', 'list'], {}, { project: projectWith(utf16) }));
  expect(stderr).toMatch(/^Cannot read \.env: it is not UTF-8\. .*\n$/);
});

const dataDir = join(tmpdir(), 'data-of');

test('a variable that is set wins over .env, which a byte order mark may begin', async () => {
  const project = projectWith(`\uFEFFDATA_DIR=${dataDir}-the-file\n`);
  const missing = async (variables = {}) =>
    (await outcome(start(['campaigns', 'list'], variables, { project }))).stderr;
  expect(await missing()).toContain(`No local service data in ${dataDir}-the-file.`);
  expect(await missing({ DATA_DIR: `${dataDir}-the-shell` })).toContain(`${dataDir}-the-shell.`);
});

test("the staff command reads the project's .env in every folder, and not that of the folder", async () => {
  const cwd = projectWith(`DATA_DIR=${dataDir}-another-project\n`);
  const project = projectWith(`DATA_DIR=${dataDir}-this-project\n`);
  const { stderr } = await outcome(start(['campaigns', 'list'], {}, { project, cwd }));
  expect(stderr).toContain(`No local service data in ${dataDir}-this-project.`);
});

test('a relative data folder is the same one, wherever the staff command runs', async () => {
  const project = projectWith('DATA_DIR=of-the-project\n');
  const { stderr } = await outcome(start(['campaigns', 'list'], {}, { project, cwd: join(project, 'bin') }));
  expect(stderr).toContain(`No local service data in ${join(import.meta.dirname, '..', 'of-the-project')}.`);
});

test('the staff command finds region and credentials of a deployed environment in .env', async () => {
  const { signed } = await startDeployed();
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
  const project = projectWith('AWS_REGION=eu-south-1\nAWS_ACCESS_KEY_ID=test\nAWS_SECRET_ACCESS_KEY=test\n');
  expect((await outcome(start(['campaigns', 'list', '--env', 'dev'], {}, { project }))).code).toBe(0);
  expect(signed).toContain('cloudformation eu-south-1');
});

test.each([
  [
    'CRCS_SETTINGS=settings.json',
    'CRCS_SETTINGS in .env would not reach npx cdk: set it in your shell, or use the folder settings (docs/settings.md).',
  ],
  [
    'NODE_OPTIONS=--import=./other.mjs',
    'NODE_OPTIONS in .env would change how Node runs: set it in your shell instead.',
  ],
  ['LD_PRELOAD=./other.so', 'LD_PRELOAD in .env would change how Node runs: set it in your shell instead.'],
])('%s in .env is refused, because it would not reach everything', async (line, message) => {
  const project = projectWith(`NODE_ENV=production\n${line}\n`);
  expect(await outcome(start(['campaigns', 'list'], {}, { project }))).toEqual(refusal(message));
});

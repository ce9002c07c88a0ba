import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDeployed } from './staff/deployed.ts';
import { outcome, start } from './staff/process.ts';
import { refusal } from './staff/staff.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const folderWith = (env: string | Buffer) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.env'), env);
  return folder;
};

const startLocal = (cwd: string) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'bin', 'run.cjs'), 'bin/local.ts'], {
    cwd,
    env: { ...process.env, DATA_DIR: join(cwd, 'data'), PORT: '0', SITE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
};

const programs = [
  ['npm start', startLocal],
  ['the staff command', (cwd: string) => start(['campaigns', 'list'], {}, cwd)],
] as const;

test('npm start refuses a wrong variable of .env as it refuses one of the shell', async () => {
  expect(await outcome(startLocal(folderWith('NOTIFY_EMAIL=me\n')))).toEqual(
    refusal('NOTIFY_EMAIL: "me" is not an email address'),
  );
});

test.each(programs)('%s says in one line that it cannot read .env', async (_, run) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.env'));
  expect(await outcome(run(folder))).toEqual(
    refusal(
      'Cannot read .env: illegal operation on a directory. Make it a text file in UTF-8 that you can read, or delete it.',
    ),
  );
});

test('an .env that Windows PowerShell wrote in UTF-16 is refused, because no variable would be found in it', async () => {
  const utf16 = Buffer.from('\uFEFFDATA_DIR=data\r\n', 'utf16le');
  const { stderr } = await outcome(start(['campaigns', 'list'], {}, folderWith(utf16)));
  expect(stderr).toMatch(/^Cannot read \.env: it is not UTF-8\. .*\n$/);
});

test('a variable that is set wins over .env, which a byte order mark may begin', async () => {
  const folder = folderWith('\uFEFFDATA_DIR=of-the-file\n');
  const missing = async (variables = {}) => (await outcome(start(['campaigns', 'list'], variables, folder))).stderr;
  expect(await missing()).toContain(`No local service data in ${join(folder, 'of-the-file')}.`);
  expect(await missing({ DATA_DIR: 'of-the-shell' })).toContain(`${join(folder, 'of-the-shell')}.`);
});

test('the staff command finds region and credentials of a deployed environment in .env', async () => {
  const { signed } = await startDeployed();
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
  const folder = folderWith('AWS_REGION=eu-south-1\nAWS_ACCESS_KEY_ID=test\nAWS_SECRET_ACCESS_KEY=test\n');
  expect((await outcome(start(['campaigns', 'list', '--env', 'dev'], {}, folder))).code).toBe(0);
  expect(signed).toContain('cloudformation eu-south-1');
});

test('CRCS_SETTINGS in .env is refused, because npx cdk would deploy other settings', async () => {
  expect(await outcome(start(['campaigns', 'list'], {}, folderWith('CRCS_SETTINGS=settings.json\n')))).toEqual(
    refusal(
      'CRCS_SETTINGS in .env would not reach npx cdk: set it in your shell, or use the folder settings (docs/settings.md).',
    ),
  );
});

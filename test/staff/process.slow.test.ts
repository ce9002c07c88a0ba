import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { testOnPosix } from '../support/posix.ts';
import { projectWithoutEnv } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startDeployed } from './deployed.ts';
import { outcome, programIn, start } from './process.ts';
import { store } from './staff.ts';

it('exits with 1 after an error and explains it in one line', async () => {
  expect(await outcome(start(['tokns']))).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Unknown command \'tokns\'. Did you mean tokens? Run "npx --no-install crcs --help".\n',
  });
});

it('ends quietly if nobody reads its output', async () => {
  const child = start(['--help']);
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

it.skipIf(!existsSync('/dev/full'))('says that it cannot write its output', async () => {
  const run = promisify(execFile)('sh', [
    '-c',
    '"$0" "$1" --help > /dev/full',
    process.execPath,
    programIn(projectWithoutEnv()),
  ]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: 'Cannot write the output: ENOSPC: no space left on device, write\n',
  });
});

it.skipIf(!existsSync('/usr/bin/script') || process.platform !== 'linux')(
  'prints only its own output when npx runs it on a terminal',
  async () => {
    // npm would tell of a newer npm.
    vi.stubEnv('npm_config_update_notifier', 'false');
    const run = promisify(execFile)('script', ['-qec', 'npx --no-install crcs --version', '/dev/null']);
    expect((await run).stdout).toBe(`${packageJson.version}\r\n`);
  },
);

it("looks for the local data in the project's folder, wherever it is called", async () => {
  const { stderr } = await outcome(start(['campaigns', 'list'], {}, { cwd: tmpdir() }));
  expect(stderr).not.toContain(join(tmpdir(), '.local'));
});

testOnPosix.each(['SIGINT', 'SIGHUP'] as const)('exits with 130 after %s', async (signal) => {
  const { responses } = await startDeployed();
  const { 'cloudformation:DescribeStacks': describe = () => undefined } = responses;
  let child: ReturnType<typeof start> | undefined;
  responses['cloudformation:DescribeStacks'] = (given) => {
    child?.kill(signal);
    return describe(given);
  };
  child = start(['contacts', 'list', '--env', 'dev']);
  expect(await outcome(child)).toMatchObject({ code: 130, stderr: 'Stopped before the end.\n' });
});

testOnPosix('an export to a full disk says so and leaves no file', async () => {
  const deployed = await startDeployed();
  const folder = temporaryFolder();
  for (let n = 0; n < 20; n += 1) await store(deployed, { message: 'x'.repeat(5000) });
  const file = join(folder, 'contacts.csv');
  // A write beyond the limit fails as on a full disk. The limit holds for the compile cache, too.
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1');
  const line = 'ulimit -f 16; exec "$0" "$@"';
  const args = ['contacts', 'export', '--env', 'dev', '--output', file];
  const child = spawn('sh', ['-c', line, process.execPath, programIn(projectWithoutEnv()), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(await outcome(child)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Cannot write "${file}": file too large.\n`,
  });
  expect(await readdir(folder)).toEqual([]);
});

import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, type TestContext } from 'vitest';
import { testOnPosix } from '../../support/posix.ts';
import { environmentNames, runCommand } from '../staff.ts';

const run = (...args: readonly string[]) => runCommand(args);

/** What a shell is told may stand in the place of the last word. */
const candidates = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await run('complete', '--', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t', 1)[0]);
};

it.each([
  [['co'], ['contacts', 'complete']],
  [
    ['campaigns', ''],
    ['add', 'rename', 'remove', 'list', 'import'],
  ],
  [['--env', 'dev', 'tokens', 'iss'], ['issue']],
  [['tokens', 'revoke', 'CRM', '--e'], ['--env']],
  [['tokens', 'revoke', 'CRM', '--st'], ['--stack']],
  [['tokens', 'list', '--stack', ''], []],
  [['--stack', 'old', 'tokens', 'iss'], ['issue']],
  [['contacts', 'list', '--spam', '--sp'], []],
  [['complete', '--'], ['--help']],
  [['tokens', 'list', '--env', ''], environmentNames],
  [['tokens', 'list', '--env=loc'], ['--env=local']],
  [['tokens', 'issue', '--allow', 'contacts:d'], ['contacts:delete']],
  [['tokens', 'issue', '--allow', 'contacts:read,contacts:'], ['contacts:read,contacts:delete']],
  [
    ['contacts', 'export', '--format', ''],
    ['csv', 'jsonl'],
  ],
  [['contacts', 'export', '--output', 'some'], [':files']],
  [['campaigns', 'import', ''], [':files']],
  [['campaigns', 'add', ''], []],
  [['complete', 'b'], ['bash']],
  [['nonsense', ''], []],
])('offers what may stand next: %j', async (words, offered) => {
  expect(await candidates(...words)).toEqual(offered);
});

it.each(['bash', 'zsh', 'fish'])('prints a script for %s that starts this Node and this program', async (shell) => {
  const { code, stdout } = await run('complete', shell);
  expect(code).toBe(0);
  expect(stdout).toContain(`'${process.execPath}' '`);
  expect(stdout).not.toContain('{program}');
});

it('knows three shells', async () => {
  expect(await run('complete', 'tcsh')).toEqual({ code: 1, stdout: '', stderr: '<shell>: Use bash, zsh or fish.\n' });
});

/** Skips a test by name where a shell is missing. */
const needs = (shell: string, { skip }: TestContext) =>
  skip(spawnSync(shell, ['--version']).error !== undefined, `this machine lacks ${shell}`);

testOnPosix('makes crcs a command in bash', async (context) => {
  needs('bash', context);
  const { stdout: script } = await run('complete', 'bash');
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${script}\ncrcs --version`]);
  expect(stdout).toBe((await run('--version')).stdout);
});

testOnPosix('completes in a zsh whose owner has set nothing up', async (context) => {
  needs('zsh', context);
  const { stdout: script } = await run('complete', 'zsh');
  const home = await mkdtemp(join(tmpdir(), 'zsh-'));
  try {
    const { stdout, stderr } = await promisify(execFile)(
      'zsh',
      ['--no-rcs', '-c', `${script}\nprint $_comps[crcs] $_comps[npx]`],
      // Where compinit keeps what it has found.
      { env: { ...process.env, HOME: home, ZDOTDIR: home } },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '_crcs _crcs\n', stderr: '' });
  } finally {
    await rm(home, { recursive: true });
  }
});

/** What bash makes of a line when its Tab key is pressed. */
const completeInBash = async (line: string) => {
  const { stdout: script } = await run('complete', 'bash');
  const press = `COMP_LINE=$1 COMP_POINT=\${#1}; _crcs "\${1%% *}"; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${script}\n${press}`, 'bash', line]);
  return stdout.split('\n').slice(0, -1);
};

testOnPosix.for([
  ['crcs tokens re', ['revoke']],
  ['npx crcs campaigns re', ['rename', 'remove']],
  // Bash replaces what stands behind = and : alone.
  ['crcs tokens list --env=loc', ['local']],
  ['crcs tokens issue --allow contacts:', ['read', 'delete']],
  ['npx cdk dep', ['']],
  // What is typed is not run.
  ['crcs contacts erase --email "$(kill $$)" --y', ['--yes']],
] as const)('completes in bash: %s', async ([line, replies], context) => {
  needs('bash', context);
  expect(await completeInBash(line)).toEqual(replies);
});

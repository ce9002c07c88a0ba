import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

it('keeps nothing that is built or that an operator alone has', ({ skip }) => {
  skip(!existsSync('.git'), 'this is no clone');
  const args = ['ls-files', '--cached', '--ignored', '--exclude-standard'];
  const { error, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  skip(error !== undefined, 'this machine lacks git');
  expect(stdout).toBe('');
});

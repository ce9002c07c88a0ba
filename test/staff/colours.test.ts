import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type RunOptions, type StaffService, startStaff, store } from './staff.ts';

let staff: StaffService;
beforeAll(async () => {
  staff = await startStaff();
  await store(staff, { email: 'ada@example.com' });
  await staff.run(['tokens', 'issue', '--name', 'script', '--allow', 'all']);
});
beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Everything that a terminal and what is not one get. */
const output = async (args: string, options: RunOptions) => {
  const { stdout, stderr } = await staff.run(args.split(' '), { colours: true, ...options });
  return stdout + stderr;
};

const colour = '\u001b[';

const calls = ['contacts list', 'tokens list', 'contacts show x', 'tokens rotate script'];

describe('on a terminal', () => {
  it.each(calls)('colours what matters: %s', async (call) => {
    expect(await output(call, { terminals: ['stdout', 'stderr'] })).toContain(colour);
  });

  it.each(calls)('has no colours with NO_COLOR, nor on a terminal without colours: %s', async (call) => {
    expect(await output(call, { terminals: ['stdout', 'stderr'], colours: false })).not.toContain(colour);
    vi.stubEnv('NO_COLOR', '1');
    expect(await output(call, { terminals: ['stdout', 'stderr'] })).not.toContain(colour);
  });

  it.each(['contacts list --json', 'tokens list --json', 'contacts export --format jsonl'])(
    'never colours what programs read: %s',
    async (call) => {
      vi.stubEnv('FORCE_COLOR', '1');
      expect((await staff.run(call.split(' '), { terminals: ['stdout'], colours: true })).stdout).not.toContain(colour);
    },
  );
});

describe('in a pipe or a file, even with FORCE_COLOR', () => {
  beforeEach(() => {
    vi.stubEnv('FORCE_COLOR', '1');
  });

  it.each(calls)('never has colours: %s', async (call) => {
    expect(await output(call, {})).not.toContain(colour);
  });

  it('never has colours: contacts export --output', async () => {
    const file = join(temporaryFolder(), 'contacts.csv');
    await output(`contacts export --output ${file}`, { terminals: ['stdout', 'stderr'] });
    expect(await readFile(file, 'utf8')).not.toContain(colour);
  });
});

import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { testOnPosix } from '../support/posix.ts';
import { startRelay } from '../support/relay.ts';
import { outcome, program, start } from './process.ts';
import { serveStack } from './stack.ts';
import { type StaffService, startStaff } from './staff.ts';
import { store } from './stored.ts';

let staff: StaffService;
let folder: string;
beforeEach(async () => {
  [staff, folder] = [await startStaff(), await mkdtemp(join(tmpdir(), 'staff-'))];
});
afterEach(() => rm(folder, { recursive: true }));

const startStack = () => {
  const { contacts, campaigns, tokens } = staff.tables;
  return serveStack({ ContactsTable: contacts, CampaignsTable: campaigns, TokensTable: tokens });
};

testOnPosix('an export to a full disk says so and leaves nothing', async () => {
  for (let n = 0; n < 20; n += 1) await store(staff, { message: 'x'.repeat(5000) });
  await using stack = await startStack();
  const file = join(folder, 'contacts.csv');
  // No file may grow beyond this many blocks: the process is told as of a full disk, by an error of the write.
  const child = spawn(
    'sh',
    [
      '-c',
      'ulimit -f 16; exec "$0" "$@"',
      process.execPath,
      program,
      'contacts',
      'export',
      '--env',
      'dev',
      '--output',
      file,
    ],
    {
      env: { ...process.env, AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  expect(await outcome(child)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Cannot write "${file}": file too large.\n`,
  });
  expect(await readdir(folder)).toEqual([]);
});

testOnPosix('a killed export leaves only a file that the next export replaces', async () => {
  await store(staff, {});
  await using stack = await startStack();
  let kill = () => {};
  await using relay = await startRelay({ before: async () => kill() });
  const child = start(['contacts', 'export', '--env', 'dev', '--output', join(folder, 'contacts.csv')], {
    AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url,
    AWS_ENDPOINT_URL_DYNAMODB: relay.url,
  });
  kill = () => child.kill('SIGKILL');
  await outcome(child);
  expect(await readdir(folder)).toEqual(['contacts.csv.partial']);
});

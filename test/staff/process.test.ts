import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { testOnPosix } from '../support/posix.ts';
import { serve } from '../support/server.ts';
import { outcome, program, start } from './process.ts';
import { serveStack } from './stack.ts';

it('runs', async () => {
  expect(await outcome(start(['--help']))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Usage: npx crcs /),
    stderr: '',
  });
});

it('exits with 1 after a mistake, and says it in one line', async () => {
  expect(await outcome(start(['tokns']))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Unknown command \'tokns\'. Did you mean tokens? "npx crcs --help" shows how.\n',
  });
});

it('ends quietly when nobody reads its output', async () => {
  const child = start(['--help']);
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

it.skipIf(!existsSync('/dev/full'))('says that the output cannot be written', async () => {
  const run = promisify(execFile)('sh', ['-c', '"$0" "$1" --help > /dev/full', process.execPath, program]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: 'Cannot write the output: ENOSPC: no space left on device, write\n',
  });
});

it("looks for the local tables in the project's folder, wherever it is called", async () => {
  const { stderr } = await outcome(start(['campaigns', 'list'], {}, tmpdir()));
  expect(stderr).not.toContain(join(tmpdir(), '.local'));
});

testOnPosix('reads no more of an endless line than an answer can be', async () => {
  await using stack = await serveStack({ ContactsTable: 'table', CampaignsTable: 'table', TokensTable: 'table' });
  const line = '"$0" "$1" contacts erase --email - --env dev < /dev/zero';
  const run = promisify(execFile)('sh', ['-c', line, process.execPath, program], {
    env: { ...process.env, AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url },
  });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/\nThe standard input has no email address\.\n$/),
  });
});

testOnPosix.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'exits with 130 after Ctrl-C and its like: %s',
  async (signal) => {
    let child: ChildProcess | undefined;
    await using tables = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{"Items":[]}');
    });
    const outputs = { ContactsTable: 'table', CampaignsTable: 'table', TokensTable: 'table' };
    await using stack = await serveStack(outputs, () => child?.kill(signal));
    const started = start(['contacts', 'list', '--env', 'dev'], {
      AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url,
      AWS_ENDPOINT_URL_DYNAMODB: tables.url,
    });
    child = started;
    expect(await outcome(started)).toMatchObject({ code: 130, stderr: 'Stopped before the end.\n' });
  },
);

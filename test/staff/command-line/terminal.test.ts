import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { confirm } from '../../../lib/staff/command-line/terminal.ts';

it('stops asking on Ctrl-C', async () => {
  const stopped = new AbortController();
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const answer = confirm({ stdin, stderr, signal: stopped.signal }, 'Erase?');
  stopped.abort();
  await expect(answer).rejects.toThrow(stopped.signal.reason);
});

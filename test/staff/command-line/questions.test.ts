import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { openQuestions } from '../../../lib/staff/command-line/questions.ts';

it('stops asking on Ctrl-C', async () => {
  const stopped = new AbortController();
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  const answer = openQuestions({ stdin, stderr, signal: stopped.signal }).confirm('Erase?');
  stopped.abort();
  await expect(answer).rejects.toThrow(stopped.signal.reason);
});

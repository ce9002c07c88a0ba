import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { Staff } from '../context.ts';
import { count } from './text.ts';

/** Writes to stdout no faster than it is read. */
export const print = (
  { stdout }: Pick<Staff, 'stdout'>,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<void> => pipeline(chunks, stdout, { end: false });

/**
 * Asks on stderr a question that only `y` or `yes` agrees to.
 * @throws what Ctrl-C aborts with
 */
export const confirm = async (
  { stdin, stderr, signal }: Pick<Staff, 'stdin' | 'stderr' | 'signal'>,
  question: string,
): Promise<boolean> => {
  stderr.write(`${question} [y/N] `);
  // Not as a terminal: the line editor would keep Ctrl-C to itself.
  for await (const answer of createInterface({ input: stdin, terminal: false, signal })) {
    return /^y(es)?$/i.test(answer.trim());
  }
  // The input has ended without an answer, and without a line break.
  stderr.write('\n');
  signal.throwIfAborted();
  return false;
};

/** Shows how far long work has come, on a line of stderr that goes away at its end, when stderr is a terminal. */
export const withProgress = async <Result>(
  { stderr }: Pick<Staff, 'stderr'>,
  [noun, done]: readonly [noun: string, done: string],
  work: (report: (amount: number) => void) => Promise<Result>,
): Promise<Result> => {
  if (!stderr.isTTY) return work(() => {});
  const clearLine = '\r\u001b[K';
  try {
    return await work((amount) => stderr.write(`${clearLine}${count(amount, noun)} ${done}`));
  } finally {
    stderr.write(clearLine);
  }
};

import { createInterface } from 'node:readline';
import type { Surroundings } from '../context.ts';

/** So many bytes hold every answer: an endless line would else fill the memory. */
const maxInput = 100_000;

/** Reads answers from the standard input, a line each. */
export interface Questions {
  /**
   * Asks on stderr.
   * @returns the answer; nothing where the input has ended
   * @throws what Ctrl-C aborts with
   */
  ask(question: string): Promise<string | undefined>;
  /** Whether the answer is `y` or `yes`. */
  confirm(question: string): Promise<boolean>;
  close(): void;
}

export const openQuestions = ({
  stdin,
  stderr,
  signal,
}: Pick<Surroundings, 'stdin' | 'stderr' | 'signal'>): Questions => {
  const open = () => {
    // Not as a terminal: the line editor would keep Ctrl-C to itself.
    const reader = createInterface({ input: stdin, terminal: false, signal });
    let read = 0;
    stdin.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > maxInput) reader.close();
    });
    return { reader, lines: reader[Symbol.asyncIterator]() };
  };
  // What is never asked for is not read: it may be meant for another program.
  let opened: ReturnType<typeof open> | undefined;
  const ask = async (question: string) => {
    stderr.write(question);
    opened ??= open();
    const answer = await opened.lines.next();
    if (!answer.done) return answer.value.trim();
    // The input has ended without an answer, and without a line break.
    if (question !== '') stderr.write('\n');
    signal.throwIfAborted();
    return undefined;
  };
  return {
    ask,
    confirm: async (question) => /^y(es)?$/i.test((await ask(`${question} [y/N] `)) ?? ''),
    close: () => opened?.reader.close(),
  };
};

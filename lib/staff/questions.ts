import { createInterface } from 'node:readline';
import type { CommandIo } from './command.ts';
import { StaffError } from './staff-error.ts';

/** Reads answers from the standard input, one line each. */
export interface Questions {
  /**
   * Asks on stderr.
   * @returns the answer; undefined at the end of the input
   * @throws what Ctrl-C aborts with
   */
  ask(question: string): Promise<string | undefined>;
  /** @throws {StaffError} unless a person at a terminal answers `y` or `yes` */
  agree(question: string): Promise<void>;
  close(): void;
}

export const openQuestions = ({ stdin, stderr, signal }: Pick<CommandIo, 'stdin' | 'stderr' | 'signal'>): Questions => {
  const open = () => {
    // As a terminal, readline would intercept Ctrl-C.
    const reader = createInterface({ input: stdin, terminal: false, signal });
    return { reader, lines: reader[Symbol.asyncIterator]() };
  };
  // Opened by the first question, since the input may be for another program.
  let opened: ReturnType<typeof open> | undefined;
  const ask = async (question: string) => {
    stderr.write(question);
    opened ??= open();
    const answer = await opened.lines.next();
    if (!answer.done) return answer.value.trim();
    if (question !== '') stderr.write('\n');
    signal.throwIfAborted();
    return undefined;
  };
  return {
    ask,
    agree: async (question) => {
      if (!stdin.isTTY)
        throw new StaffError('Nothing was changed: no terminal to confirm at. Add --yes to skip the question.');
      const answer = (await ask(`${question} [y/N] `)) ?? '';
      if (!/^y(es)?$/i.test(answer)) throw new StaffError('Nothing was changed.');
    },
    close: () => opened?.reader.close(),
  };
};

/** Asks one question. @throws {StaffError} unless a person at a terminal agrees */
export const agree = async (staff: Pick<CommandIo, 'stdin' | 'stderr' | 'signal'>, question: string): Promise<void> => {
  const questions = openQuestions(staff);
  await questions.agree(question).finally(questions.close);
};

import type { CommandIo } from './command.ts';
import { count, printable } from './text.ts';

const clearLine = '\r\u001b[K';

/** Prints a line on stderr while a progress line may be there. */
export const say = ({ stderr }: Pick<CommandIo, 'stderr'>, line: string): void => {
  stderr.write(`${stderr.isTTY ? clearLine : ''}${line}\n`);
};

/** Names an item that is left out, so that nothing is lost silently. */
export const sayUnreadable =
  (output: Pick<CommandIo, 'stderr'>, what: string) =>
  (id: string): void =>
    say(
      output,
      printable(`Left out the ${what} ${id}: its item cannot be read (docs/runbook.md, "unreadable-items").`),
    );

/** Shows on a terminal how far long work is, on a line of stderr that disappears at the end. */
export const withProgress = async <Result>(
  { stderr }: Pick<CommandIo, 'stderr'>,
  [noun, done]: readonly [noun: string, done: string],
  work: (report: (amount: number) => void) => Promise<Result>,
): Promise<Result> => {
  if (!stderr.isTTY) return work(() => {});
  try {
    return await work((amount) => stderr.write(`${clearLine}${count(amount, noun)} ${done}`));
  } finally {
    stderr.write(clearLine);
  }
};

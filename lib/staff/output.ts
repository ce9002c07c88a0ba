import { pipeline } from 'node:stream/promises';
import type { CommandIo } from './command.ts';
import { count, printable, printableJson } from './text.ts';

type Output = Pick<CommandIo, 'stdout'>;

/** Writes to stdout, no faster than the reader reads. */
export const print = ({ stdout }: Output, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> =>
  pipeline(chunks, stdout, { end: false });

export const printJson = (output: Output, value: object): Promise<void> => print(output, [`${printableJson(value)}\n`]);

/** Prints one JSON array, a line per item, page by page. */
export const printJsonList = (
  output: Output,
  pages: Iterable<readonly object[]> | AsyncIterable<readonly object[]>,
): Promise<void> => {
  const text = async function* () {
    let before = '[\n';
    for await (const page of pages) {
      if (page.length === 0) continue;
      yield `${before}${page.map(printableJson).join(',\n')}`;
      before = ',\n';
    }
    yield before === ',\n' ? '\n]\n' : '[]\n';
  };
  return print(output, text());
};

const clearLine = '\r\u001b[K';

/** Prints a line on stderr while a progress line may be there. */
export const say = ({ stderr }: Pick<CommandIo, 'stderr'>, line: string): void => {
  stderr.write(`${stderr.isTTY ? clearLine : ''}${line}\n`);
};

/** Names an unreadable item that is left out, so that nothing is lost silently. */
export const sayUnreadable =
  (output: Pick<CommandIo, 'stderr'>, what: string) =>
  (id: string): void =>
    say(output, printable(`Left out the ${what} ${id}: its item is unreadable, see docs/runbook.md#unreadable-items.`));

/** Shows the progress of long work on a line of stderr, if that is a terminal. The line disappears at the end. */
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

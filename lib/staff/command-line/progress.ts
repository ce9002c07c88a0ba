import type { Surroundings } from '../context.ts';
import { count } from './text.ts';

/** Takes away a line that shows how far work is. */
const clearLine = '\r\u001b[K';

/** Says something while long work may be showing how far it is. */
export const sayAmid = ({ stderr }: Pick<Surroundings, 'stderr'>, line: string): void => {
  stderr.write(`${stderr.isTTY ? clearLine : ''}${line}\n`);
};

/** Shows how far long work has come, on a line of stderr that goes away at its end, when stderr is a terminal. */
export const withProgress = async <Result>(
  { stderr }: Pick<Surroundings, 'stderr'>,
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

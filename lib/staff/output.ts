import { pipeline } from 'node:stream/promises';
import type { CommandIo } from './command.ts';
import { printableJson } from './text.ts';

type Output = Pick<CommandIo, 'stdout'>;

/** Writes to stdout, no faster than the reader reads. */
export const print = ({ stdout }: Output, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> =>
  pipeline(chunks, stdout, { end: false });

/** Prints one JSON object. */
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

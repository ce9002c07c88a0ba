import type { Surroundings } from '../context.ts';
import { print } from './output.ts';
import { printableJson } from './text.ts';

/** Prints what a program reads: one object. */
export const printJson = ({ stdout }: Pick<Surroundings, 'stdout'>, value: object): Promise<void> =>
  print({ stdout }, [`${printableJson(value)}\n`]);

/** Prints what a program reads: one array, an item a line, a page at a time. */
export const printJsonList = (
  { stdout }: Pick<Surroundings, 'stdout'>,
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
  return print({ stdout }, text());
};

import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printableJson } from '../../shared/terminal-text.ts';
import type { CommandIo } from './command-io.ts';
import type { TextTable } from './text-table.ts';
import type { Pages } from './write-each.ts';

/** One object, or the pages of a list. */
export type Json = Readonly<Record<string, unknown>> | Pages<object>;

export type Text = string | AsyncIterable<string> | TextTable;

/** Writes to stdout, no faster than the reader reads. */
const print = (stdout: Writable, chunks: Iterable<string> | AsyncIterable<string>): Promise<void> =>
  pipeline(chunks, stdout, { end: false });

/** One JSON array, a line per item. */
async function* arrayText(pages: Pages<object>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${before}${page.map(printableJson).join(',\n')}`;
    before = ',\n';
  }
  yield before === ',\n' ? '\n]\n' : '[]\n';
}

export const printJson = (stdout: Writable, json: Json): Promise<void> =>
  print(
    stdout,
    Symbol.iterator in json || Symbol.asyncIterator in json ? arrayText(json) : [`${printableJson(json)}\n`],
  );

export const printText = async (
  stdout: Writable,
  text: Text,
  terminal: Pick<CommandIo, 'columns' | 'isTerminal' | 'style'>,
): Promise<void> => {
  if (typeof text === 'string') return print(stdout, [text]);
  if (!('heads' in text)) return print(stdout, text);
  // This module loads a package that --help does not need.
  const { tableText } = await import('./text-table.ts');
  return print(stdout, tableText(text, terminal));
};

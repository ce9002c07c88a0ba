import { pipeline } from 'node:stream/promises';
import type { Staff } from '../context.ts';

/** Writes to stdout no faster than it is read. */
export const print = (
  { stdout }: Pick<Staff, 'stdout'>,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<void> => pipeline(chunks, stdout, { end: false });

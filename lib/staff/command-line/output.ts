import { pipeline } from 'node:stream/promises';
import type { Surroundings } from '../context.ts';

/** Writes to stdout no faster than it is read. */
export const print = (
  { stdout }: Pick<Surroundings, 'stdout'>,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<void> => pipeline(chunks, stdout, { end: false });

import { byValueWith, hasAddress } from './by-value.ts';
import { readerOf } from './dictionary.ts';

/** Reads other names than the exact ones. It has the words of every language, so find.ts loads it only for a form that needs it. */
export const readingOf = (names: readonly string[]) => {
  const reader = readerOf(names);
  return { meaningOf: reader.meaningOf, hasAddress, byValue: byValueWith(reader) };
};

import { fold, maxLength } from './spelling.ts';

/** Where a word of a name ends: at anything but letters and digits, before a capital (`yourName`), before and behind a number. */
const boundary = /[^\p{L}\p{N}\p{M}]+|(?<=[\p{Ll}\p{Lo}])(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** A name of more words is a sentence, and each of its parts would be looked up. */
const maxWords = 16;

/** The words of a name, without case and accents; none if it is too long. */
export const wordsIn = (name: string): readonly string[] => {
  if (name.length > maxLength) return [];
  const words = name
    .split(boundary)
    .map(fold)
    .filter((word) => word !== '');
  return words.length > maxWords ? [] : words;
};

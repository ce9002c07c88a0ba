/** Letters that Unicode does not take apart, and Arabic ones that people write for each other. */
export const letters: Readonly<Record<string, string>> = {
  '\u00df': 'ss',
  '\u00e6': 'ae',
  '\u0153': 'oe',
  '\u00f8': 'o',
  '\u0142': 'l',
  '\u0111': 'd',
  '\u00f0': 'd',
  '\u00fe': 'th',
  '\u0131': 'i',
  '\u03c2': '\u03c3',
  '\u0629': '\u0647',
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  '\u06a9': '\u0643',
};

/** Longer names are sentences. Normalising takes quadratic time. */
const maxLength = 100;

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\0-\x7f]/gu, (letter) => letters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The name without case, accents, blanks and punctuation; empty if it is too long. */
export const spell = (name: string): string => (name.length > maxLength ? '' : fold(name));

// Regular expressions with properties of Unicode stand in functions, where V8 reads them only when they are needed.
/** Splits a name where a word ends: at anything but letters and digits, before a capital (`yourName`), before and behind a number. */
const split = (name: string): string[] =>
  name.split(/[^\p{L}\p{N}\p{M}]+|(?<=[\p{Ll}\p{Lo}])(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u);

/** The words of a name, spelled the same way; none if it is too long. */
export const wordsIn = (name: string): readonly string[] =>
  name.length > maxLength
    ? []
    : split(name)
        .map(fold)
        .filter((word) => word !== '');

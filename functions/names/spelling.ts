/**
 * Letters that Unicode does not take apart, and Arabic ones that people write for each other. What this and `fold` cover, no
 * language lists: `sporgsmal` for `spørgsmål`. Where people write two letters for one, both are words: `spoergsmaal`.
 */
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

/** A text can have thousands of other letters, for each of which a replacement would be called. */
const ofLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/** Longer names are sentences. Normalising takes quadratic time. */
export const maxLength = 100;

/** V8 checks a literal while it reads the bundle, which would load Unicode's tables at each start. */
const noLetter = () => /[^\p{L}\p{N}]/gu;

/** Without case, accents, blanks and punctuation. */
export const fold = (text: string): string =>
  /[^\0-\x7f]/.test(text)
    ? text
        .normalize('NFKD')
        .toLowerCase()
        .replaceAll(ofLetters, (letter) => letters[letter] ?? letter)
        .replaceAll(noLetter(), '')
    : text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The name without case, accents, blanks and punctuation; empty if it is too long. */
export const spell = (name: string): string => (name.length > maxLength ? '' : fold(name));

// What reads other names than the exact ones. It has the words of every language, so find.ts loads it only for a form that needs it.
export { byValue, hasAddress } from './by-value.ts';
export { readerOf } from './dictionary.ts';

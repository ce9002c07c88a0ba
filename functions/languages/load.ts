import type { FieldName } from '../contacts/contact.ts';
import { dir, emails, pages, script, tag } from './en.ts';
import type { Language, PageTexts } from './language.ts';

/** English is there from the start. */
export const english: Language = { tag, dir, pages, emails, script };

/** The label of a field, in English if the language has none yet. */
export const labelOf = ({ labels }: PageTexts, field: FieldName): string => labels[field] ?? pages.labels[field];

/** Tags that mean one of the languages, too: Norwegian is Bokmål here. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
]);

/**
 * Loads the first language that exists here; English if there is none. The other languages are files of their own beside a
 * function's bundle, so that they cost a function nothing that does not need them.
 * @param preferred tags in lower case, without regions
 */
export const loadLanguage = async (preferred: readonly string[]): Promise<Language> => {
  const [first = english.tag] = preferred;
  if (first === english.tag) return english;
  const { languages } = await import('./languages.ts');
  const rows = new Map(Object.entries(languages));
  const row = preferred.map((each) => rows.get(aliases.get(each) ?? each)).find((each) => each !== undefined);
  return row ? row.load() : english;
};

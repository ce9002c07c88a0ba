import { acceptedRanges } from '../http/accept.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Language } from './language.ts';

/** The languages; the first is the default. To add one, add its file and its name here. */
export const languages = [en, de, fr, es] as const satisfies readonly [Language, ...Language[]];

export const languageTags = languages.map(({ tag }) => tag);

type LanguageTag = (typeof languageTags)[number];

const byTag = new Map<string | undefined, Language>(languages.map((language) => [language.tag, language]));

/**
 * The site's language. For an unknown site, the first accepted language that exists, whatever its region (RFC 9110, section
 * 12.5.4).
 * @param acceptLanguage the header
 */
export const chooseLanguage = (ofSite: LanguageTag | undefined, acceptLanguage: string | undefined): Language => {
  const known = byTag.get(ofSite);
  if (known) return known;
  const accepted = [...acceptedRanges(acceptLanguage)]
    .filter(([, quality]) => quality > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([range]) => range.split('-')[0]);
  return accepted.map((tag) => byTag.get(tag)).find((language) => language !== undefined) ?? languages[0];
};

import type { Language } from '../languages/language.ts';

/** The locale of readable times and numbers. English without a region would be American, and some languages have a calendar of their own. */
export const localeOf = ({ tag }: Pick<Language, 'tag'>): string =>
  `${tag === 'en' ? 'en-GB' : tag}-u-ca-gregory-nu-latn`;

/** A readable time, to the second. It has nothing that HTML escapes. @param time RFC 3339, UTC, milliseconds */
export const formatTime = (time: string, language: Pick<Language, 'tag'>): string => {
  const format = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(localeOf(language), format).format(new Date(time))} UTC`;
};

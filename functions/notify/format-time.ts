import type { Language } from '../languages/language.ts';

/** A readable time, to the second. It has nothing that HTML escapes. @param time RFC 3339, UTC, milliseconds */
export const formatTime = (time: string, { tag }: Pick<Language, 'tag'>): string => {
  const format = { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' } as const;
  // English without a region would be American, and some languages have a calendar of their own.
  const locale = `${tag === 'en' ? 'en-GB' : tag}-u-ca-gregory-nu-latn`;
  return `${new Intl.DateTimeFormat(locale, format).format(new Date(time))} UTC`;
};

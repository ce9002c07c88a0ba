import { type LanguageTag, languages } from './languages.ts';

// STUB until the languages have their own words.
const english = {
  subject: 'We have received your message',
  text: 'Thank you. Your message to {site} arrived on {time}.\n\nReference: {reference}',
};

/** The built-in words of confirmations, by language. */
export const confirmations = Object.fromEntries(Object.keys(languages).map((tag) => [tag, english])) as Record<
  LanguageTag,
  typeof english
>;

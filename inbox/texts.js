// What the page says, in the reader's language: one file for each in languages/.

import { recall, remember } from './memory.js';

/** Each has a file in languages/. */
const tags = ['en', 'de', 'es', 'fr', 'he', 'it', 'nl', 'pl', 'pt'];

/** The name that its speakers give it, as it stands alone. */
const nameOf = (tag) => capitalise(new Intl.DisplayNames(tag, { type: 'language' }).of(tag), tag);

/** The languages' names, by their tags. */
export const languages = Object.fromEntries(tags.map((tag) => [tag, nameOf(tag)]));

const wanted = [recall('language'), ...navigator.languages.map((each) => each.split('-')[0])];

export const language = wanted.find((each) => tags.includes(each)) ?? 'en';

/** The language, in the reader's variant such as en-GB, for numbers and dates. */
export const locale = navigator.languages.find((each) => each.split('-')[0] === language) ?? language;

const { default: texts } = await import(`./languages/${language}.js`);

const number = new Intl.NumberFormat(locale);
const plural = new Intl.PluralRules(locale);

/**
 * A text with its values. One that depends on `count` has an entry for each form of the plural. With `isAtLeast`, the count has
 * a plus sign: more is not loaded yet.
 */
export function say(key, values = {}) {
  const { count, isAtLeast } = values;
  const text = typeof texts[key] === 'string' ? texts[key] : (texts[key][plural.select(count)] ?? texts[key].other);
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === 'number' ? sayNumber(value, name === 'count' && isAtLeast) : value;
  });
}

export const sayNumber = (value, isAtLeast = false) => `${number.format(value)}${isAtLeast ? '+' : ''}`;

/** As at the beginning of a line. */
export function capitalise(text, tag = locale) {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(tag));
}

/** Writes the texts of index.html, whose elements name them. */
export function writeTexts() {
  document.documentElement.lang = language;
  document.documentElement.dir = texts.direction;
  for (const found of document.querySelectorAll('[data-text]')) found.textContent = say(found.dataset.text);
  for (const found of document.querySelectorAll('[data-label]')) found.ariaLabel = say(found.dataset.label);
  for (const found of document.querySelectorAll('[data-title]')) found.title = say(found.dataset.title);
  for (const found of document.querySelectorAll('[data-placeholder]'))
    found.placeholder = say(found.dataset.placeholder);
}

/** Takes effect when the page is loaded again. */
export function chooseLanguage(chosen) {
  remember('language', chosen);
}

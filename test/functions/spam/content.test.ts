import { expect, it } from 'vitest';
import type { ContactFields } from '../../../functions/contacts/contact.ts';
import { cleanText } from '../../../functions/shared/text.ts';
import { type ContentSettings, contentMarks, wordsOf } from '../../../functions/spam/content.ts';

const marks = (reason: keyof ReturnType<typeof contentMarks>, settings: ContentSettings, fields: ContactFields) =>
  contentMarks(settings)[reason]?.({ fields });

/** How many links a text has: the largest setting that marks it, and one. */
const linksIn = (...texts: readonly string[]): number => {
  const extra = { texts };
  return Array.from({ length: 20 }, (_, at) => at).filter((links) => marks('links', { links }, { extra })).length;
};

it.each([
  // As people write them.
  ['http://a.example', 1],
  ['See https://a.example/b?c=d and www.b.example.', 2],
  ['https://www.a.example', 1],
  ['HTTPS://A.EXAMPLE Www.B.example', 2],
  ['(https://a.example),https://b.example;www.c.example', 3],
  // In HTML and in forums.
  ['<a href="https://a.example">https://a.example</a>', 1],
  ['<a href="https://a.example">cheap</a> <a\nhref=b.example>cheap</a>', 2],
  ['<A HREF=http://a.example>\n http://a.example</A>', 1],
  ['&lt;a href=&quot;http://a.example&quot;&gt;', 1],
  ['&amp;lt;a href=b.example&amp;gt; &#60;a href=b&#62; &#x3C;a href=b&#x3e;', 3],
  ['[url=https://a.example]cheap[/url] [URL]https://b.example[/URL]', 2],
  ['[url="https://a.example"]https://a.example[/url]', 1],
  ['[link=https://a.example]cheap[/link]', 1],
  ['[url=a.example]cheap[/url]', 1],
  ['href="https://a.example"', 1],
  // As spammers hide them.
  ['hxxp://a.example hXXps://b.example', 2],
  ['hxxps[:]//a[.]example www[.]b.example', 2],
  ['h\u200bttp://a.example w\u00adww.b.example', 2],
  ['\u04bb\u0442\u0442\u0440://a.example', 1],
  ['\uff48\uff54\uff54\uff50\uff1a\uff0f\uff0fa.example', 1],
  ['\u{1d5b5}http://a.example', 1],
  ['http://a.examplehttp://b.example', 2],
  ['<a http://a.example http://b.example http://c.example', 3],
  ['[url=http://a.example http://b.example', 2],
  // No links.
  ['a.example/b, Node.js, contact@a.example, 1.2.3, e.g. this', 0],
  ['http://', 0],
  ['aww... and www. Awww.so sweet', 0],
  ['[link to our page], [1], a < b, <br>, an <article>, href', 0],
])('counts the links of %j: %d', (text, count) => {
  expect(linksIn(text)).toBe(count);
});

it('counts the links of all texts together, and marks more than the setting', () => {
  const link = 'https://a.example';
  const fields = { message: link, company: link, extra: { website: link, others: [link, link], [link]: 'x' } };
  expect(marks('links', { links: 4 }, fields)).toBe(true);
  expect(marks('links', { links: 5 }, fields)).toBe(false);
  expect(marks('links', { links: 0 }, { message: 'no link' })).toBe(false);
});

it.each([
  ['casino', 'The best Casino!', true],
  ['casino', 'casino', true],
  ['casino', 'online-casino.example', true],
  ['casino', 'casinos, occasionally, casino2', false],
  ['CASINO', 'c\u0430sin\u043e', true],
  ['casino', '\u0421\u0410SIN\u039f', true],
  ['casino', '\uff43\uff41\uff53\uff49\uff4e\uff4f', true],
  ['casino', '\u{1d484}\u{1d482}\u{1d494}\u{1d48a}\u{1d48f}\u{1d490}', true],
  ['casino', 'ca\u200bsi\u00adno\ufeff', true],
  ['casino', 'c\u0301a\u0308si\u0303no', true],
  ['casino', '\u24d2\u24d0\u24e2\u24d8\u24dd\u24de', true],
  ['casin\u00f2', 'casino', true],
  ['make money', 'MAKE \n\t money', true],
  ['make money', 'make-money now', true],
  ['make money', 'make no money', false],
  ['make money', 'money make', false],
  ['make money fast', 'make money', false],
  ['Stra\u00dfe', 'STRASSE', true],
  ['gl\u00fccksspiel', 'GLU\u0308CKSSPIEL', true],
  ['\u0141\u00f3d\u017a', 'lodz', true],
  // In Cyrillic and Greek: with their own letters.
  [
    '\u043a\u0430\u0437\u0438\u043d\u043e',
    '\u041b\u0443\u0447\u0448\u0435\u0435 \u041a\u0410\u0417\u0418\u041d\u041e!',
    true,
  ],
  ['\u043a\u0430\u0437\u0438\u043d\u043e', '\u043a\u0430\u0437\u0438', false],
  ['\u03ba\u03b1\u03b6\u03af\u03bd\u03bf', '\u039a\u0391\u0396\u0399\u039d\u039f', true],
  // Words that people write without blanks.
  ['\u8d4c\u535a', '\u6211\u4eec\u7684\u8d4c\u535a\u7f51\u7ad9', true],
  ['\u8d4c\u535a', '\u8d4c\u6211\u535a', false],
  ['\u30ab\u30b8\u30ce', '\u30aa\u30f3\u30e9\u30a4\u30f3\uff76\uff7c\uff9e\uff89\u3067', true],
  ['\u30ab\u30b8\u30ce', '\u30ab\u30b7\u30ce', false],
  ['\uce74\uc9c0\ub178', '\uc628\ub77c\uc778\uce74\uc9c0\ub178\ub97c', true],
  ['\uce74\uc9c0\ub178', '\uce74\uc9c0\ub17c', false],
  [
    '\u0e04\u0e32\u0e2a\u0e34\u0e42\u0e19',
    '\u0e40\u0e25\u0e48\u0e19\u0e04\u0e32\u0e2a\u0e34\u0e42\u0e19\u0e2d\u0e2d\u0e19\u0e44\u0e25\u0e19\u0e4c',
    true,
  ],
  // Arabic without its vowel points, and Hindi, whose signs are letters.
  ['\u0642\u0645\u0627\u0631', '\u0642\u0650\u0645\u064e\u0627\u0631', true],
  ['\u0926\u0935\u093e', '\u0926\u0935', false],
])('finds the word %j in %j: %s', (word, text, isFound) => {
  const words = ['something else', word, `${word} and more`];
  expect(marks('words', { words }, { message: text })).toBe(isFound);
});

// Normalising takes quadratic time for them.
it.each(['\u0730\u0731', `${'\u0730\u0731'.repeat(10)}\u200b`])('leaves no long row of marks of %j', (unit) => {
  const words = wordsOf(cleanText(unit.repeat(100)));
  expect(words.join('')).not.toMatch(/(?:(?!\u034f)\p{M}){31}/u);
});

it('finds words in every text, but no phrase that two texts make, and no name of a field', () => {
  const words = ['make money'];
  expect(marks('words', { words }, { extra: { notes: ['x', 'make money'] } })).toBe(true);
  expect(marks('words', { words }, { firstName: 'make', lastName: 'money', extra: { a: ['make', 'money'] } })).toBe(
    false,
  );
  expect(marks('words', { words }, { extra: { 'make money': 'no' } })).toBe(false);
});

it.each([
  ['bad@example.org', true],
  ['Bad@Example.ORG', true],
  ['good@example.org', false],
  ['anyone@example.com', true],
  ['anyone@mail.shop.example.com', true],
  ['anyone@notexample.com', false],
  ['anyone@example.com.example.org', false],
  ['anyone@mail.xn--bse-sna.example', true],
  [undefined, false],
])('marks the sender %s: %s', (email, isMarked) => {
  const senders = ['@example.com', 'bad@example.org', '@xn--bse-sna.example'];
  expect(marks('sender', { senders }, email === undefined ? {} : { email })).toBe(isMarked);
});

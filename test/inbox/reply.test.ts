import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Contact } from '../../functions/contacts/contact.ts';
import { replyTo } from '../../inbox/reply.js';

const contact = {
  id: 'b0a4a9c6-7a0a-4b0e-9a51-0d6f0e3a1c52',
  createdAt: '2001-04-01T12:00:00.000Z',
  email: 'grace@example.com',
  firstName: 'Grace',
} as const satisfies Contact;

/** The subject and the body of a reply, with LF between its lines. */
const replyOf = (fields: Partial<Contact>, locale = 'en-GB') => {
  const { searchParams } = new URL(replyTo({ ...contact, ...fields }, locale));
  return { subject: searchParams.get('subject'), body: searchParams.get('body')?.replaceAll('\r\n', '\n') };
};

/** How a quote begins in each language. */
const wrote = {
  en: /^\n\nOn 1 April 2001 .*, Grace wrote:\n> /,
  de: /^\n\nAm 1\. April 2001 .* schrieb Grace:\n> /,
  es: /^\n\nEl 1 de abril de 2001.*, Grace escribió:\n> /,
  fr: /^\n\nLe 1 avril 2001 .*, Grace a écrit :\n> /,
  he: /^\n\nבתאריך 1 באפריל 2001 .*, Grace כתב\/ה:\n> /,
  it: /^\n\nIl 1 aprile 2001 .*, Grace ha scritto:\n> /,
  nl: /^\n\nOp 1 april 2001 .* schreef Grace:\n> /,
  pl: /^\n\n1 kwietnia 2001 .*, Grace napisał\(a\):\n> /,
  pt: /^\n\nEm 1 de abril de 2001 .*, Grace escreveu:\n> /,
} as const;

test.for<[language: keyof typeof wrote, message: string]>([
  ['en', 'Could you send me an offer for twelve chairs?'],
  ['en', 'do you ship to Norway'],
  ['de', 'Guten Tag,\nhaben Sie am Mittwoch noch einen Termin?'],
  ['de', 'hallo, ich brauche ein angebot'],
  ['es', 'Hola, quisiera reservar una mesa para cuatro personas.'],
  ['fr', 'Bonjour, je voudrais réserver une table pour samedi.'],
  ['he', 'שלום, אפשר לקבל הצעת מחיר?'],
  ['it', 'Buongiorno, vorrei prenotare un tavolo per quattro persone.'],
  ['nl', 'Hallo, ik wil graag een offerte voor twaalf stoelen.'],
  ['pl', 'Dzień dobry, czy jest wolny termin w środę?'],
  ['pt', 'Olá, gostaria de reservar uma mesa para sábado.'],
])('quotes a message in its language (%s): %s', ([language, message]) => {
  expect(replyOf({ message }, language === 'en' ? 'en-GB' : 'en').body).toMatch(wrote[language]);
});

const german = 'Haben Sie noch einen Termin für mich?';

test.for<[why: string, fields: Partial<Contact>, language: keyof typeof wrote]>([
  ['a hidden field tells', { message: german, extra: { lang: 'fr' } }, 'fr'],
  ['with a variant', { message: german, extra: { Locale: 'pt_BR' } }, 'pt'],
  ['a field asks for something else', { message: german, extra: { language: 'Polish' } }, 'de'],
  ['the page has no such language', { message: german, extra: { _language: 'ja' } }, 'de'],
  ['a field has such a name by chance', { message: german, extra: { lang: 'constructor' } }, 'de'],
  ['only the subject is long enough', { message: 'Danke!', extra: { subject: german } }, 'de'],
  ['two languages fit', { message: 'Para que?' }, 'en'],
  ['there is one word', { message: 'Bonjour' }, 'en'],
  ['no language of the page fits', { message: 'Здравствуйте, когда вы открыты?' }, 'en'],
])('chooses the language where %s', ([, fields, language]) => {
  expect(replyOf(fields).body).toMatch(wrote[language]);
});

test('falls back to the language and the variant of the page', () => {
  expect(replyOf({ message: '?' }, 'de-AT').body).toMatch(wrote.de);
  expect(replyOf({ message: '?' }, 'en-US').body).toContain('On April 1, 2001 at ');
});

test('knows every language of the page', () => {
  const tags = readdirSync('inbox/languages').map((file) => file.replace('.js', ''));
  const subjects = tags.map((tag) => replyOf({}, tag).subject);
  expect(new Set(subjects).size).toBe(tags.length);
});

test('quotes every line, and nothing where there is no message', () => {
  expect(replyOf({ message: 'Tea & cake?\nAt 5 o’clock: 100 %' }).body).toMatch(
    /wrote:\n> Tea & cake\?\n> At 5 o’clock: 100 %$/,
  );
  expect(replyTo(contact, 'de')).toBe('mailto:grace@example.com?subject=Re%3A%20Ihre%20Nachricht');
});

test.for<[subject: string, expected: string]>([
  ['An order', 'Re: An order'],
  ['Re: An order', 'Re: An order'],
  ['RE : re:An\norder', 'Re: An order'],
  ['Re:', 'Re: Your message'],
  ['Regarding: tea', 'Re: Regarding: tea'],
])('writes Re: once before the subject %j', ([subject, expected]) => {
  expect(replyOf({ extra: { subject } }).subject).toBe(expected);
});

test.for<[what: string, fields: Partial<Contact>]>([
  ['letters', { message: 'x'.repeat(5_000) }],
  ['line breaks', { message: 'a\n'.repeat(2_500) }],
  ['emoji', { message: '😀'.repeat(5_000) }],
  ['families', { message: '👩‍👩‍👧‍👦'.repeat(700) }],
  [
    'every field',
    {
      message: 'Ж'.repeat(5_000),
      email: `${"'".repeat(240)}@example.com`,
      extra: { name: '😀'.repeat(1_000), _subject: '😀'.repeat(1_000) },
    },
  ],
])('is a link that Windows passes on, with %s', ([, fields]) => {
  const href = replyTo({ ...contact, ...fields }, 'pl');
  expect(href.length).toBeLessThan(2_000);
  expect(href.length).toBeGreaterThan(1_500);
  expect(decodeURIComponent(href)).toMatch(/[^\ufffd] \[…\]$/u);
});

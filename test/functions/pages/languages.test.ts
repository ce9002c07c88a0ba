import { describe, expect, it } from 'vitest';
import { languages } from '../../../functions/languages/languages.ts';
import { sitesByOrigin } from '../../../functions/pages/sites.ts';
import { escapeHtml } from '../../../functions/shared/text.ts';
import { germanSite, minimal, siteOrigin, startForms } from '../../support/contacts.ts';

const site = { origin: siteOrigin, language: 'en' };

const page = { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' };

const tooLong = { ...minimal, company: 'a'.repeat(201), firstName: 'a'.repeat(201) };

/** All languages, with their texts. */
const loaded = await Promise.all(Object.values(languages).map(({ load }) => load()));

/** The text of a page, without markup. */
const textOf = (html: string) =>
  html
    .replace(/^[\s\S]*<main>/, '')
    .replaceAll(/(\s*<[^>]*>\s*)+/g, '\n')
    .trim();

/** The message for fields that are too long, as JSON and as a page. */
const refuse = async (headers: Readonly<Record<string, string>>): Promise<{ message: string; html: string }> => {
  const { create, post } = startForms();
  const { text } = await post(tooLong, headers);
  const body = new URLSearchParams(tooLong).toString();
  const { text: html } = await create({ headers: { ...page, ...headers }, body });
  return { message: JSON.parse(text).details[0].message, html };
};

describe('a visitor reads what is wrong', () => {
  it.each(loaded)('in $tag, if they accept it first and the site is unknown', async ({ tag, dir, pages }) => {
    const { message, html } = await refuse({ 'Accept-Language': `xx, ${tag}-XX;q=0.9, en;q=0.1` });
    expect(message).toBe(pages.errors.too_long.replace('{limit}', '200'));
    expect(html).toContain(`<html lang="${tag}" dir="${dir}">`);
    const { title, correct, goBack } = pages.refusal;
    const { company, firstName } = pages.labels;
    const lines = [title, correct, company, message, firstName, message.replace('200', '100'), goBack];
    expect(textOf(html)).toBe(lines.map(escapeHtml).join('\n'));
  });

  it.each([
    ['de-CH', 'de'],
    ['xx,fr;q=0.3,es;q=0.8', 'es'],
    ['de;q=0, fr', 'fr'],
    ['DE', 'de'],
    ['nn-NO', 'nb'],
    ['xx', 'en'],
    ['*', 'en'],
    ['', 'en'],
  ])('with the Accept-Language %j in %s', async (header, tag) => {
    expect((await refuse({ 'Accept-Language': header })).html).toContain(`<html lang="${tag}"`);
  });

  it('in the language of the site, whatever Accept-Language says', async () => {
    expect((await refuse({ Origin: germanSite.origin, 'Accept-Language': 'fr' })).html).toContain('<html lang="de"');
    expect((await refuse({ Origin: siteOrigin, 'Accept-Language': 'fr' })).html).toContain('<html lang="en"');
  });

  it.each([
    ['of the only site, whose page hides its origin', [germanSite], { Origin: 'null', 'Accept-Language': 'fr' }, 'de'],
    [
      'that they accept, before that of the only site, without an origin',
      [germanSite],
      { 'Accept-Language': 'fr' },
      'fr',
    ],
    ['of the only site, if they accept none that exists', [germanSite], { 'Accept-Language': '*' }, 'de'],
    [
      'that they accept, if there are several sites',
      [germanSite, site],
      { Origin: 'null', 'Accept-Language': 'fr' },
      'fr',
    ],
  ])('in the language %s', async (_, sites, headers, tag) => {
    const { create } = startForms({ sites: sitesByOrigin(sites) });
    const body = new URLSearchParams(tooLong).toString();
    expect((await create({ headers: { ...page, ...headers }, body })).text).toContain(`<html lang="${tag}"`);
  });

  it('in a language that they accept, if their site is refused', async () => {
    const headers = { ...page, Origin: 'https://foreign.example.net', 'Accept-Language': 'es' };
    const { status, text } = await startForms().create({ headers, body: '' });
    expect(status).toBe(403);
    expect(textOf(text)).toMatch(/^[^\n]+\nNo se pueden enviar mensajes [^\n]+$/);
  });
});

it('thanks a visitor in the language of the site', async () => {
  const { create } = startForms();
  const headers = { ...page, Origin: germanSite.origin, Referer: `${germanSite.origin}/kontakt` };
  const { status, text } = await create({ headers, body: new URLSearchParams(minimal).toString() });
  expect(status).toBe(201);
  expect(text).toContain('<html lang="de" dir="ltr">');
  expect(textOf(text)).toBe('Vielen Dank\nWir haben Ihre Nachricht erhalten.\nZurück zu www.example.de');
  expect(text).toContain(`href="${headers.Referer}"`);
  const { text: withoutSite } = await create({ headers: page, body: new URLSearchParams(minimal).toString() });
  expect(textOf(withoutSite)).toBe('Thank you\nWe have received your message.');
});

describe('a page of errors names', () => {
  const namesIn = async (fields: Readonly<Record<string, string>>, origin: string | undefined = siteOrigin) => {
    const headers = { ...page, ...(origin !== '' && { Origin: origin }) };
    const { text } = await startForms().create({ headers, body: new URLSearchParams(fields).toString() });
    return [...text.matchAll(/<dt dir="auto">([^<]+)<\/dt>/g)].map(([, name]) => name);
  };

  it('a field of a contact request by its label, and by what the form calls it', async () => {
    expect(await namesIn({ 'your-email': 'ada@' })).toEqual(['Email address (your-email)']);
  });

  it('a field named body by its name, and the whole body in words', async () => {
    expect(await namesIn({ ...minimal, body: 'x'.repeat(5001) })).toEqual(['body']);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, 'x']));
    expect(await namesIn({ ...minimal, ...many })).toEqual(['Form']);
  });

  const longNames = Array.from({ length: 50 }, (_, at) => `${at} ${'Call this number now! '.repeat(8)}`);
  const tooLong = Object.fromEntries(longNames.map((name) => [name, 'x'.repeat(5001)]));

  it('ten fields, with 64 characters of what the form calls them', async () => {
    const names = await namesIn({
      ...minimal,
      'your-email': 'ada@',
      ...Object.fromEntries(Object.entries(tooLong).slice(0, 10)),
    });
    expect(names).toEqual(longNames.slice(0, 10).map((name) => `${name.slice(0, 63)}…`));
  });

  it.each(['', 'null'])('no field as a page calls it that may be foreign: Origin %j', async (origin) => {
    const sent = { ...Object.fromEntries(Object.entries(tooLong).slice(0, 10)), 'e-mail: call this number': 'ada@' };
    expect(await namesIn(sent, origin)).toEqual(['Email address', 'Form']);
  });
});

import { expect, it } from 'vitest';
import { idsIn, siteOrigin, startContacts } from '../../support/contacts.ts';

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const post = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: html, ...headers },
});

const form = 'email=ada%40example.com&message=Hello';

it('stores a double click of a plain form once, and answers both with the same page', async () => {
  const contacts = await startContacts();
  const [first, second] = await Promise.all([contacts.create(post(form)), contacts.create(post(form))]);
  expect(first.status).toBe(201);
  expect(first.headers['Content-Type']).toBe('text/html; charset=utf-8');
  expect(second).toStrictEqual(first);
  expect(idsIn(await contacts.list())).toHaveLength(1);
});

it.each([
  ['another text', post('email=ada%40example.com&message=Hello%20again')],
  ['a filled trap', post(`${form}&website=x`)],
  ['JSON in answer', post(form, { Accept: '*/*' })],
])('stores what differs from it by %s', async (_, other) => {
  const contacts = await startContacts();
  await contacts.create(post(form));
  await contacts.create(other);
  const [list, spam] = [await contacts.list(), await contacts.list({ query: [['spam', 'true']] })];
  expect([...idsIn(list), ...idsIn(spam)]).toHaveLength(2);
});

it('stores the same text of a later minute again', async () => {
  let now = new Date('2026-03-01T12:00:59.999Z');
  const contacts = await startContacts(() => now);
  await contacts.create(post(form));
  now = new Date('2026-03-01T12:01:00.000Z');
  await contacts.create(post(form));
  expect(idsIn(await contacts.list())).toHaveLength(2);
});

it('names each field at fault in a page with the status, and quotes nothing of the visitor', async () => {
  const contacts = await startContacts();
  const answer = await contacts.create(
    post('email=%3Cscript%3E&company=%3Cb%3E%0A', { Origin: siteOrigin, Referer: `${siteOrigin}/contact?a=1&b=2` }),
  );
  expect(answer.status).toBe(400);
  expect(answer.headers['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(answer.text).toContain('<dt>Email address</dt>');
  expect(answer.text).toContain('<dt>Message</dt>');
  expect(answer.text).toContain(`href="${siteOrigin}/contact?a=1&amp;b=2"`);
  expect(answer.text).not.toMatch(/<script|<b>/);
});

it('leads back to no address but that of a site', async () => {
  const contacts = await startContacts();
  const answer = await contacts.create(post('', { Referer: 'https://evil.example/' }));
  expect(answer.text).not.toContain('href');
});

it('tells a foreign page no more than that it is refused', async () => {
  const contacts = await startContacts();
  const answer = await contacts.create(post(form, { Origin: 'https://evil.example' }));
  expect(answer.status).toBe(403);
  expect(answer.headers).not.toHaveProperty('Access-Control-Allow-Origin');
  expect(answer.text).toContain('not allowed');
  expect(idsIn(await contacts.list())).toStrictEqual([]);
});

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { collectPosts, fill, send, storedBy } from './form-page.ts';
import { test, type Visit } from './visitor.ts';

const service = inject('service');

const parameters = 'utm_source=newsletter&utm_medium=email&utm_campaign=spring%20sale';

/** Sends the form of the page. @returns the fields of the campaign that it sent */
const sendForm = async (page: Page) => {
  const posts = collectPosts(page);
  await fill(page, randomUUID());
  await send(page);
  return Object.fromEntries(Object.entries(posts.at(-1) ?? {}).filter(([name]) => /utm|campaign/i.test(name)));
};

/** @param fields HTML to add to the form */
const visitAndSend = async (visit: Visit, path: string, fields = '') => {
  const page = await visit(service, path);
  await page.locator('form').evaluate((form, html) => form.insertAdjacentHTML('beforeend', html), fields);
  return sendForm(page);
};

test("a campaign's page sends what its link says, and the service stores the campaign", async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'index.html');
  await page.getByRole('link', { name: 'Campaign' }).click();
  await page.getByRole('heading', { name: 'Spring sale' }).waitFor();
  await fill(page, text);
  await send(page);
  expect(await storedBy(service, text)).toMatchObject([
    { campaign: 'spring-sale', extra: { utm_source: 'example-site', utm_medium: 'link' } },
  ]);
});

test('a form sends only source, medium and campaign, also as JSON, and leaves nothing in the browser', async ({
  visit,
}) => {
  const page = await visit(service, `spring-sale.html?${parameters}&utm_term=chairs&gclid=1`);
  await page.locator('form').evaluate((form) => form.setAttribute('data-send', 'json'));
  expect(await sendForm(page)).toEqual({
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'spring sale',
  });
  expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

test('a form without data-utm sends nothing of the URL', async ({ visit }) => {
  expect(await visitAndSend(visit, `index.html?${parameters}`)).toEqual({});
});

test('what the form says itself counts, and a blank field of the form does not', async ({ visit }) => {
  const fields = '<input name="utm_campaign" value="Autumn"><input name="utm_source" value=" ">';
  const sent = await visitAndSend(visit, `spring-sale.html?${parameters}`, fields);
  expect(sent).toEqual({ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'Autumn' });
});

test('what the service could refuse is not sent: the visitor could not correct it', async ({ visit }) => {
  const wrong = `utm_source=${'x'.repeat(201)}&utm_medium=a%00b&utm_campaign=`;
  expect(await visitAndSend(visit, `spring-sale.html?${wrong}`)).toEqual({});
});

test('a router that changes the URL loses nothing, and its own parameters count first', async ({ visit }) => {
  const page = await visit(service, `spring-sale.html?${parameters}`);
  await page.evaluate("history.pushState(null, '', '/contact')");
  expect(await sendForm(page)).toMatchObject({ utm_source: 'newsletter', utm_campaign: 'spring sale' });
  await page.evaluate("history.pushState(null, '', '/contact?utm_campaign=banner')");
  expect(await sendForm(page)).toMatchObject({ utm_source: 'newsletter', utm_campaign: 'banner' });
});

test('the script of docs/forms.md passes the parameters on to the next page of the site', async ({ visit }) => {
  const documented = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'forms.md'), 'utf8');
  const [, script = ''] = /^```js\n(for \(const link of .*?)^```$/ms.exec(documented) ?? [];
  const page = await visit(service, `thank-you.html?${parameters}&gclid=1`);
  await page.locator('main').evaluate((main) => {
    main.insertAdjacentHTML('beforeend', '<a href="spring-sale.html?a=b#form">Next</a>');
    main.insertAdjacentHTML('beforeend', '<a href="https://other.example/">Other site</a>');
    main.insertAdjacentHTML('beforeend', '<a href="mailto:ada@example.com">Email</a>');
    main.insertAdjacentHTML('beforeend', '<a href="#end">End</a>');
  });
  await page.evaluate(script);
  const hrefOf = (name: string) => page.getByRole('link', { name }).getAttribute('href');
  expect([await hrefOf('Other site'), await hrefOf('Email')]).toEqual([
    'https://other.example/',
    'mailto:ada@example.com',
  ]);
  const url = page.url();
  await page.getByRole('link', { name: 'End' }).click();
  expect(page.url()).toBe(`${url}#end`);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'Spring sale' }).waitFor();
  expect(page.url()).toContain('/spring-sale.html?a=b&utm_source=newsletter&');
  expect(page.url()).not.toContain('gclid');
  expect(await sendForm(page)).toEqual({
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'spring sale',
  });
});

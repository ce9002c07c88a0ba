import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { countPosts, fill, send, storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

const button = (page: Page) => page.getByRole('button', { name: 'Send' });

test.for(['form', 'main', 'body'])(
  "contact-form.js leaves a form alone if a listener of the page's own on <%s> prevents its submission",
  async (element, { visit }) => {
    const page = await visit(service, 'index.html');
    const sent = countPosts(page);
    await page.locator(element).evaluate((target) => {
      target.addEventListener('submit', (event: { preventDefault(): void; target: { title: string } }) => {
        event.preventDefault();
        event.target.title = 'Handled';
      });
    });
    await fill(page, randomUUID());
    await button(page).click();
    await page.locator('form[title=Handled]').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(sent()).toBe(0);
  },
);

test('contact-form.js leaves a button with an address of its own alone', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  const sent = countPosts(page);
  await button(page).evaluate((element) => {
    element.formAction = 'thank-you.html';
    element.formMethod = 'get';
  });
  await fill(page, randomUUID());
  await button(page).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(sent()).toBe(0);
});

/** Ways to load the script on a page whose head loads it as a module. */
const loadings = {
  'as two modules': [{ url: 'contact-form.js?again', type: 'module' }],
  'as a module and without': [{ url: 'contact-form.js' }],
  'as a module, and twice without': [{ url: 'contact-form.js' }, { url: 'contact-form.js' }],
};

test.for(Object.entries(loadings))(
  'a form is sent once if its page loads contact-form.js %s',
  async ([, tags], { visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    for (const tag of tags) await page.addScriptTag(tag);
    const sent = countPosts(page);
    await fill(page, text);
    await send(page);
    expect(await page.getByRole('status').count()).toBe(1);
    expect(sent()).toBe(1);
    expect(await storedBy(service, text)).toHaveLength(1);
  },
);

test('contact-form.js works in the head, without being a module', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'script-in-head.html');
  await fill(page, text);
  await send(page);
  expect(await storedBy(service, text)).toHaveLength(1);
});

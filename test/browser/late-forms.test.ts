import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { collectPosts, countPosts, fill, send, storedBy } from './form-page.ts';
import { proofBits } from './service.ts';
import { test } from './visitor.ts';

const service = inject('service');
const guarded = inject('guarded');

/** Takes the form out of the page. @returns what puts a copy of it into the page, as scripts do */
const takeForm = async (page: Page) => {
  const html = await page.locator('form').evaluate((form) => {
    form.remove();
    return form.outerHTML;
  });
  return (change: (form: string) => string = (form) => form) =>
    page.locator('main').evaluate((main, form) => main.insertAdjacentHTML('beforeend', form), change(html));
};

test('a form that a script inserts is sent without leaving the page', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'index.html');
  const insertForm = await takeForm(page);
  await insertForm();
  const url = page.url();
  await fill(page, text);
  await send(page);
  expect(page.url()).toBe(url);
  expect(await storedBy(service, text)).toHaveLength(1);
});

test('a form that a script inserts sends a proof of work that the service accepts', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(guarded, 'index.html');
  const insertForm = await takeForm(page);
  await insertForm((form) => form.replace('<form ', `<form data-proof="${proofBits}" `));
  const posts = collectPosts(page);
  await fill(page, text);
  await send(page);
  expect(posts).toMatchObject([{ _proof: expect.stringMatching(/^\d+\.\d+$/) }]);
  expect(await storedBy(guarded, text)).toHaveLength(1);
});

test('a form is sent once after a router showed it for the second time', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'router.html');
  const sent = countPosts(page);
  await page.getByRole('link', { name: 'Contact us' }).click();
  await page.getByRole('link', { name: 'Script, JSON' }).click();
  await page.locator('form[data-send=json]').waitFor();
  await fill(page, 'A message that stays behind');
  await page.getByRole('link', { name: 'Plain HTML' }).click();
  await page.locator('form:not([data-send])').waitFor();
  await fill(page, text);
  await send(page);
  expect(page.url()).toBe(`${service.siteUrl}/router.html`);
  expect(sent()).toBe(1);
  expect(await storedBy(service, text)).toHaveLength(1);
});

test('a form in a dialog is sent, and its Cancel button closes the dialog without sending', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'index.html');
  const sent = countPosts(page);
  const insertForm = await takeForm(page);
  const cancel = '<button formmethod="dialog" formnovalidate>Cancel</button>';
  await insertForm((form) => `<dialog>${form.replace('</form>', `${cancel}</form>`)}</dialog>`);
  const dialog = page.locator('dialog');
  await dialog.evaluate((element) => element.showModal());
  await fill(page, text);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(sent()).toBe(0);

  await dialog.evaluate((element) => element.showModal());
  await send(page);
  expect(await dialog.isVisible()).toBe(true);
  expect(await storedBy(service, text)).toHaveLength(1);
});

test('a form whose content a framework renders again shows errors and the success', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  const content = await page.locator('form').evaluate((form) => form.innerHTML);
  const renderAgain = () =>
    page.locator('form').evaluate((form, html) => {
      form.innerHTML = html;
    }, content);
  await send(page, 'failed');
  await renderAgain();
  await send(page, 'failed');
  expect(await page.locator('#message + .error').textContent()).toBe('Please fill out this field.');
  await renderAgain();
  await fill(page, randomUUID());
  await send(page);
});

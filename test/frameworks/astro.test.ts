import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { countPosts, descriptionOf, fill, send, storedBy } from '../browser/form-page.ts';
import { test } from '../browser/visitor.ts';

const service = inject('astro');

/** Counts the pages that the browser loads from now on. */
const countLoads = (page: Page) => {
  let count = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) count += 1;
  });
  return () => count;
};

test('the form in Astro is sent with a proof of work from the first page that a visitor opens', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'contact/');
  const loads = countLoads(page);
  await fill(page, text);
  await send(page);
  expect(await page.locator('[role=status]:focus').textContent()).toContain('We have received your message.');
  expect(await page.getByLabel('Message').inputValue()).toBe('');
  expect(loads()).toBe(0);
  expect(await storedBy(service, text)).toEqual([{ email: 'ada@example.com', message: text }]);
});

test('the form in Astro is sent after the visitor has followed links to it, twice, without loading a page', async ({
  visit,
}) => {
  const page = await visit(service, '');
  const loads = countLoads(page);
  for (const text of [randomUUID(), randomUUID()]) {
    await page.getByRole('link', { name: 'Contact' }).click();
    await fill(page, text);
    await send(page);
    expect(await storedBy(service, text)).toHaveLength(1);
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByLabel('Message').waitFor({ state: 'detached' });
  }
  expect(loads()).toBe(0);
});

test('the form in Astro shows errors of the browser and of the service below their fields', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, '');
  await page.getByRole('link', { name: 'Contact' }).click();
  const posts = countPosts(page);
  await send(page, 'failed');
  expect(await descriptionOf(page.getByLabel('Message'))).toBe('Please fill out this field.');
  expect(posts()).toBe(0);

  // The message has no maxlength, so only the service knows its limit.
  await fill(page, text.padEnd(5001, '.'));
  await send(page, 'failed');
  expect(await descriptionOf(page.getByLabel('Message'))).toContain('5000');

  await page.getByLabel('Message').fill(text);
  await send(page);
  expect(await storedBy(service, text)).toHaveLength(1);
});

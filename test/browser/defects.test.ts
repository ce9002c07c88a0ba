import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { countPosts, fill, storedBy } from './form-page.ts';
import { proofBits } from './service.ts';
import { test } from './visitor.ts';

const service = inject('service');
const guarded = inject('guarded');

/** Takes from the page what its script needs, as a browser does that lacks it, or another script that breaks it. */
const takeAway = (page: Page, name: string) =>
  page.evaluate((each) => {
    Reflect.set(globalThis, 'taken', Reflect.get(globalThis, each));
    Reflect.deleteProperty(globalThis, each);
  }, name);

const giveBack = (page: Page, name: string) =>
  page.evaluate((each) => Reflect.set(globalThis, each, Reflect.get(globalThis, 'taken')), name);

const click = (page: Page) => page.getByRole('button', { name: 'Send' }).click();

test.for(['AbortController', 'FormData', 'Map', 'URLSearchParams', 'crypto', 'fetch'])(
  'the browser sends the plain form if contact-form.js fails without %s',
  async (name, { visit, problems }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    const sent = countPosts(page);
    await takeAway(page, name);
    await fill(page, text);
    await click(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(sent()).toBe(1);
    expect(await storedBy(service, text)).toHaveLength(1);
    expect(problems.splice(0).join()).toContain(name);
  },
);

test.for(['AbortController', 'FormData', 'TextEncoder', 'crypto', 'fetch'])(
  'a form with a proof of work keeps what was typed, and can be sent again, if contact-form.js fails without %s',
  async (name, { visit, problems }) => {
    const text = randomUUID();
    const page = await visit(guarded, 'index.html');
    const sent = countPosts(page);
    await page.locator('form').evaluate((form, bits) => form.setAttribute('data-proof', bits), proofBits);
    await takeAway(page, name);
    await fill(page, text);
    await click(page);
    await page.getByRole('status').filter({ hasText: 'Please send your message again later.' }).waitFor();
    expect(sent()).toBe(0);
    expect(await page.getByLabel('Message').inputValue()).toBe(text);
    problems.splice(0);

    await giveBack(page, name);
    await click(page);
    await page.getByRole('status').filter({ hasText: 'We have received your message.' }).waitFor();
    expect(await storedBy(guarded, text)).toHaveLength(1);
  },
);

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { takeRoom } from './room.ts';
import { storedBy } from './stored.ts';
import { test } from './visitor.ts';

const service = inject('service');
const throttled = inject('throttled');
const foreign = inject('foreign');

const fill = async (page: Page, text: string) => {
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Message').fill(text);
};

const blocked = /blocked by CORS policy/;

/** Waits until the browser has told the console that the page may not do this. */
const waitForBlock = (page: Page) => page.waitForEvent('console', (message) => blocked.test(message.text()));

interface FetchOptions {
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request from a page, as its own script would. @returns what the script can read of the answer */
const fetchFrom = (page: Page, url: string, init: FetchOptions = {}) =>
  page.evaluate(
    async ([address, options]) => {
      const response = await fetch(address, options);
      return { status: response.status, body: await response.text() };
    },
    [url, init] as const,
  );

describe('a page that is on no site of the service', () => {
  test('cannot store with a plain form, and its visitor is told', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(foreign, 'plain.html', { javaScriptEnabled: false });
    await fill(page, text);
    const [response] = await Promise.all([
      page.waitForResponse(`${service.apiUrl}/**`),
      page.getByRole('button').click(),
    ]);
    await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
    expect(response.status()).toBe(403);
    expect(await page.getByRole('main').textContent()).toContain('This form is not allowed to send messages here.');
    expect(await storedBy(service, text)).toEqual([]);
  });

  test.for(['index.html', 'json.html'])('cannot store with the script of %s', async (path, { visit, problems }) => {
    const text = randomUUID();
    const page = await visit(foreign, path);
    await fill(page, text);
    await Promise.all([waitForBlock(page), page.getByRole('button').click()]);
    await page.getByRole('status').filter({ hasText: 'could not be reached' }).waitFor();
    expect(problems.splice(0)).toEqual([expect.stringMatching(blocked)]);
    expect(await storedBy(service, text)).toEqual([]);
  });

  test('can neither store nor read with a request that needs no preflight', async ({ visit, problems }) => {
    const text = randomUUID();
    const page = await visit(foreign, 'json.html');
    const fetched = fetchFrom(page, `${service.apiUrl}/api/v1/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `email=ada@example.com&message=${text}`,
    });
    await Promise.all([waitForBlock(page), expect(fetched).rejects.toThrow('Failed to fetch')]);
    expect(problems.splice(0)).toEqual([expect.stringMatching(blocked)]);
    expect(await storedBy(service, text)).toEqual([]);
  });
});

test('a page that hides its origin can store with a plain form', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'plain.html');
  await page.locator('head').evaluate((head) => {
    head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">');
  });
  await fill(page, text);
  const [request] = await Promise.all([page.waitForRequest(`${service.apiUrl}/**`), page.getByRole('button').click()]);
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect((await request.allHeaders())['origin']).toBe('null');
  expect(await storedBy(service, text)).toHaveLength(1);
});

describe("the gateway's own errors can be read by a page of a site", () => {
  test('an unknown path', async ({ visit }) => {
    const page = await visit(service, 'json.html');
    expect(await fetchFrom(page, `${service.apiUrl}/api/v1/contacts`)).toEqual({
      status: 404,
      body: '{"error":"Not Found"}',
    });
  });

  test('a body above its limit of 10 MB', async ({ visit }) => {
    const page = await visit(service, 'json.html');
    const answer = await page.evaluate(async (url) => {
      const response = await fetch(url, { method: 'POST', body: 'x'.repeat(10 * 1024 * 1024 + 1) });
      return { status: response.status, body: await response.text() };
    }, `${service.apiUrl}/api/v1/contact`);
    expect(answer).toEqual({ status: 413, body: '{"error":"Content Too Large"}' });
  });

  test('a throttled request', async ({ visit }) => {
    const page = await visit(throttled, 'json.html');
    await takeRoom(throttled);
    const answer = await fetchFrom(page, `${throttled.apiUrl}/api/v1/contact`, { method: 'POST' });
    expect(answer).toEqual({ status: 429, body: '{"error":"Too Many Requests"}' });
  });
});

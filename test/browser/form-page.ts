import type { Locator, Page } from 'playwright-core';
import * as v from 'valibot';
import type { Service, Site } from './service.ts';

/** The description of a field that assistive technology reads, besides its name and value. */
export const descriptionOf = (field: Locator): Promise<string> =>
  field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(/\s+/)
      .filter((id: string) => id !== '')
      .map((id: string) => element.ownerDocument.getElementById(id).textContent)
      .join(' '),
  );

/** Counts the contact requests that a page sends from now on. */
export const countPosts = (page: Page) => {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') count += 1;
  });
  return () => count;
};

const fields = v.record(v.string(), v.string());

/** Collects the fields of each contact request that a page sends from now on. */
export const collectPosts = (page: Page) => {
  const posts: v.InferOutput<typeof fields>[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    const body = request.postData() ?? '';
    posts.push(
      v.parse(fields, body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))),
    );
  });
  return posts;
};

export const fill = async (page: Page, text: string) => {
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Message').fill(text);
};

/** Sends the form, and waits for what it then shows. */
export const send = async (page: Page, state: 'arrived' | 'failed' = 'arrived') => {
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator(`[role=status][data-state=${state}]`).waitFor();
};

/** Responds to the next request with 503, in the place of the service. */
export const respondUnavailable = (page: Page, { apiUrl, siteUrl }: Site) =>
  page.route(
    `${apiUrl}/**`,
    (route) => route.fulfill({ status: 503, headers: { 'Access-Control-Allow-Origin': siteUrl } }),
    { times: 1 },
  );

/** Lets the next request reach the service, and loses the response. */
export const loseResponse = (page: Page, { apiUrl }: Site) =>
  page.route(
    `${apiUrl}/**`,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );

/** Holds what a page sends. @returns what lets it go on */
export const holdRequests = async (page: Page, { apiUrl }: Site) => {
  const released = Promise.withResolvers<void>();
  await page.route(`${apiUrl}/**`, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
};

const contacts = v.array(
  v.object({
    email: v.exactOptional(v.string()),
    phone: v.exactOptional(v.string()),
    company: v.exactOptional(v.string()),
    message: v.exactOptional(v.string()),
    firstName: v.exactOptional(v.string()),
    lastName: v.exactOptional(v.string()),
    form: v.exactOptional(v.string()),
    campaign: v.exactOptional(v.string()),
    extra: v.exactOptional(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  }),
);

/** The stored contact requests with a text in any field, as a staff script lists them. */
export const storedBy = async ({ apiUrl, staffToken }: Service, text: string) => {
  const response = await fetch(`${apiUrl}/api/v1/contact?limit=200`, {
    headers: { Authentication: staffToken },
  });
  return v.parse(contacts, await response.json()).filter((contact) => JSON.stringify(contact).includes(text));
};

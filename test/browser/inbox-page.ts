import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { expect, inject } from 'vitest';
import { readCampaigns, removeCampaign } from '../../functions/campaigns/manage-campaigns.ts';
import type { ContactFields } from '../../functions/contacts/contact.ts';
import { contactStore } from '../../functions/contacts/contact-store.ts';
import { openLocal } from '../../lib/staff/environment/open-local.ts';
import { test as base } from './visitor.ts';

export const service = inject('inbox');
export const site = { ...service, siteUrl: service.inboxUrl };

/** Posts a contact request to the service of the inbox. @returns its id */
export const post = async (fields: object, origin?: string): Promise<string> => {
  const response = await fetch(`${service.apiUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(origin !== undefined && { Origin: origin }) },
    body: JSON.stringify({ email: 'ada@example.com', ...fields }),
  });
  return String(response.headers.get('Location')).split('/').at(-1) ?? '';
};

export const asStaff = (path: string, init: { readonly method?: string; readonly accept?: string } = {}) =>
  fetch(service.apiUrl + path, {
    method: init.method ?? 'GET',
    headers: { Authentication: service.staffToken, Accept: init.accept ?? 'application/json' },
  });

export const statusOf = async (id: string): Promise<number> => (await asStaff(`/api/v1/contact/${id}`)).status;

export const signIn = async (page: Page, token = service.staffToken): Promise<void> => {
  await page.getByLabel('Staff token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

const listOf = (page: Page): Locator => page.getByRole('region', { name: 'Contact requests' });

export const rowsOf = (page: Page, text = ''): Locator =>
  listOf(page).getByRole('listitem').filter({ hasText: text, visible: true });

export const rowOf = (page: Page, text: string): Locator => rowsOf(page, text).getByRole('link');

export const article = (page: Page): Locator => page.getByRole('article');

/** Waits until the list shows these messages, in this order. */
export const expectRows = (page: Page, messages: readonly string[]): Promise<void> =>
  expect.poll(() => rowsOf(page).locator('a > span').allTextContents()).toEqual(messages);

export const openRow = async (page: Page, text: string): Promise<void> => {
  await rowOf(page, text).click();
  await article(page).getByText(text).filter({ visible: true }).first().waitFor();
};

/** Opens a contact request by its address. */
export const openOne = async (page: Page, id: string): Promise<void> => {
  await page.goto(`${site.siteUrl}/#${id}`);
  // Among the details, which are folded.
  await article(page).getByText(id, { exact: true }).waitFor({ state: 'attached' });
};

/** A filter, which opens with the button. */
export const filterOf = async (page: Page, name: string): Promise<Locator> => {
  const filter = page.getByRole('search').getByLabel(new RegExp(`^${name}`));
  if (!(await filter.isVisible())) await page.getByRole('button', { name: /^Filters/ }).click();
  return filter;
};

/** The filters cover a part of the list. */
const closeFilters = (page: Page): Promise<void> => page.keyboard.press('Escape');

export const choose = async (page: Page, name: string, option: string): Promise<void> => {
  await (await filterOf(page, name)).selectOption(option);
  await closeFilters(page);
};

export const showSpam = (page: Page): Promise<unknown> => choose(page, 'Show', 'Spam');

/** Shows the contact requests of some days only. */
export const chooseDates = async (page: Page, from: string, to: string): Promise<void> => {
  await (await filterOf(page, 'From')).fill(from);
  await (await filterOf(page, 'To')).fill(to);
  await closeFilters(page);
};

/** Opens the menu, and uses one of its buttons. */
export const clickInMenu = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name }).click();
};

export const allOfApi = `${service.apiUrl}/**`;

/** The query with which the page counts new spam, once it has read the list. */
const spamCount = '?spam=true';

export const isList = ({ origin, pathname, search }: URL): boolean =>
  origin === service.apiUrl && pathname === '/api/v1/contact' && !search.startsWith(spamCount);

/** From now on, the API gives pages of another length. */
export const limitPages = (page: Page, limit: number): Promise<unknown> =>
  page.route(isList, (route) => route.fallback({ url: route.request().url().replace('limit=200', `limit=${limit}`) }));

/** Collects the URLs that a page asks for, but not its count of new spam. */
export const requestsOf = (page: Page, method?: string): string[] => {
  const urls: string[] = [];
  page.on('request', (request) => {
    const isCount = request.url().includes(spamCount);
    if (!isCount && (method === undefined || request.method() === method)) urls.push(request.url());
  });
  return urls;
};

/** Keeps requests until the test releases them. */
export const holdRequests = async (page: Page, urls: string | ((url: URL) => boolean)) => {
  const held: Route[] = [];
  const hold = (route: Route) => void held.push(route);
  await page.route(urls, hold);
  const release = async () => {
    await page.unroute(urls, hold);
    // The page can have given up a request meanwhile.
    await Promise.allSettled(held.map((route) => route.fallback()));
  };
  return { held, release };
};

/** Waits for the last of the requests with which the inbox begins. */
const waitUntilReady = async (page: Page): Promise<void> => {
  const response = await page.waitForResponse((found) => found.url().includes(spamCount));
  await response.finished();
  await page.getByText('Loading…').waitFor({ state: 'hidden' });
};

interface InboxOptions extends BrowserContextOptions {
  readonly token?: string;
}

/** A test of the inbox. It begins without contact requests and campaigns. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest demands a pattern
  .extend('environment', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const environment = await openLocal({}, { DATA_DIR: service.dataDir });
    onCleanup(() => environment[Symbol.asyncDispose]());
    return environment;
  })
  .extend('contacts', { auto: true }, async ({ environment }) => {
    const { contacts, campaigns } = environment.tables;
    const { Items = [] } = await contacts.client.send(new ScanCommand({ TableName: contacts.table }));
    const { delete: remove } = contactStore(contacts.client, contacts.table);
    for (const { id } of Items) await remove(String(id), new Date(0));
    for (const { id } of await readCampaigns(campaigns, () => {})) await removeCampaign(campaigns, id);
    return contacts;
  })
  /**
   * Stores a contact request of any time, one after another: on a slow disk, hundreds at once would time out, and those
   * still under way would be in the list of the next test. Its result is the id.
   */
  .extend('store', ({ contacts: { client, table } }) => {
    const { create } = contactStore(client, table);
    let last: Promise<unknown> = Promise.resolve();
    return (
      createdAt: string,
      { site, ...fields }: ContactFields & { readonly site?: string },
      spam: 'trap' | false = false,
    ): Promise<string> => {
      const stored = last.then(async () => {
        const result = await create({ fields, site, spam, createdAt: new Date(createdAt) });
        return result.outcome === 'created' ? result.contact.id : '';
      });
      last = stored;
      return stored;
    };
  })
  /** Opens the inbox as someone who has signed in. */
  .extend('openInbox', ({ visit }) => async ({ token = service.staffToken, ...options }: InboxOptions = {}) => {
    const page = await visit(site, '', options);
    const isReady = waitUntilReady(page);
    await page.goto(`${site.siteUrl}/#token=${token}`);
    await isReady;
    return page;
  })
  /** Opens the inbox with a clock that the test moves. */
  .extend('openWithClock', ({ visit }) => async ({ token = service.staffToken, error = 0 } = {}) => {
    const page = await visit(site, '');
    const time = Date.now() + error;
    await page.clock.install({ time });
    await page.clock.pauseAt(time + 10_000);
    const isReady = waitUntilReady(page);
    await signIn(page, token);
    await isReady;
    return page;
  });

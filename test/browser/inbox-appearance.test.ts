import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { faultsOf } from './axe.ts';
import { openInbox, post } from './inbox-page.ts';
import { test, type Visit } from './visitor.ts';

const service = inject('inbox');

const narrow = { width: 320, height: 640 };
const wide = { width: 1280, height: 800 };

const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

/** Opens the inbox with a list of those that have a text in common. */
const openList = async (visit: Visit, text: string, options = {}) => {
  const page = await openInbox(visit, options);
  await page.getByRole('searchbox').fill(text);
  await row(page, text).first().waitFor();
  return page;
};

const open = async (page: Page, text: string) => {
  await row(page, text).first().getByRole('link').click();
  await page.getByRole('article').waitFor();
};

const away = (page: Page) => page.route(`${service.apiUrl}/**`, (route) => route.abort());

/** What an owner sees, by how to get there from a list of two. */
const views: Readonly<Record<string, (page: Page, text: string) => Promise<unknown>>> = {
  'the list': async () => {},
  'an opened contact request': open,
  'an empty list': async (page) => {
    await page.getByText('More filters').click();
    await page.getByLabel('From').fill('2999-01-01');
    await page.getByText('No contact requests.').waitFor();
  },
  'opened spam': async (page, text) => {
    await page.getByLabel('Show').selectOption('Spam');
    await open(page, `${text} spam`);
  },
  'a selection and an offer to undo': async (page, text) => {
    await open(page, `${text} one`);
    await page.evaluate(() => {
      const { setTimeout } = globalThis;
      // The offer stays. Other timers go on: axe has some.
      const shortTimeout = (action: () => void, time = 0) => time < 5_000 && setTimeout(action, time);
      Object.assign(globalThis, { setTimeout: shortTimeout });
    });
    await page.getByRole('article').getByRole('button', { name: 'Delete' }).click();
    await row(page, `${text} two`).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete 1 selected' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  },
  'a problem': async (page) => {
    await away(page);
    await page.getByLabel('Show').selectOption('Spam');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  },
  campaigns: async (page) => {
    const campaigns = ['Spring sale', 'A'.repeat(100)].map((name) => ({ id: randomUUID(), name }));
    await page.route('**/v1/campaigns', (route) =>
      route.fulfill({ json: campaigns, headers: { 'Access-Control-Allow-Origin': service.inboxUrl } }),
    );
    await page.getByRole('button', { name: 'Campaigns' }).click();
    await page.getByText('Spring sale').waitFor();
  },
  help: async (page) => {
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('dialog').waitFor();
  },
  'the sign-in': async (page) => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Staff token').waitFor();
  },
};

/** Controls that are hard to hit, or below something else. */
const outOfReach = (page: Page): Promise<string[]> =>
  page.locator('body').evaluate((body) => {
    const root = body.querySelector('dialog[open]') ?? body;
    const found: string[] = [];
    for (const element of root.querySelectorAll('a[href], button, input, select, summary')) {
      if (!element.checkVisibility({ contentVisibilityAuto: true })) continue;
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      const atop = body.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
      if (width < 24 || height < 24) found.push(`${width} × ${height}: ${element.outerHTML}`);
      if (!element.contains(atop)) found.push(`Covered by ${atop?.outerHTML}: ${element.outerHTML}`);
    }
    return found;
  });

const widthOf = (page: Page): Promise<number> => page.locator('html').evaluate((html) => html.scrollWidth);

test.for(Object.entries(views))('%s is accessible on wide and narrow screens', async ([, arrive], { visit }) => {
  const text = randomUUID();
  await post({ message: `${text} spam`, _gotcha: 'yes' });
  for (const number of ['one', 'two']) await post({ message: `${text} ${number}`, phone: '+442079460958' });
  const page = await openList(visit, text, { viewport: wide });
  await arrive(page, text);
  expect(await faultsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(narrow);
  expect(await faultsOf(page)).toEqual([]);
  expect(await outOfReach(page)).toEqual([]);
  expect(await widthOf(page)).toBe(narrow.width);
  await page.emulateMedia({ colorScheme: null, forcedColors: 'active' });
  expect(await faultsOf(page)).toEqual([]);
});

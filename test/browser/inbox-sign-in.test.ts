import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  article,
  asStaff,
  clickInMenu,
  expectRows,
  openRow,
  post,
  requestsOf,
  rowOf,
  service,
  signIn,
  site,
  test,
} from './inbox-page.ts';
import type { Visit } from './visitor.ts';

const day = 86_400_000;

/** The inbox as its owner hosts it: on localhost it would not offer to stay signed in. */
const hosted = { ...site, hostedUrl: 'https://inbox.example.com' };

/** Serves the page at its address, and lets it ask the API. */
const host = async (page: Page) => {
  await page.context().route(`${hosted.hostedUrl}/**`, async (route) => {
    const url = route.request().url().replace(hosted.hostedUrl, site.siteUrl);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.context().route(`${service.apiUrl}/**`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' },
    });
  });
};

const openHosted = async (visit: Visit) => {
  const page = await visit(hosted, '');
  await host(page);
  await page.goto(hosted.hostedUrl);
  return page;
};

const keepOf = (page: Page) => page.getByLabel('Keep me signed in on this device, for 30 days');

const storage = (page: Page): Promise<string> => page.evaluate('JSON.stringify([localStorage, sessionStorage])');

describe('staying signed in', () => {
  test('lasts for other tabs, and thirty days', async ({ visit }) => {
    await post({ message: 'Hello' });
    const page = await openHosted(visit);
    expect(await keepOf(page).isChecked()).toBe(false);
    await keepOf(page).check();
    await signIn(page);
    await rowOf(page, 'Hello').waitFor();
    const other = await page.context().newPage();
    await other.goto(hosted.hostedUrl);
    await rowOf(other, 'Hello').waitFor();
    await other.clock.install({ time: Date.now() + 30 * day });
    await other.reload();
    await other.getByLabel('Staff token').waitFor();
    expect(await storage(other)).not.toContain(service.staffToken);
  });

  test('ends in every window when someone signs out', async ({ visit }) => {
    await post({ message: 'Hello' });
    const page = await openHosted(visit);
    await keepOf(page).check();
    await signIn(page);
    await rowOf(page, 'Hello').waitFor();
    const other = await page.context().newPage();
    await other.goto(hosted.hostedUrl);
    await rowOf(other, 'Hello').waitFor();
    await clickInMenu(page, 'Sign out');
    await page.getByLabel('Staff token').waitFor();
    await other.getByText('You are signed out. Sign in again.').waitFor();
    expect(await other.getByText('Hello').count()).toBe(0);
    expect([await storage(page), await storage(other)].join()).not.toContain(service.staffToken);
  });

  test('is for one tab unless someone asks for more', async ({ visit }) => {
    await post({ message: 'Hello' });
    const page = await openHosted(visit);
    await signIn(page);
    // No request is under way at the end: Chromium would report it as refused.
    await rowOf(page, 'Hello').waitFor();
    const other = await page.context().newPage();
    await other.goto(hosted.hostedUrl);
    await other.getByLabel('Staff token').waitFor();
  });

  test('is not offered on localhost, which other projects share', async ({ visit }) => {
    const page = await visit(site, '');
    await page.getByLabel('Staff token').waitFor();
    expect(await keepOf(page).isVisible()).toBe(false);
  });
});

test('what was read stays read after signing out, for this API', async ({ openInbox }) => {
  const ids = [await post({ message: 'One' }), await post({ message: 'Two' })];
  const page = await openInbox();
  await openRow(page, 'One');
  await clickInMenu(page, 'Sign out');
  await signIn(page);
  await page.getByText('1 unread of 2').waitFor();
  const marks = await page.evaluate(`localStorage.getItem('read ${service.apiUrl}')`);
  expect(marks, 'ids only').toBe(JSON.stringify([ids[0]]));
});

test('a link opens one directly, also through the sign-in', async ({ visit }) => {
  const id = await post({ message: 'Linked' });
  await post({ message: 'Another' });
  const page = await visit(site, `#${id}`);
  await signIn(page, `crcs_${'x'.repeat(43)}`);
  await page.getByText('The token is unknown, expired or revoked.').waitFor();
  await signIn(page);
  await article(page).getByText('Linked').waitFor();
  expect(await article(page).getByText('Another').count()).toBe(0);
});

test('a link to one that was deleted says so', async ({ visit }) => {
  const id = await post({ message: 'Deleted' });
  await post({ message: 'Another' });
  await asStaff(`/api/v1/contact/${id}`, { method: 'DELETE' });
  const page = await visit(site, `#${id}`);
  await signIn(page);
  await expectRows(page, ['Another']);
  await page.getByText('This contact request has been deleted.').waitFor();
});

describe('a token that cannot delete', () => {
  test('shows no Delete, and is asked about once', async ({ openInbox }) => {
    const id = await post({ message: 'One' });
    const page = await openInbox({ token: service.readToken });
    await openRow(page, 'One');
    const expectNoDelete = async () => {
      expect(await page.getByRole('button', { name: /Delete|Select/ }).count()).toBe(0);
      expect(await page.getByRole('checkbox').count()).toBe(0);
    };
    await expectNoDelete();
    await page.keyboard.press('#');
    expect(await article(page).isVisible()).toBe(true);

    const requests = requestsOf(page);
    await clickInMenu(page, 'Sign out');
    await signIn(page, service.readToken);
    await openRow(page, 'One');
    await expectNoDelete();
    expect(requests.filter((url) => /-$/.test(url))).toEqual([]);
    expect(requests.filter((url) => url.includes('/v1/campaigns'))).toEqual([]);
    expect(await storage(page)).toContain(service.readToken);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(service.readToken);

    // Another token brings its own permissions.
    await page.goto(`${service.inboxUrl}/#token=${service.staffToken}`);
    await openRow(page, 'One');
    await article(page).getByRole('button', { name: 'Delete' }).waitFor();
    expect(requests.filter((url) => /contact\/-$/.test(url))).toHaveLength(1);
    expect(id).not.toBe('');
  });

  test('is asked again if the API did not say', async ({ visit }) => {
    await post({ message: 'One' });
    const page = await visit(site, '');
    await page.route(/contact\/-$/, (route) => route.fulfill({ status: 500 }), { times: 1 });
    await signIn(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectRows(page, ['One']);
    await page.getByRole('checkbox', { name: 'Select all shown' }).waitFor();
  });
});

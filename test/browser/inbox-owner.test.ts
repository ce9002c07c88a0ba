import { expect, inject } from 'vitest';
import { article, openRow, post, rowOf, rowsOf, site, test } from './inbox-page.ts';

const together = inject('together');

const askTogether = (path: string, init: RequestInit) =>
  fetch(new URL(path, together.apiUrl), { headers: { Authentication: together.staffToken }, ...init });

test('a tap on a bar shows what came then', async ({ openInbox, store }) => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await store(daysAgo(20), { message: 'Earlier' });
  await store(daysAgo(0), { message: 'Now' });
  const page = await openInbox({ hasTouch: true, isMobile: true });
  await rowOf(page, 'Earlier').waitFor();
  const slider = page.getByRole('slider');
  if (!(await slider.isVisible())) await page.locator('#chart > summary').tap();
  const { width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
  await slider.tap({ position: { x: (width * 30.5) / 31, y: height / 2 } });
  await expect.poll(() => rowsOf(page).locator('a > span').allTextContents()).toEqual(['Now']);
});

test('the search finds an umlaut that someone writes as two letters', async ({ openInbox }) => {
  await post({ firstName: 'Jürgen', lastName: 'Müller', message: 'With an umlaut' });
  await post({ firstName: 'Grace', lastName: 'Hopper', message: 'Without one' });
  const page = await openInbox();
  for (const text of ['mueller', 'Müller', 'muller', 'JUERGEN']) {
    await page.getByRole('searchbox').fill(text);
    await expect.poll(() => rowsOf(page).locator('a > span').allTextContents()).toEqual(['With an umlaut']);
  }
});

test('marking what somebody else has deleted says so, and closes it', async ({ visit }) => {
  const body = JSON.stringify({ email: 'ada@example.com', message: 'Soon deleted' });
  const { headers } = await fetch(`${together.apiUrl}/api/v1/contact`, { method: 'POST', body });
  const page = await visit({ ...together, siteUrl: together.inboxUrl }, '');
  await page.goto(`${together.inboxUrl}/#token=${together.staffToken}`);
  await openRow(page, 'Soon deleted');
  await askTogether(String(headers.get('Location')), { method: 'DELETE' });
  await article(page).getByRole('button', { name: 'Answered', exact: true }).click();
  await page.getByText('This contact request has been deleted.').waitFor();
  expect(await article(page).isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Undo' }).isVisible()).toBe(false);
});

test('what could not be marked is not said to be marked, and cannot be undone', async ({ visit }) => {
  await askTogether('/api/v1/contact', { method: 'POST', body: '{"email":"ada@example.com","message":"Offline"}' });
  const page = await visit({ ...together, siteUrl: together.inboxUrl }, '');
  await page.goto(`${together.inboxUrl}/#token=${together.staffToken}`);
  await openRow(page, 'Offline');
  await page.route(`${together.apiUrl}/**`, (route) => route.abort());
  await article(page).getByRole('button', { name: 'Answered', exact: true }).click();
  await page.getByText(/^1 not changed\./).waitFor();
  expect(await page.getByText('Marked as answered.').isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Undo' }).isVisible()).toBe(false);
});

test('what came in the last days stands under their number, whatever day it is', async ({ openInbox, store }) => {
  await store(new Date(Date.now() - 3 * 86_400_000).toISOString(), { message: 'Three days ago' });
  const page = await openInbox();
  await rowOf(page, 'Three days ago').waitFor();
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Last 7 days']);
});

test('the page asks the API nothing before someone has signed in: a refusal would count for an alarm', async ({
  visit,
}) => {
  const page = await visit(site, '');
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.waitForTimeout(300);
  expect(urls.filter((url) => url.startsWith(site.apiUrl))).toEqual([]);
});

test('a tab that kept the filters of an earlier version opens', async ({ openInbox }) => {
  await post({ message: 'Still here' });
  const page = await openInbox();
  const kept = { text: '', spam: '', from: '', to: '', site: '', form: '', campaign: '' };
  await page.evaluate(`sessionStorage.filters = ${JSON.stringify(JSON.stringify(kept))}`);
  await page.reload();
  await rowOf(page, 'Still here').waitFor();
});

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import {
  choose,
  chooseDates,
  holdRequests,
  isList,
  limitPages,
  openRow,
  rowsOf,
  showSpam,
  test,
} from './inbox-page.ts';

const dayTime = 86_400_000;

/** Noon of a day. The readers of these tests are in UTC. */
const daysAgo = (days: number): string => `${dateOf(days)}T12:00:00.000Z`;

const dateOf = (days: number): string => new Date(Date.now() - days * dayTime).toISOString().slice(0, 10);

const inUtc = { timezoneId: 'UTC', locale: 'en-GB' };

const chartOf = (page: Page): Locator => page.getByRole('group').filter({ has: page.getByRole('slider') });

/** Waits until the first line of the chart says this. */
const expectSummary = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.locator('#chart > summary').textContent()).toBe(text);

/** What the table has, without the empty days: the last cells of each row. */
const countsIn = async (page: Page): Promise<string[]> => {
  const rows = await chartOf(page).getByRole('row').allInnerTexts();
  return rows
    .slice(1)
    .map((row) => row.split('\t').slice(1).join(' '))
    .filter((row) => !/^0( 0)?$/.test(row));
};

/** The heights of a bar's parts: spam stands on top. */
const heightsOf = (page: Page, index: number): Promise<number[]> =>
  page
    .locator(`#bars > :nth-child(${index + 1}) > i`)
    .evaluateAll((parts) => parts.map(({ offsetHeight }) => offsetHeight));

/** Presses a bar with the mouse. */
const press = async (page: Page, index: number, bars = 31): Promise<void> => {
  const { width = 0, height = 0 } = (await page.locator('#bars').boundingBox()) ?? {};
  await page.getByRole('slider').click({ position: { x: (width * (index + 0.5)) / bars, y: height / 2 } });
};

test('counts each day of the last 31, and spam; a press on a bar shows its day', async ({ store, openInbox }) => {
  await store(daysAgo(31), { message: 'Too old' });
  await store(daysAgo(30), { message: 'The oldest' });
  for (const message of ['One', 'Two', 'Three']) await store(daysAgo(3), { message, form: 'quote' });
  await store(daysAgo(3), { message: 'Cheap' }, 'trap');
  await store(daysAgo(31), { message: 'Old and cheap' }, 'trap');
  await store(daysAgo(0), { message: 'New' });
  const page = await openInbox(inUtc);
  await expectSummary(page, 'Last 31 days: 5, spam 1');
  expect(await countsIn(page)).toEqual(['1 0', '3 1', '1 0']);
  const [spam = 0, accepted = 0] = await heightsOf(page, 27);
  expect(accepted / spam).toBeCloseTo(3, 0);
  const [, one = 0] = await heightsOf(page, 0);
  expect(accepted / one).toBeCloseTo(3, 0);

  await press(page, 27);
  await expectSummary(page, `${await dayIn(page, dateOf(3))}: 3, spam 1`);
  expect(await page.locator('#from').inputValue()).toBe(dateOf(3));
  expect(await page.locator('#to').inputValue()).toBe(dateOf(3));
  await page.getByText('3 found').waitFor();
  expect(await rowsOf(page).count()).toBe(3);
  expect(await countsIn(page)).toEqual(['3 1']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectSummary(page, 'Last 31 days: 5, spam 1');
});

/** A date as the summary says it. */
const dayIn = (page: Page, date: string): Promise<string> =>
  page.evaluate(
    (value) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value)),
    date,
  );

test('counts what the search, the form and the dates leave, by week or month if there are many days', async ({
  store,
  openInbox,
}) => {
  for (const [time, form] of [
    ['2003-01-31T12:00:00.000Z', 'quote'],
    ['2003-02-01T12:00:00.000Z', 'quote'],
    ['2003-02-28T12:00:00.000Z', 'contact'],
    ['2003-07-31T23:59:59.999Z', 'quote'],
    ['2003-08-01T00:00:00.000Z', 'quote'],
  ] as const) {
    await store(time, { message: 'Chairs', form });
    await store(time, { message: 'Cheap chairs', form }, 'trap');
  }
  const page = await openInbox(inUtc);
  await expectSummary(page, 'Last 31 days: 0');
  await chooseDates(page, '2003-01-15', '2003-07-31');
  await expectSummary(page, '15 Jan – 31 Jul 2003: 4, spam 4');
  await page.getByText('4 found').waitFor();
  expect(await chartOf(page).getByRole('columnheader').allInnerTexts()).toEqual(['Week', 'Contact requests', 'Spam']);
  expect(await countsIn(page)).toEqual(['2 2', '1 1', '1 1']);
  await choose(page, 'Form', 'quote');
  await expectSummary(page, '15 Jan – 31 Jul 2003: 3, spam 3');
  await page.getByRole('searchbox').fill('cheap');
  await expectSummary(page, '15 Jan – 31 Jul 2003: 0, spam 3');
  await page.getByText('0 found').waitFor();
  await page.getByRole('searchbox').fill('');

  await chooseDates(page, '2002-12-01', '2003-07-31');
  await expectSummary(page, '1 Dec 2002 – 31 Jul 2003: 3, spam 3');
  expect(await chartOf(page).getByRole('rowheader').allInnerTexts()).toEqual([
    'December 2002',
    ...['January', 'February', 'March', 'April', 'May', 'June', 'July'].map((name) => `${name} 2003`),
  ]);
  await press(page, 2, 8);
  await expectSummary(page, '1 – 28 Feb 2003: 1, spam 1');
  await page.getByText('1 found').waitFor();

  await showSpam(page);
  await expectSummary(page, '1 – 28 Feb 2003: 1');
  expect(await chartOf(page).getByRole('columnheader').allInnerTexts()).toEqual(['Day', 'Spam']);
});

test('days are those of the reader, also when clocks change', async ({ store, openInbox }) => {
  // In Berlin, 29 March 2026 has 23 hours.
  for (const time of ['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00.000Z']) {
    await store(time, { message: 'One' });
  }
  const page = await openInbox({ ...inUtc, timezoneId: 'Europe/Berlin' });
  await chooseDates(page, '2026-03-28', '2026-03-31');
  await page.getByText('3 found').waitFor();
  await expect
    .poll(() => chartOf(page).getByRole('cell').allInnerTexts())
    .toEqual(['0', '0', '2', '0', '1', '0', '0', '0']);
});

test('counts at once what someone deletes', async ({ store, openInbox }) => {
  for (const message of ['One', 'Two', 'Three']) await store(daysAgo(1), { message });
  const page = await openInbox(inUtc);
  await openRow(page, 'Two');
  await page.getByRole('article').getByRole('button', { name: 'Delete' }).click();
  await expectSummary(page, 'Last 31 days: 2');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectSummary(page, 'Last 31 days: 3');
});

test('the places and the title count what is unread, whatever the filters hide', async ({ store, openInbox }) => {
  for (const day of [6, 5, 4, 3, 2, 1])
    await store(daysAgo(day), { message: `Day ${day}`, form: day % 2 ? 'odd' : 'even' });
  const page = await openInbox(inUtc);
  const expectCounts = (...counts: readonly string[]) =>
    expect
      .poll(async () => [await page.title(), ...(await page.locator('#placeList small').allTextContents())])
      .toEqual(counts);
  await expectCounts('(6) Inbox', '6', '3', '3', '');
  await chooseDates(page, dateOf(3), dateOf(1));
  await page.getByText('3 found').waitFor();
  await expectCounts('(6) Inbox', '6', '3', '3', '');
  await openRow(page, 'Day 1');
  await expectCounts('(5) Inbox', '5', '3', '2', '');
  await page.getByRole('article').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 found').waitFor();
  await page.getByRole('button', { name: 'even 3' }).click();
  await page.getByText('1 found').waitFor();
  await page.getByRole('button', { name: /^Inbox/ }).click();
  await page.getByRole('button', { name: 'even 3' }).click();
  await page.getByText('3 found').waitFor();
  await expectSummary(page, 'Last 31 days: 3');
  await openRow(page, 'Day 4');
  await expectCounts('(4) Inbox', '4', '2', '2', '');

  await limitPages(page, 2);
  await page.reload();
  await page.locator('#chart > summary').click();
  await page.getByRole('button', { name: /^Inbox/ }).click();
  await expectCounts('(2+) Inbox', '2+', '1+', '1+', '');
  await chooseDates(page, dateOf(6), dateOf(2));
  await page.getByText('5 found').waitFor();
  await expectCounts('(2+) Inbox', '2+', '1+', '1+', '');
});

test('keys choose a bar and show it', async ({ store, openInbox }) => {
  await store(daysAgo(2), { message: 'One' });
  await store(daysAgo(2), { message: 'Cheap' }, 'trap');
  const page = await openInbox(inUtc);
  await expectSummary(page, 'Last 31 days: 1, spam 1');
  const slider = page.getByRole('slider', { name: 'Day' });
  await slider.press('ArrowLeft');
  await slider.press('ArrowLeft');
  const text = await slider.getAttribute('aria-valuetext');
  expect(text).toMatch(/^\w+ \d+ \w+( \d+)?: 1, spam 1$/);
  expect(await page.getByRole('button', { name: text ?? '' }).isVisible()).toBe(true);
  await slider.press('Enter');
  await page.getByText('1 found').waitFor();
  expect(await page.locator('#from').inputValue()).toBe(dateOf(2));
});

test('stays folded or open in this browser; a phone begins with it folded', async ({ store, openInbox }) => {
  await store(daysAgo(1), { message: 'One' });
  const page = await openInbox({ ...inUtc, viewport: { width: 390, height: 844 } });
  await expectSummary(page, 'Last 31 days: 1');
  expect(await page.getByRole('slider').isVisible()).toBe(false);
  await page.locator('#chart > summary').click();
  await page.getByRole('slider').waitFor();
  await page.reload();
  await page.getByRole('slider').waitFor();
  await page.locator('#chart > summary').click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await expectSummary(page, 'Last 31 days: 1');
  expect(await page.getByRole('slider').isVisible()).toBe(false);
});

test('reads on until the list reaches back to its first day, unless someone stops it', async ({ store, openInbox }) => {
  for (let day = 34; day >= 0; day -= 1) await store(daysAgo(day), { message: 'One' });
  const page = await openInbox(inUtc);
  await limitPages(page, 10);
  await page.reload();
  await expectSummary(page, 'Last 31 days: 31');
  const { held, release } = await holdRequests(page, (url) => isList(url) && url.searchParams.has('cursor'));
  await page.reload();
  await expect.poll(() => held.length).toBe(1);
  await expectSummary(page, 'Last 31 days: 10+');
  await page.getByRole('button', { name: 'Stop' }).click();
  await release();
  await expectSummary(page, 'Last 31 days: 20+');
  await chartOf(page)
    .getByText(`Complete since ${await dayIn(page, dateOf(18))}`)
    .waitFor();
  await page.getByRole('button', { name: 'Load older ones' }).click();
  await expectSummary(page, 'Last 31 days: 31');
});

test('is accessible, and keeps within 320 pixels', async ({ store, openInbox }) => {
  for (const day of [0, 1, 5]) await store(daysAgo(day), { message: 'One' });
  await store(daysAgo(5), { message: 'Cheap' }, 'trap');
  const page = await openInbox(inUtc);
  await expectSummary(page, 'Last 31 days: 3, spam 1');
  await page.getByRole('slider').focus();
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});

test('is not there without contact requests', async ({ openInbox }) => {
  const page = await openInbox();
  await page.getByText('No contact requests.').waitFor();
  expect(await page.locator('#chart').isVisible()).toBe(false);
});

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { putCampaign } from '../../functions/campaigns/manage-campaigns.ts';
import {
  article,
  choose,
  chooseDates,
  clickInMenu,
  expectRows,
  filterOf,
  holdRequests,
  isList,
  limitPages,
  openOne,
  openRow,
  post,
  requestsOf,
  rowsOf,
  showSpam,
  test,
} from './inbox-page.ts';

const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search' });

const optionsOf = async (page: Page, name: string) => (await filterOf(page, name)).locator('option').allTextContents();

type Store = (time: string, fields: { readonly message: string }) => Promise<string>;

const isPage = (url: URL) => isList(url) && url.searchParams.has('cursor');

/** The times of so many days, the first of them the earliest. */
const days = (count: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.UTC(2003, 0, 1 + index)).toISOString());

/** Opens the inbox with pages of forty, which fill the window, and three of them. */
const openPages = async (store: Store, openInbox: () => Promise<Page>) => {
  for (const [index, time] of days(120).entries()) await store(time, { message: index % 40 === 0 ? 'Rare' : 'Common' });
  const page = await openInbox();
  await limitPages(page, 40);
  await page.reload();
  await page.getByText('40+ unread of 40+').waitFor();
  return page;
};

test('finds a contact request by the reference that its visitor quotes, and by its id', async ({
  store,
  openInbox,
}) => {
  const id = await store('2003-01-01T00:00:00.000Z', { message: 'Found' });
  await store('2003-01-02T00:00:00.000Z', { message: 'Another' });
  const page = await openInbox();
  for (const quoted of [id.slice(0, 8).toUpperCase(), id]) {
    await searchBox(page).fill(quoted);
    await expectRows(page, ['Found']);
  }
  // Less than a reference would find ids by chance.
  await searchBox(page).fill(id.slice(0, 7));
  await expectRows(page, []);
});

test('reads on to the end while someone searches, with a count', async ({ store, openInbox }) => {
  const page = await openPages(store, openInbox);
  const { held, release } = await holdRequests(page, isPage);
  await searchBox(page).fill('rare');
  await page.getByText('Searching… 40').waitFor();
  expect(held).toHaveLength(1);
  await release();
  await expectRows(page, ['Rare', 'Rare', 'Rare']);
  await page.getByRole('status').getByText('3 found').waitFor();
  expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(false);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(120);
  expect(await searchBox(page).inputValue()).toBe('');
});

test('stops a search, and continues it', async ({ store, openInbox }) => {
  const page = await openPages(store, openInbox);
  const { release } = await holdRequests(page, isPage);
  await searchBox(page).fill('rare');
  await page.getByRole('button', { name: 'Stop' }).click();
  const requests = requestsOf(page);
  await release();
  // With the page that was under way.
  await page.getByRole('status').getByText('2+ found').waitFor();
  expect(requests).toEqual([]);
  await page.getByRole('button', { name: 'Load older ones' }).click();
  await page.getByRole('status').getByText('3 found').waitFor();
});

test.for([
  ['Siobhán Ó Súilleabháin', 'siobhan suilleabhain'],
  ['Müller', 'muller'],
  ['Łódź', 'lodz'],
  ['Ørsted', 'orsted'],
  ['Straße', 'strasse'],
  ['ISTANBUL', 'istanbul'],
  ['Zoe', 'zoë'],
  ['Lodz', 'łódź'],
  ['Strasse', 'straße'],
  ['أحمد', 'أحمد'],
] as const)('finds %s by %s', async ([message, words], { store, openInbox }) => {
  await store('2003-01-01T12:00:00.000Z', { message });
  await store('2003-01-02T12:00:00.000Z', { message: 'Another' });
  const page = await openInbox();
  await searchBox(page).fill(words);
  await expectRows(page, [message]);
});

test('filters by text, site and form, also after a reload', async ({ store, openInbox }) => {
  const one = 'https://one.example.com';
  const two = 'https://two.example.com';
  const contacts = [
    { message: 'Plain', site: one, form: 'sales  team' },
    { message: 'Named', firstName: 'Ada', lastName: 'Lovelace', site: two, form: 'sales  team' },
    { message: 'Called', phone: '+1 555 0123', site: two, form: 'support' },
    { message: 'Asked', extra: { topic: ['An order', 'ÉCLAIRS'] }, site: one },
    { message: 'Later', site: one },
  ];
  for (const [index, contact] of contacts.entries()) await store(`2003-02-1${index}T12:00:00.000Z`, contact);
  const page = await openInbox();
  await chooseDates(page, '2003-02-10', '2003-02-13');
  for (const [text, ...found] of [
    ['ada lovelace', 'Named'],
    ['0123', 'Called'],
    [' éclairs ', 'Asked'],
    ['two.example', 'Called', 'Named'],
    ['', 'Asked', 'Called', 'Named', 'Plain'],
  ] as const) {
    await searchBox(page).fill(text);
    await expectRows(page, found);
  }

  expect(await optionsOf(page, 'Site')).toEqual(['All', one, two]);
  await choose(page, 'Site', two);
  await expectRows(page, ['Called', 'Named']);
  expect(await optionsOf(page, 'Site')).toEqual(['All', one, two]);
  expect(await optionsOf(page, 'Form')).toEqual(['All', 'sales  team', 'support']);
  await choose(page, 'Form', 'sales  team');
  await expectRows(page, ['Named']);
  await searchBox(page).fill('nobody');
  await page.getByRole('status').getByText('0 found').waitFor();
  await searchBox(page).fill('');
  await choose(page, 'Form', 'All');

  await (await filterOf(page, 'To')).fill('2003-02-14');
  // The chosen site stays.
  await expectRows(page, ['Called', 'Named']);
  await searchBox(page).fill('called');
  await page.reload();
  await expectRows(page, ['Called']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectRows(page, ['Later', 'Asked', 'Called', 'Named', 'Plain']);
  await page.reload();
  await expectRows(page, ['Later', 'Asked', 'Called', 'Named', 'Plain']);
});

test('filters by campaign, and shows its name', async ({ environment, store, openInbox }) => {
  const { campaigns } = environment.tables;
  const id = randomUUID();
  await putCampaign(campaigns, { id, name: 'Spring sale' });
  await putCampaign(campaigns, { id: randomUUID(), name: 'Autumn fair' });
  const unknown = '01234567-89ab-4cde-8f01-23456789abcd';
  const sent = [id.toUpperCase(), 'spring SALE', unknown, 'Éclairs <b>now</b>', undefined];
  for (const [index, time] of days(5).entries()) {
    const campaign = sent[index];
    await store(time, { message: `Number ${index}`, ...(campaign !== undefined && { campaign }) });
  }
  const page = await openInbox();
  const expected = ['All', unknown, 'Autumn fair', 'Spring sale', 'Éclairs <b>now</b>'];
  await expect.poll(() => optionsOf(page, 'Campaign')).toEqual(expected);
  const names = () => rowsOf(page).locator('bdi').allTextContents();
  expect(await names()).toEqual(['Éclairs <b>now</b>', unknown, 'Spring sale', 'Spring sale']);
  await choose(page, 'Campaign', 'Spring sale');
  await expectRows(page, ['Number 1', 'Number 0']);
  expect(await names(), 'what the filter says').toEqual([]);
  await openRow(page, 'Number 0');
  await article(page)
    .getByText('Campaign', { exact: true })
    .locator('+ dd')
    .getByText('Spring sale')
    .waitFor({ state: 'attached' });
  await page.reload();
  await expectRows(page, ['Number 1', 'Number 0']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await searchBox(page).fill('spring');
  await expectRows(page, ['Number 1', 'Number 0']);
});

test('asks the API for what it filters by, and goes on after an empty page', async ({ store, openInbox }) => {
  for (const time of days(20)) await store(time, { message: 'Another', form: 'support' });
  for (const [index, time] of days(3).entries()) await store(time, { message: `Sold ${index}`, form: 'sales' });
  const page = await openInbox();
  // The API ends a page early if it finds too little.
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Link' };
  const sendEmpty = (route: Route) =>
    route.fulfill({ json: [], headers: { ...headers, Link: `<${route.request().url()}&cursor=first>; rel="next"` } });
  await page.route((url) => isList(url) && url.searchParams.has('form'), sendEmpty, { times: 1 });
  await page.route(/cursor=first/, (route) =>
    route.fallback({ url: route.request().url().replace('&cursor=first', '') }),
  );
  const { held, release } = await holdRequests(page, isPage);
  const requests = requestsOf(page);
  await choose(page, 'Form', 'sales');
  await page.getByText('Searching… 0').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  expect(held).toHaveLength(1);
  expect(requests.map((url) => new URL(url).searchParams.get('form'))).toEqual(['sales', 'sales']);
  await release();
  await page.getByRole('button', { name: 'Load older ones' }).waitFor({ state: 'hidden' });
  await expectRows(page, ['Sold 2', 'Sold 1', 'Sold 0']);
  await page.getByRole('status').getByText('3 found').waitFor();
});

test('while a filter finds nothing, reads only what is new', async ({ environment, store, openWithClock }) => {
  const { campaigns } = environment.tables;
  await putCampaign(campaigns, { id: randomUUID(), name: 'Autumn fair' });
  await store('2003-01-01T12:00:00.000Z', { message: 'Another' });
  const page = await openWithClock();
  await choose(page, 'Campaign', 'Autumn fair');
  await page.getByRole('status').getByText('0 found').waitFor();
  await post({ message: 'New', campaign: 'autumn FAIR' });
  const requests = requestsOf(page);
  await page.clock.runFor(45_000);
  await expectRows(page, ['New']);
  expect(requests.map((url) => new URL(url).searchParams.get('since'))).toEqual(['2003-01-01T11:59:00.000Z']);
});

test('offers the 100 most frequent of many forms', async ({ store, openInbox }) => {
  for (const [index, time] of days(110).entries()) await store(time, { message: 'Flood', form: `form ${index}` });
  for (const time of days(2)) await store(time, { message: 'Asked', form: 'contact' });
  const page = await openInbox();
  await expect.poll(() => optionsOf(page, 'Form')).toHaveLength(101);
  expect(await optionsOf(page, 'Form')).toContain('contact');
});

test('a link shows the name of a campaign, too', async ({ environment, store, openInbox }) => {
  const id = randomUUID();
  await putCampaign(environment.tables.campaigns, { id, name: 'Winter market' });
  const contact = await store('2003-01-01T12:00:00.000Z', { message: 'Old', campaign: id });
  await store('2003-01-02T12:00:00.000Z', { message: 'New' });
  const page = await openInbox();
  await limitPages(page, 1);
  await openOne(page, contact);
  await page.reload();
  await article(page).getByText('Winter market').waitFor({ state: 'attached' });
});

const download = async (page: Page) => {
  const started = page.waitForEvent('download');
  // In any language.
  await page.locator('#menu').click();
  await page.locator('#download').click();
  const file = await started;
  expect(file.suggestedFilename()).toBe('contact-requests.csv');
  return readFile(await file.path(), 'utf8');
};

const rowsIn = (csv: string): Record<string, string>[] => parse(csv, { bom: true, columns: true });

test('downloads what is shown, loaded or not', async ({ store, openInbox }) => {
  for (const [index, time] of days(100).entries()) {
    await store(time, { message: index % 2 ? 'Odd' : 'Éven', form: index < 20 ? 'early' : 'late' });
  }
  await store('2003-01-05T00:00:00.000Z', { message: 'Spam of that day, even' }, 'trap');
  const page = await openInbox({ timezoneId: 'UTC' });
  await limitPages(page, 40);
  await page.reload();
  await page.getByText('40+ unread of 40+').waitFor();
  const { release } = await holdRequests(page, isPage);
  const all = download(page);
  await page.getByText('Downloading… 40').waitFor();
  await release();
  const csv = await all;
  expect(csv).toMatch(/^\ufeffid,createdAt,/);
  expect(rowsIn(csv)).toHaveLength(100);
  await page.getByRole('status').getByText('Downloaded.').waitFor();

  await chooseDates(page, '2003-01-03', '2003-02-10');
  await searchBox(page).fill('even');
  await choose(page, 'Form', 'early');
  await page.getByRole('status').getByText('9 found').waitFor();
  const found = rowsIn(await download(page));
  expect(found.map(({ message, form }) => `${message} ${form}`)).toEqual(Array(9).fill('Éven early'));
  expect(found[0]?.['createdAt']).toBe('2003-01-19T00:00:00.000Z');
  await choose(page, 'Form', 'All');
  await showSpam(page);
  expect(rowsIn(await download(page)).map(({ message }) => message)).toEqual(['Spam of that day, even']);
});

test('saves nothing if someone stops the download', async ({ store, openInbox }) => {
  const page = await openPages(store, openInbox);
  const { release } = await holdRequests(page, isPage);
  await clickInMenu(page, 'Download CSV');
  await page.getByRole('button', { name: 'Stop' }).click();
  await release();
  await page.getByRole('status').getByText('Nothing saved.').waitFor();
});

test('separates the cells of a download as Excel does in the language of the browser', async ({ store, openInbox }) => {
  await store('2003-01-01T12:00:00.000Z', { message: 'a;b, c', phone: '0711 123 456' });
  const csv = await download(await openInbox({ locale: 'de-DE' }));
  const rows = parse(csv, { bom: true, columns: true, delimiter: ';' });
  expect(rows).toMatchObject([{ message: 'a;b, c', phone: "'0711 123 456" }]);
});

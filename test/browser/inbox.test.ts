import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { afterAll, expect, inject } from 'vitest';
import type { ContactFields } from '../../functions/contacts/contact.ts';
import { contactStore } from '../../functions/contacts/store.ts';
import { addCampaign } from '../../lib/staff/campaign-table.ts';
import { releaseContact } from '../../lib/staff/contact-table.ts';
import { openLocal } from '../../lib/staff/local.ts';
import { openInbox, post } from './inbox-page.ts';
import { test } from './visitor.ts';

const service = inject('inbox');

const environment = await openLocal({ DATA_DIR: service.dataDir });
afterAll(() => environment.close());

const contacts = { client: environment.dynamodb, table: environment.tables.contacts };

/** Stores a contact request of any time. @returns its id */
const store = async (
  createdAt: string,
  { site, ...fields }: ContactFields & { readonly site?: string },
  spam: 'trap' | false = false,
) => {
  const input = { fields, site, spam, createdAt: new Date(createdAt) };
  const result = await contactStore(contacts.client, contacts.table).create(input);
  return result.outcome === 'created' ? result.contact.id : '';
};

/** Asks the API, page by page. */
const pagesOf = async (path: string, accept = 'application/json') => {
  const pages: string[] = [];
  for (let url: string | undefined = `${service.apiUrl}${path}`; url !== undefined; ) {
    const response = await fetch(url, { headers: { Authentication: service.staffToken, Accept: accept } });
    pages.push(await response.text());
    url = /<([^>]*)>/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return pages;
};

const statusOf = async (id: string) =>
  (await fetch(`${service.apiUrl}/api/v1/contact/${id}`, { headers: { Authentication: service.staffToken } })).status;

const listOf = (page: Page) => page.getByRole('region', { name: 'Contact requests' });

const rowsOf = (page: Page, text = '') => listOf(page).getByRole('listitem').filter({ hasText: text, visible: true });

const rowOf = (page: Page, text: string) => rowsOf(page, text).getByRole('link');

const textsOf = (page: Page, text = '') => rowsOf(page, text).locator('a > span').allTextContents();

const article = (page: Page) => page.getByRole('article');

/** Shows the contact requests of some days only. */
const chooseDates = async (page: Page, from: string, to: string) => {
  await page.getByText('More filters').click();
  await page.getByLabel('From', { exact: true }).fill(from);
  await page.getByLabel('To', { exact: true }).fill(to);
  // Before the answer, the list is empty.
  await rowsOf(page).first().waitFor();
};

/** Lets the API give pages of 20, instead of 200. */
const shortenPages = (page: Page) =>
  page.route(/[?&]limit=200\b/, (route) =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=20') }),
  );

/** From now on, time passes if the test says so. */
const stopClock = async (page: Page, text: string) => {
  await page.clock.install();
  await page.reload();
  await rowsOf(page, text).first().waitFor();
  await page.clock.pauseAt(Date.now() + 1_000);
};

const countRequests = (page: Page, method: string) => {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method) urls.push(request.url());
  });
  return urls;
};

const waitForFocus = (page: Page, text: string) => page.locator(':focus').filter({ hasText: text }).waitFor();

test('lists the newest first, in the time zone of the reader', async ({ visit }) => {
  await store('2001-01-31T20:00:00.000Z', { message: 'First' });
  await store('2001-01-31T20:30:00.000Z', { message: 'Third', form: 'sales' });
  await store('2001-01-31T20:15:00.000Z', { email: 'grace@example.com', extra: { topic: ['Tea', 'Cake'] } });
  const page = await openInbox(visit, { timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
  await chooseDates(page, '2001-02-01', '2001-02-01');
  expect(await textsOf(page)).toEqual(['Third', 'grace@example.com · Tea · Cake', 'First']);
  expect(await rowsOf(page).locator('small').allTextContents()).toEqual([
    '1 Feb 2001, 05:30 · sales',
    '1 Feb 2001, 05:15',
    '1 Feb 2001, 05:00',
  ]);
});

test('shows every field under its label', async ({ visit }) => {
  const id = await store('2001-03-01T12:00:00.000Z', {
    message: 'Two\nlines',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada+tea@example.com',
    phone: '+44 (0)20 7946 0018 x12',
    company: 'Analytical Engines',
    site: 'https://www.example.com',
    form: 'sales',
    extra: JSON.parse('{ "topic": ["An order", "A question"], "__proto__": "kept", "Message": "another" }'),
  });
  await store('2001-03-01T11:00:00.000Z', { message: 'From this machine', phone: '0555 0100', site: service.siteUrl });
  const page = await openInbox(visit, { timezoneId: 'America/New_York', locale: 'en-US' });
  await chooseDates(page, '2001-03-01', '2001-03-01');
  await rowOf(page, 'Two lines').click();
  await article(page).getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  const shown = await article(page).locator('dl > *').allInnerTexts();
  expect(shown.map((text) => text.replaceAll('\u202f', ' '))).toEqual([
    ...['Message', 'Two\nlines', 'First name', 'Ada', 'Last name', 'Lovelace'],
    ...['Email address', 'ada+tea@example.com', 'Phone number', '+44 (0)20 7946 0018 x12'],
    ...['Company', 'Analytical Engines', 'topic', 'An order', 'A question', '__proto__', 'kept', 'Message', 'another'],
    ...['Form', 'sales', 'Site', 'https://www.example.com'],
    ...['Received', 'Thursday, March 1, 2001 at 7:00:00 AM EST', 'ID', id],
  ]);
  const links = () =>
    article(page)
      .locator('dl a')
      .evaluateAll((found) => found.map(({ href }) => href));
  expect(await links()).toEqual(['mailto:ada%2Btea@example.com', 'tel:+442079460018', 'https://www.example.com/']);

  await rowOf(page, 'From this machine').click();
  await article(page).getByText(service.siteUrl).waitFor();
  expect(await links(), 'only https links').toEqual(['tel:05550100']);
  expect(await article(page).getByRole('link', { name: 'Reply' }).count()).toBe(0);
});

test('replies with the message quoted, in a link that Windows passes on', async ({ visit }) => {
  const long = {
    letters: { message: 'x'.repeat(5_000) },
    'line breaks': { message: 'a\n'.repeat(2_500) },
    emoji: { message: '😀'.repeat(5_000) },
    families: { message: '👩‍👩‍👧‍👦'.repeat(700) },
    'every field': {
      message: 'Ж'.repeat(5_000),
      email: `${"'".repeat(240)}@example.com`,
      extra: { name: '😀'.repeat(1_000), _subject: '😀'.repeat(1_000) },
    },
  };
  await store('2001-04-01T11:00:00.000Z', {
    message: 'Tea & cake?\nAt 5 o’clock: 100 %',
    email: 'grace@example.com',
    firstName: 'Grace',
  });
  for (const [company, fields] of Object.entries(long)) {
    await store('2001-04-01T10:00:00.000Z', { email: 'ada@example.com', ...fields, company });
  }
  const page = await openInbox(visit, { timezoneId: 'UTC', locale: 'en-GB' });
  await chooseDates(page, '2001-04-01', '2001-04-01');
  const reply = article(page).getByRole('link', { name: 'Reply' });
  const open = async (text: string) => {
    await page.getByRole('searchbox').fill(text);
    await rowsOf(page).getByRole('link').click();
    await article(page).getByText(text).first().waitFor();
    return String(await reply.getAttribute('href'));
  };

  const link = new URL(await open('Tea & cake?'));
  expect([link.protocol, link.pathname]).toEqual(['mailto:', 'grace@example.com']);
  expect(Object.fromEntries(link.searchParams)).toEqual({
    subject: 'Re: Your message',
    body: expect.stringMatching(/^\r\n\r\n.+ 11:00:00 UTC, Grace:\r\n> Tea & cake\?\r\n> At 5 o’clock: 100 %$/),
  });

  for (const company of Object.keys(long)) {
    const href = await open(company);
    expect(href.length, company).toBeLessThan(2_000);
    expect(href.length, company).toBeGreaterThan(1_500);
    const text = decodeURIComponent(href);
    expect(text, company).not.toContain('\ufffd');
    expect(text, company).toMatch(company === 'families' ? /👩‍👩‍👧‍👦 \[…\]$/ : / \[…\]$/);
  }
});

test('remembers in this browser what was read', async ({ visit }) => {
  await store('2001-05-01T12:00:00.000Z', { message: 'Unread of old' });
  await post({ message: 'Unread, one' });
  await post({ message: 'Unread, two' });
  await post({ message: 'Unread, three' });
  const page = await openInbox(visit);
  const badgeOf = (on: Page, text: string) => rowsOf(on, text).getByText('Unread', { exact: true });
  const countBadges = () => listOf(page).getByText('Unread', { exact: true }).filter({ visible: true }).count();
  await badgeOf(page, 'Unread, one').waitFor();
  const count = Number.parseInt(String(await page.getByText(/^\d+ unread/).textContent()), 10);
  expect(count).toBe(await countBadges());
  expect(await page.title()).toBe(`(${count}) Inbox`);

  await rowOf(page, 'Unread, one').click();
  await badgeOf(page, 'Unread, one').waitFor({ state: 'hidden' });
  expect(await page.title()).toBe(`(${count - 1}) Inbox`);
  const other = await page.context().newPage();
  await other.goto(`${service.inboxUrl}/#token=${service.staffToken}`);
  await badgeOf(other, 'Unread, two').waitFor();
  expect(await badgeOf(other, 'Unread, one').isVisible()).toBe(false);
  await rowOf(other, 'Unread, two').click();
  await badgeOf(page, 'Unread, two').waitFor({ state: 'hidden' });
  await other.close();

  await chooseDates(page, '2001-05-01', '2001-05-01');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await badgeOf(page, 'Unread of old').waitFor({ state: 'hidden' });
  await page.reload();
  await badgeOf(page, 'Unread, three').waitFor();
  for (const text of ['Unread, one', 'Unread, two']) expect(await badgeOf(page, text).isVisible(), text).toBe(false);

  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect.poll(countBadges).toBe(0);
  await expect.poll(() => page.title()).toBe('Inbox');
  expect(await page.getByRole('button', { name: 'Mark all as read' }).isVisible()).toBe(false);
});

test('loads older ones by button and by scrolling, each once', async ({ visit }) => {
  // Four at each millisecond: a page ends among them.
  const times = Array.from({ length: 50 }, (_, index) => new Date(Date.UTC(2002, 0, 15) + (index >> 2)).toISOString());
  const ids = await Promise.all(times.map((time, index) => store(time, { message: `Older ${index}` })));
  const page = await openInbox(visit, { timezoneId: 'UTC' });
  await shortenPages(page);
  await chooseDates(page, '2002-01-15', '2002-01-15');
  const older = page.getByRole('button', { name: 'Load older ones' });
  const count = () => rowsOf(page).count();
  expect(await count()).toBe(20);

  // The button is in view then: a search must not load everything.
  const requests = countRequests(page, 'GET');
  await page.getByRole('searchbox', { name: 'Search the 20 loaded' }).fill('older 49');
  await expect.poll(count).toBe(1);
  await older.click();
  const search = page.getByRole('searchbox', { name: 'Search the 40 loaded' });
  await search.waitFor();
  expect(requests).toHaveLength(1);
  await search.fill('');
  expect(await count()).toBe(40);
  // Two frames, so that the page notices that the button has gone out of view.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.mouse.wheel(0, 100_000);
  await expect.poll(count).toBe(50);
  await older.waitFor({ state: 'hidden' });

  const shown = await rowsOf(page).evaluateAll((rows) => rows.map(({ dataset }) => String(dataset['id'])));
  expect(shown.toSorted()).toEqual(ids.toSorted());
  const shownTimes = rowsOf(page).locator('time');
  expect(await shownTimes.evaluateAll((found) => found.map(({ dateTime }) => dateTime))).toEqual(times.toReversed());
});

test('shows what came since, newest first', async ({ visit }) => {
  const spamId = await store(new Date(Date.now() - 3_600_000).toISOString(), { message: 'Came, released' }, 'trap');
  await post({ message: 'Came, before' });
  const page = await openInbox(visit);
  await stopClock(page, 'Came, before');
  await post({ message: 'Came, later' });
  await releaseContact(contacts, spamId, new Date());
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/contact?'));
  const lists = countRequests(page, 'GET');
  await page.clock.runFor(40_000);
  expect(lists).toEqual([]);
  await page.clock.runFor(5_000);
  const { searchParams } = new URL((await asked).url());
  await rowsOf(page, 'Came, released').waitFor();
  expect(await textsOf(page, 'Came,')).toEqual(['Came, released', 'Came, later', 'Came, before']);
  await listOf(page).getByText('2 new', { exact: true }).waitFor();
  const newest = String(await rowOf(page, 'Came, before').locator('time').getAttribute('datetime'));
  const since = new Date(Date.parse(newest) - 60_000).toISOString();
  expect(Object.fromEntries(searchParams)).toEqual({ order: 'asc', since, limit: '200' });
});

test.for([
  {
    timezoneId: 'Europe/Berlin',
    day: '2025-03-30',
    start: '2025-03-29T23:00:00.000Z',
    end: '2025-03-30T22:00:00.000Z',
  },
  // Its clocks go from 23:59 to 01:00.
  {
    timezoneId: 'America/Santiago',
    day: '2024-09-08',
    start: '2024-09-08T04:00:00.000Z',
    end: '2024-09-09T03:00:00.000Z',
  },
])('filters by a day of the reader, $day in $timezoneId', async ({ timezoneId, day, start, end }, { visit }) => {
  const before = (time: string) => new Date(Date.parse(time) - 1).toISOString();
  await store(before(start), { message: 'Before' });
  await store(start, { message: 'First' });
  await store(before(end), { message: 'Last' });
  await store(end, { message: 'After' });
  const page = await openInbox(visit, { timezoneId });
  await chooseDates(page, day, day);
  expect(await textsOf(page)).toEqual(['Last', 'First']);
});

test('shows spam with the command that releases it', async ({ visit }) => {
  const time = '2003-01-15T12:00:00.000Z';
  const id = await store(time, { message: 'Cheap followers' }, 'trap');
  await store(time, { message: 'No spam' });
  const page = await openInbox(visit, { timezoneId: 'UTC' });
  await chooseDates(page, '2003-01-15', '2003-01-15');
  expect(await textsOf(page)).toEqual(['No spam']);
  const command = article(page).getByText(/^npx crcs contacts release/);
  await rowOf(page, 'No spam').click();
  await article(page).getByText('No spam').waitFor();
  expect(await command.isVisible()).toBe(false);
  await page.locator('#spam').selectOption('Spam');
  await rowsOf(page, 'Cheap followers').waitFor();
  expect(await textsOf(page)).toEqual(['Cheap followers']);
  expect(await listOf(page).getByText('Unread').filter({ visible: true }).count()).toBe(0);
  await rowOf(page, 'Cheap followers').click();
  await command.waitFor();
  expect(await command.textContent()).toBe(`npx crcs contacts release ${id}`);
});

test('filters those loaded by text, site and form', async ({ visit }) => {
  const [one, two] = ['https://one.example.com', 'https://two.example.com'];
  const day = '2003-02-15';
  const add = (message: string, fields: Parameters<typeof store>[1]) =>
    store(`${day}T12:00:00.000Z`, { message, ...fields });
  await add('Plain', { site: one, form: 'sales' });
  await add('Named', { firstName: 'Ada', lastName: 'Lovelace', site: two, form: 'sales' });
  await add('Called', { phone: '+1 555 0123', site: two, form: 'support' });
  await add('Asked', { extra: { topic: ['An order', 'ÉCLAIRS'] }, site: one });
  await store('2003-02-16T12:00:00.000Z', { message: 'Later', site: one });
  const page = await openInbox(visit, { timezoneId: 'UTC' });
  await chooseDates(page, day, day);
  const search = page.getByRole('searchbox', { name: 'Search the 4 loaded' });
  for (const [text, found] of [
    ['ada lovelace', ['Named']],
    ['0123', ['Called']],
    [' éclairs ', ['Asked']],
    ['two.example', ['Named', 'Called']],
    ['', ['Plain', 'Named', 'Called', 'Asked']],
  ] as const) {
    await search.fill(text);
    expect((await textsOf(page)).toSorted(), text).toEqual(found.toSorted());
  }

  await page.getByLabel('Site, of those loaded').selectOption(two);
  expect((await textsOf(page)).toSorted()).toEqual(['Called', 'Named']);
  await page.getByLabel('Form, of those loaded').selectOption('sales');
  expect(await textsOf(page)).toEqual(['Named']);
  await search.fill('nobody');
  await page.getByText('None of the 4 loaded matches.').waitFor();
  await search.fill('');

  await page.getByLabel('Form, of those loaded').selectOption('All');
  await page.getByLabel('To', { exact: true }).fill('2003-02-16');
  await page.getByRole('searchbox', { name: 'Search the 5 loaded' }).waitFor();
  expect((await textsOf(page)).toSorted(), 'the chosen site stays').toEqual(['Called', 'Named']);
});

test('deletes after five seconds, during which it can be undone', async ({ visit }) => {
  const ids: string[] = [];
  for (const message of ['Delete one', 'Delete two', 'Delete three']) ids.push(await post({ message }));
  const page = await openInbox(visit);
  await stopClock(page, 'Delete three');
  const deleted = countRequests(page, 'DELETE');
  await rowOf(page, 'Delete three').click();
  await article(page).getByRole('button', { name: 'Delete' }).click();
  await article(page).waitFor({ state: 'hidden' });
  expect(await textsOf(page, 'Delete ')).toEqual(['Delete two', 'Delete one']);
  // What is deleted meanwhile gets five seconds of its own, and the same undo.
  await page.clock.runFor(4_000);
  await rowOf(page, 'Delete two').press('#');
  await page.getByText('Deleted 2.').waitFor();
  await page.clock.runFor(4_000);
  // The rows of a new reading of the list can be restored too.
  await page.locator('#spam').selectOption('Spam');
  await page.locator('#spam').selectOption('Contact requests');
  await rowsOf(page, 'Delete one').waitFor();
  expect(await textsOf(page, 'Delete ')).toEqual(['Delete one']);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await textsOf(page, 'Delete ')).toEqual(['Delete three', 'Delete two', 'Delete one']);
  await page.clock.runFor(10_000);
  expect(deleted).toEqual([]);

  await page.getByRole('checkbox', { name: 'Select ada@example.com' }).nth(0).check();
  await page.getByRole('searchbox').fill('Delete');
  await page.getByRole('button', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'Delete 3 selected' }).click();
  await page.clock.runFor(4_900);
  expect(deleted).toEqual([]);
  await page.clock.runFor(100);
  await page.getByText('Deleted 3.').waitFor({ state: 'hidden' });
  for (const id of ids) await expect.poll(() => statusOf(id)).toBe(404);
});

test('brings back what it cannot delete, with the reason', async ({ visit }) => {
  const ids: string[] = [];
  for (const message of ['Fail one', 'Fail two', 'Fail three']) ids.push(await post({ message }));
  const page = await openInbox(visit);
  await page.route(`${service.apiUrl}/api/v1/contact/${ids[1]}`, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, headers: { 'Access-Control-Allow-Origin': service.inboxUrl } })
      : route.continue(),
  );
  await stopClock(page, 'Fail three');
  await page.getByRole('searchbox').fill('Fail');
  await page.getByRole('button', { name: 'Select all shown' }).click();
  await page.getByRole('button', { name: 'Delete 3 selected' }).click();
  await page.getByText('None of the').waitFor();
  await page.clock.runFor(5_000);
  await page.getByText('1 not deleted. The API has a fault (500).').waitFor();
  expect(await textsOf(page)).toEqual(['Fail two']);
  await rowsOf(page).getByText('Not deleted. The API has a fault (500). Try again later.').waitFor();
  expect(await Promise.all(ids.map(statusOf))).toEqual([404, 200, 404]);
});

test('takes the buttons away if the token cannot delete, and says why', async ({ visit }) => {
  const id = await post({ message: 'Forbidden to delete' });
  await post({ message: 'Another one' });
  const page = await openInbox(visit, { token: service.readToken });
  await stopClock(page, 'Forbidden');
  await rowOf(page, 'Forbidden').click();
  await article(page).getByRole('button', { name: 'Delete' }).click();
  await page.clock.runFor(5_000);
  await page.getByText('This token cannot delete: it lacks the permission contacts:delete.').waitFor();
  await rowsOf(page, 'Forbidden').getByText('This token does not have the permission').waitFor();
  await rowOf(page, 'Forbidden').click();
  await article(page).waitFor();
  expect(await page.getByRole('button', { name: /Delete|Select/ }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.keyboard.press('#');
  expect(await article(page).isVisible()).toBe(true);
  expect(await statusOf(id)).toBe(200);
});

test('asks before someone leaves while deletions wait or are under way', async ({ visit }) => {
  const [one, two] = [await post({ message: 'Leave one' }), await post({ message: 'Leave two' })];
  const page = await openInbox(visit);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(`${service.apiUrl}/api/v1/contact/${one}`, async (route) => {
    await held;
    await route.continue();
  });
  await stopClock(page, 'Leave two');
  let questions = 0;
  page.on('dialog', (dialog) => {
    questions += 1;
    void dialog.dismiss();
  });
  await rowOf(page, 'Leave one').press('#');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => questions).toBe(1);
  await page.clock.runFor(5_000);
  await rowOf(page, 'Leave two').press('#');
  await page.clock.runFor(5_000);
  await expect.poll(() => statusOf(two)).toBe(404);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => questions).toBe(2);
  const deleted = page.waitForResponse(new RegExp(one));
  goOn();
  await (await deleted).finished();
  await page.reload();
  expect(questions).toBe(2);
});

test('downloads as CSV what the API selects', async ({ visit }) => {
  const day = '2003-03-15';
  const range = 'since=2003-03-15T00:00:00Z&until=2003-03-16T00:00:00Z';
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      store(`${day}T12:00:00.${String(index).padStart(3, '0')}Z`, {
        message: `Line ${index},\nthe "second"\r\nthird; é`,
      }),
    ),
  );
  await store(`${day}T12:00:00.000Z`, { message: 'Spam of that day' }, 'trap');
  const page = await openInbox(visit, { timezoneId: 'UTC' });
  await shortenPages(page);
  await chooseDates(page, day, day);
  await page.getByRole('searchbox').fill('nothing of this');
  const download = async () => {
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await started;
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    return readFile(await file.path(), 'utf8');
  };
  const expected = async (spam: boolean) => {
    const pages = await pagesOf(`/api/v1/contact?limit=20&${range}&spam=${spam}`, 'text/csv');
    return `\ufeff${pages.map((csv, index) => (index === 0 ? csv : csv.replace(/^id,.*\r\n/, ''))).join('')}`;
  };
  let answer = () => {};
  await page.route(/cursor=/, async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.continue();
  });
  const all = download();
  await listOf(page).getByText('Downloading page 2…').waitFor();
  answer();
  expect(await all).toBe(await expected(false));
  await listOf(page).getByText('Downloaded.').waitFor();

  await page.locator('#spam').selectOption('Spam');
  const spam = await download();
  expect(spam).toContain('Spam of that day');
  expect(spam).toBe(await expected(true));
});

test('lists campaigns, with their ids to copy', async ({ visit }) => {
  const campaigns = { client: environment.dynamodb, table: environment.tables.campaigns };
  for (const name of ['Spring sale', 'Éclairs <b>now</b>', 'חדש']) await addCampaign(campaigns, name);
  const [answer] = await pagesOf('/v1/campaigns');
  const listed = v.parse(v.array(v.object({ id: v.string(), name: v.string() })), JSON.parse(String(answer)));
  const page = await openInbox(visit);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(`${service.apiUrl}/v1/campaigns`, async (route) => {
    await held;
    await route.continue({ url: `${route.request().url()}?limit=2` });
  });
  const dialog = page.getByRole('dialog', { name: 'Campaigns' });
  const copy = () => dialog.getByRole('button', { name: 'Copy the ID of Spring sale' }).click();
  const open = (on: Page) => on.getByRole('button', { name: 'Campaigns' }).click();
  const shown = () => dialog.getByRole('listitem').allInnerTexts();
  await open(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await open(page);
  goOn();
  await expect.poll(shown).toEqual(listed.map(({ id, name }) => `${name}\n${id}\nCopy`));

  await page.context().grantPermissions(['clipboard-read']);
  await copy();
  await dialog.getByText('This browser does not let the page copy.').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await copy();
  await dialog.getByText('Copied the ID of Spring sale.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    listed.find(({ name }) => name === 'Spring sale')?.id,
  );

  expect(await shown(), 'although opened twice').toHaveLength(listed.length);

  const reader = await openInbox(visit, { token: service.readToken });
  await open(reader);
  await reader.getByText('This token does not have the permission for this.').waitFor();
});

test('obeys keys, but not while someone types', async ({ visit }) => {
  const day = '2003-04-15';
  for (const [index, message] of ['Key c', 'Key b', 'Key a'].entries()) {
    await store(`${day}T12:00:00.00${index}Z`, { message });
  }
  const page = await openInbox(visit, { timezoneId: 'UTC' });
  await chooseDates(page, day, day);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole('heading', { name: 'Inbox' }).click();
  await press('/');
  await page.keyboard.type('key ?#jk/');
  expect(await page.getByRole('searchbox').inputValue()).toBe('key ?#jk/');
  await page.getByRole('searchbox').fill('key');
  await press('Enter');
  await waitForFocus(page, 'Key a');
  await press('j', 'j', 'j', 'k');
  await waitForFocus(page, 'Key b');
  await press('Enter');
  await article(page).getByText('Key b').waitFor();
  await article(page).locator('h2:focus').waitFor();
  await press('j');
  await article(page).getByText('Key c').waitFor();
  await press('k', 'k');
  await article(page).getByText('Key a').waitFor();
  await press('Escape');
  await article(page).waitFor({ state: 'hidden' });
  await waitForFocus(page, 'Key a');

  await press('#');
  expect(await textsOf(page)).toEqual(['Key b', 'Key c']);
  await waitForFocus(page, 'Key b');
  await press('j', '#');
  expect(await textsOf(page)).toEqual(['Key b']);
  await waitForFocus(page, 'Key b');
  await press('#');
  await waitForFocus(page, 'Undo');
  await press('Enter');
  expect(await textsOf(page)).toEqual(['Key a', 'Key b', 'Key c']);

  await press('Enter', '?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.waitFor();
  await press('#', 'j');
  await help.getByLabel('Use these keys').uncheck();
  await press('Escape');
  await help.waitFor({ state: 'hidden' });
  await article(page).getByText('Key a').waitFor();
  await page.reload();
  await rowOf(page, '').first().focus();
  await press('#', '?');
  expect(await page.getByText('Deleted.').isVisible()).toBe(false);
  expect(await help.isVisible()).toBe(false);
});

test("the browser's Back returns to the same place in the list", async ({ visit }) => {
  const day = '2003-05-15';
  const times = Array.from({ length: 30 }, (_, index) => `${day}T12:00:${index + 10}.000Z`);
  await Promise.all(times.map((time) => store(time, { message: `At ${time}` })));
  const page = await openInbox(visit, { timezoneId: 'UTC', viewport: { width: 400, height: 700 } });
  await chooseDates(page, day, day);
  await rowOf(page, `${day}T12:00:15`).click();
  await article(page).waitFor();
  await page.goBack();
  await article(page).waitFor({ state: 'hidden' });
  await waitForFocus(page, `${day}T12:00:15`);
});

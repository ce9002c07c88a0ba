import type { Page, Response } from 'playwright-core';
import { expect } from 'vitest';
import { contactStore } from '../../functions/contacts/contact-store.ts';
import { releaseContact } from '../../functions/contacts/manage-contacts.ts';
import {
  article,
  choose,
  chooseDates,
  clickInMenu,
  expectRows,
  holdRequests,
  limitPages,
  openOne,
  openRow,
  post,
  requestsOf,
  rowOf,
  rowsOf,
  service,
  showSpam,
  statusOf,
  test,
} from './inbox-page.ts';

const postAll = async (...messages: readonly string[]) => {
  const ids: string[] = [];
  for (const message of messages) ids.push(await post({ message }));
  return ids;
};

const deleteAllShown = async (page: Page, count: number) => {
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: `Delete ${count} selected` }).click();
};

const placeOf = (page: Page, name: string) => page.getByRole('navigation').getByRole('button', { name });

const waitForFocus = (page: Page, text: string) => page.locator(':focus').filter({ hasText: text }).waitFor();

test('lists the newest first, in the time zone of the reader', async ({ store, openInbox }) => {
  await store('2001-01-31T20:00:00.000Z', { message: 'First' });
  await store('2001-01-31T20:30:00.000Z', { message: 'Third', form: 'sales' });
  await store('2001-01-31T20:15:00.000Z', { email: 'grace@example.com', extra: { topic: ['Tea', 'Cake'] } });
  await store('2001-01-31T19:45:00.000Z', { email: 'ada@example.com', form: 'newsletter' });
  await store('2001-01-31T19:30:00.000Z', { email: 'ada@example.com', extra: { 'your-name': 'Ada', size: 'L' } });
  const page = await openInbox({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
  await expectRows(page, ['Third', 'Tea', 'First', '', 'L']);
  expect(await rowsOf(page).locator('strong').allTextContents()).toEqual([
    'A visitor',
    'grace@example.com',
    'A visitor',
    'ada@example.com',
    'Ada',
  ]);
  expect(await rowsOf(page).locator('small').allTextContents()).toEqual(['sales', '', '', 'newsletter', '']);
  expect(await rowsOf(page).locator('time').allTextContents()).toEqual(Array(5).fill('1 Feb 2001'));
  await page.getByRole('heading', { name: 'February 2001' }).waitFor();
});

test('links to what a browser can open, and to numbers that a phone can dial', async ({ store, openInbox }) => {
  const contact = {
    firstName: 'Ada',
    message: 'Two\nlines',
    email: 'ada+tea@example.com',
    phone: '+44 (0)20 7946 0018 x12',
  };
  await store('2001-03-01T12:00:00.000Z', { ...contact, site: 'https://www.example.com' });
  await store('2001-03-01T11:00:00.000Z', { message: 'From this machine', phone: '0555 0100', site: service.siteUrl });
  await store('2001-03-01T10:00:00.000Z', { message: 'A command', phone: '##002#' });
  const page = await openInbox();
  const links = () =>
    article(page)
      .locator('dl a')
      .evaluateAll((found) => found.map(({ href }) => href));
  await openRow(page, 'Two');
  expect(await links()).toEqual(['mailto:ada%2Btea@example.com', 'tel:+442079460018', 'https://www.example.com/']);

  await openRow(page, 'From this machine');
  expect(await links(), 'only https links').toEqual(['tel:05550100']);
  expect(await article(page).getByRole('link', { name: 'Reply' }).isVisible()).toBe(false);
  await openRow(page, 'A command');
  expect(await links(), 'only numbers').toEqual([]);
});

test('says until when a contact request is kept', async ({ contacts: { client, table }, openInbox }) => {
  const expiresAt = new Date(Date.now() + 30 * 86_400_000);
  const fields = { message: 'Keep me' };
  await contactStore(client, table).create({ fields, spam: false, createdAt: new Date(), expiresAt });
  await post({ message: 'Forever' });
  const page = await openInbox();
  await openRow(page, 'Keep me');
  const kept = article(page).getByText('Kept until', { exact: true });
  await expect
    .poll(() => kept.locator('+ dd time').getAttribute('datetime'))
    .toBe(`${expiresAt.toISOString().slice(0, 19)}.000Z`);
  await openRow(page, 'Forever');
  await kept.waitFor({ state: 'hidden' });
});

test('shows each text in its own direction', async ({ store, openInbox }) => {
  const text = '\u05e9\u05dc\u05d5\u05dd';
  await store('2001-03-02T12:00:00.000Z', {
    message: `1 ${text}`,
    firstName: text,
    form: text,
    extra: { [text]: `2 ${text}` },
  });
  const page = await openInbox();
  await openRow(page, text);
  const shown = page.getByText(text);
  const directions = await shown.evaluateAll((found) =>
    found.map((each) => `${each.localName} ${each.ownerDocument.defaultView?.getComputedStyle(each).direction}`),
  );
  expect(directions.toSorted()).toEqual(
    ['bdi', 'dd', 'dd', 'dt', 'h2', 'option', 'p', 'span', 'strong'].map((name) => `${name} rtl`),
  );
});

test('replies with the message quoted, in a link that Windows passes on', async ({ store, openInbox }) => {
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
  const time = '2001-04-01T11:00:00.000Z';
  const message = 'Tea & cake?\nAt 5 o’clock: 100 %';
  const short = await store(time, { message, email: 'grace@example.com', firstName: 'Grace' });
  const page = await openInbox({ timezoneId: 'UTC', locale: 'en-GB' });
  const linkOf = async (id: string) => {
    await openOne(page, id);
    return String(await article(page).getByRole('link', { name: 'Reply' }).getAttribute('href'));
  };

  const link = new URL(await linkOf(short));
  expect([link.protocol, link.pathname]).toEqual(['mailto:', 'grace@example.com']);
  expect(Object.fromEntries(link.searchParams)).toEqual({
    subject: 'Re: Your message',
    body: '\r\n\r\nOn 1 April 2001 at 11:00, Grace wrote:\r\n> Tea & cake?\r\n> At 5 o’clock: 100 %',
  });

  const named = {
    email: 'grace@example.com',
    firstName: 'Grace',
    message: 'Some tea, please',
    extra: { Nom: 'Hopper', 'your-subject': 'An order' },
  };
  const { searchParams } = new URL(await linkOf(await store(time, named)));
  expect(searchParams.get('subject')).toBe('Re: An order');
  expect(searchParams.get('body')).toContain('Grace Hopper wrote:');

  for (const [kind, fields] of Object.entries(long)) {
    const href = await linkOf(await store(time, { email: 'ada@example.com', ...fields }));
    expect(href.length, kind).toBeLessThan(2_000);
    expect(href.length, kind).toBeGreaterThan(1_500);
    const text = decodeURIComponent(href);
    expect(text, kind).not.toContain('\ufffd');
    expect(text, kind).toMatch(kind === 'families' ? /👩‍👩‍👧‍👦 \[…\]$/ : / \[…\]$/);
  }
});

test('remembers in this browser what was read', async ({ store, openInbox }) => {
  await store('2001-05-01T12:00:00.000Z', { message: 'Of old' });
  await postAll('One', 'Two', 'Three');
  const page = await openInbox();
  const expectUnread = async (on: Page, ...messages: readonly string[]) => {
    const unread = rowsOf(on).filter({ has: on.getByText('Unread', { exact: true }).filter({ visible: true }) });
    await expect.poll(() => unread.locator('a > span').allTextContents()).toEqual(messages);
  };
  const expectTitle = (title: string) => expect.poll(() => page.title()).toBe(title);
  await expectUnread(page, 'Three', 'Two', 'One', 'Of old');
  await expectTitle('(4) Inbox');
  await openRow(page, 'One');
  await expectUnread(page, 'Three', 'Two', 'Of old');
  const other = await page.context().newPage();
  await other.goto(`${service.inboxUrl}/#token=${service.staffToken}`);
  await expectUnread(other, 'Three', 'Two', 'Of old');
  await openRow(other, 'Two');
  await page.bringToFront();
  await expectUnread(page, 'Three', 'Of old');

  // Marks what is no newer than those shown.
  await chooseDates(page, '2001-05-01', '2001-05-01');
  await expectUnread(page, 'Of old');
  await expectTitle('(2) Inbox');
  await clickInMenu(page, 'Mark all shown as read');
  await expectUnread(page);
  await page.reload();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectUnread(page, 'Three');
  await openRow(page, 'Of old');
  await article(page).getByRole('button', { name: 'Mark as unread' }).click();
  await expectUnread(page, 'Three', 'Of old');
  await rowOf(page, 'One').press('U');
  await expectUnread(page, 'Three', 'One', 'Of old');
  await clickInMenu(page, 'Mark all shown as read');
  await expectUnread(page);
  expect(await page.getByRole('button', { name: 'Mark all shown as read' }).isVisible()).toBe(false);
});

test('loads older ones by scrolling, each once', async ({ store, openInbox }) => {
  // Four at each millisecond: a page ends among them.
  const times = Array.from({ length: 125 }, (_, index) => new Date(Date.UTC(2002, 0, 15) + (index >> 2)).toISOString());
  const ids = await Promise.all(times.map((time, index) => store(time, { message: `Older ${index}` })));
  const page = await openInbox();
  await limitPages(page, 50);
  await page.reload();
  const older = page.getByRole('button', { name: 'Load older ones' });
  const expectCount = (count: number) => expect.poll(() => rowsOf(page).count()).toBe(count);
  await expectCount(50);
  await page.getByText('50+ unread of 50+').waitFor();
  for (const count of [100, 125]) {
    // Two frames, so that the page notices that the button has gone out of view.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.mouse.wheel(0, 100_000);
    await expectCount(count);
  }
  await older.waitFor({ state: 'hidden' });
  await page.getByText('125 unread of 125').waitFor();

  const shown = await rowsOf(page).evaluateAll((rows) => rows.map(({ contact }) => contact.id));
  expect(shown.toSorted()).toEqual(ids.toSorted());
  const shownTimes = rowsOf(page).locator('time');
  expect(await shownTimes.evaluateAll((found) => found.map(({ dateTime }) => dateTime))).toEqual(times.toReversed());
});

test('shows what came since, newest first', async ({ contacts, store, openWithClock }) => {
  const spamId = await store(new Date(Date.now() - 3_600_000).toISOString(), { message: 'Released' }, 'trap');
  await post({ message: 'Before' });
  const page = await openWithClock();
  await expectRows(page, ['Before']);
  await post({ message: 'Later' });
  await releaseContact(contacts, spamId, new Date());
  const requests = requestsOf(page);
  await page.clock.runFor(40_000);
  expect(requests).toEqual([]);
  await page.clock.runFor(5_000);
  await expectRows(page, ['Released', 'Later', 'Before']);
  await page.getByRole('status').getByText('2 new', { exact: true }).waitFor();
  const newest = String(await rowOf(page, 'Before').locator('time').getAttribute('datetime'));
  const since = new Date(Date.parse(newest) - 60_000).toISOString();
  const asked = requests.map((url) => Object.fromEntries(new URL(url).searchParams));
  expect(asked).toEqual([{ order: 'asc', since, limit: '200' }]);
});

test.for([
  ['2025-03-30', 'Europe/Berlin', '2025-03-29T23:00:00.000Z', '2025-03-30T22:00:00.000Z'],
  // Its clocks go from 23:59 to 01:00.
  ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00.000Z', '2024-09-09T03:00:00.000Z'],
] as const)('filters by a day of the reader, %s in %s', async ([day, timezoneId, start, end], { store, openInbox }) => {
  const before = (time: string) => new Date(Date.parse(time) - 1).toISOString();
  await store(before(start), { message: 'Before' });
  await store(start, { message: 'First' });
  await store(before(end), { message: 'Last' });
  await store(end, { message: 'After' });
  const page = await openInbox({ timezoneId });
  await chooseDates(page, day, day);
  await expectRows(page, ['Last', 'First']);
});

test('shows why spam was caught, and the command that releases it', async ({ store, openInbox }) => {
  const time = '2003-01-15T12:00:00.000Z';
  const id = await store(time, { message: 'Cheap followers' }, 'trap');
  await store('2003-01-14T12:00:00.000Z', { email: 'eve@example.com' }, 'trap');
  await store(time, { message: 'No spam' });
  await store('2003-01-14T12:00:00.000Z', { message: 'Older' });
  const page = await openInbox();
  const command = article(page).getByText(/^npx --no-install crcs contacts release/);
  await expectRows(page, ['No spam', 'Older']);
  await openRow(page, 'No spam');
  await openRow(page, 'Older');
  expect(await command.isVisible()).toBe(false);
  await showSpam(page);
  await expectRows(page, ['Cheap followers', '']);
  const reason = 'the hidden field was filled in';
  expect(await rowsOf(page).locator('small').allTextContents(), 'why').toEqual([reason, reason]);
  expect(await rowsOf(page).getByText('Unread').filter({ visible: true }).count()).toBe(0);
  await openRow(page, 'Cheap followers');
  await article(page).getByText('Spam: the hidden field was filled in.').waitFor();
  expect(await command.textContent()).toBe(`npx --no-install crcs contacts release ${id}`);

  // What is opened need not be in the list that is shown.
  await page.goBack();
  await page.goBack();
  await article(page).getByText('No spam').waitFor();
  expect(await command.isVisible()).toBe(false);
  await page.goForward();
  await page.goForward();
  await command.waitFor();

  // A link can lead to spam while the list shows none.
  await choose(page, 'Show', 'Contact requests');
  await page.reload();
  await openOne(page, id);
  await article(page).getByText('Spam: the hidden field was filled in.').waitFor();
});

test('keeps what someone has released from spam meanwhile', async ({ contacts, store, openWithClock }) => {
  const spam = await store('2003-01-15T12:00:00.000Z', { message: 'Cheap followers' }, 'trap');
  const released = await store('2003-01-14T12:00:00.000Z', { message: 'A real question' }, 'trap');
  const page = await openWithClock();
  await showSpam(page);
  await expectRows(page, ['Cheap followers', 'A real question']);
  await releaseContact(contacts, released, new Date());
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete 2 selected' }).click();
  await page.clock.runFor(5_000);
  await page.getByRole('status').getByText('1 not deleted. Somebody has released it from spam.').waitFor();
  await expectRows(page, ['A real question']);
  expect([await statusOf(spam), await statusOf(released)]).toEqual([404, 200]);
  await openRow(page, 'A real question');
  await article(page).getByText('Released from spam').waitFor({ state: 'attached' });
  expect(
    await article(page)
      .getByText(/^npx --no-install crcs contacts release/)
      .isVisible(),
  ).toBe(false);
});

test('deletes the one to which a quick key has gone', async ({ store, openInbox }) => {
  for (const day of [1, 2, 3]) await store(`2003-02-0${day}T12:00:00.000Z`, { message: `Day ${day}` });
  const page = await openInbox();
  await openRow(page, 'Day 3');
  await page.locator('body').evaluate((body) => {
    const { KeyboardEvent } = body.ownerDocument.defaultView;
    for (const key of ['j', '#']) body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  await expectRows(page, ['Day 3', 'Day 1']);
});

test('searches, selects and reaches more than it puts into the page', async ({ store, openInbox }) => {
  const times = Array.from({ length: 230 }, (_, index) => new Date(Date.UTC(2004, 0, 1, 0, index)).toISOString());
  const ids = await Promise.all(times.map((time, index) => store(time, { message: `Number ${index}` })));
  const page = await openInbox();
  await openRow(page, 'Number 228');
  await page.keyboard.press('#');
  await waitForFocus(page, 'Number 227');
  expect(await page.evaluate('scrollY'), 'the page stays where it is').toBe(0);
  await page.keyboard.press('u');
  const search = page.getByRole('searchbox');
  await search.fill('number');
  await page.getByRole('status').getByText('230 found').waitFor();
  expect(await rowsOf(page).count()).toBe(200);
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page.getByRole('button', { name: 'Delete 230 selected' }).waitFor();
  await openOne(page, String(ids[8]));
  await page.keyboard.press('j');
  await article(page).getByText('Number 7').waitFor();
  await page.keyboard.press('Escape');
  await rowOf(page, 'Number 7').and(page.locator(':focus')).waitFor();
  await search.fill('number 22');
  await rowOf(page, 'Number 0').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete 12 selected' }).waitFor();
});

test('deletes after five seconds, during which it can be undone', async ({ openWithClock }) => {
  const ids = await postAll('One', 'Two', 'Three');
  const page = await openWithClock();
  const deleted = requestsOf(page, 'DELETE');
  await openRow(page, 'Three');
  await article(page).getByRole('button', { name: 'Delete' }).click();
  await article(page).waitFor({ state: 'hidden' });
  await expectRows(page, ['Two', 'One']);
  // What is deleted meanwhile gets five seconds of its own, and the same undo.
  await page.clock.runFor(4_000);
  await rowOf(page, 'Two').press('#');
  await page.getByText('Deleted 2.').waitFor();
  await page.clock.runFor(4_000);
  // The rows of a new reading of the list can be restored too.
  await showSpam(page);
  await choose(page, 'Show', 'Contact requests');
  await expectRows(page, ['One']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectRows(page, ['Three', 'Two', 'One']);
  await page.clock.runFor(10_000);
  expect(deleted).toEqual([]);

  await rowsOf(page, 'Two').getByRole('checkbox').check();
  await deleteAllShown(page, 3);
  await page.clock.runFor(4_900);
  expect(deleted).toEqual([]);
  await page.clock.runFor(100);
  await page.getByText('Deleted 3.').waitFor({ state: 'hidden' });
  for (const id of ids) await expect.poll(() => statusOf(id)).toBe(404);
});

test('asks before it deletes more than twenty, or marks them as read', async ({ store, openWithClock }) => {
  for (let day = 10; day < 31; day += 1) await store(`2003-01-${day}T12:00:00.000Z`, { message: `Day ${day}` });
  const page = await openWithClock();
  const questions: string[] = [];
  let isSure = false;
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (isSure ? dialog.accept() : dialog.dismiss());
  });
  await clickInMenu(page, 'Mark all shown as read');
  expect(questions).toEqual(['Mark 21 contact requests as read?']);
  await page.getByText('21 unread of 21').waitFor();
  questions.length = 0;
  await deleteAllShown(page, 21);
  expect(await rowsOf(page).count()).toBe(21);
  isSure = true;
  await page.getByRole('button', { name: 'Delete 21 selected' }).click();
  await expectRows(page, []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowsOf(page, 'Day 10').waitFor();
  await deleteAllShown(page, 21);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await rowsOf(page, 'Day 10').getByRole('checkbox').uncheck();
  await page.getByRole('button', { name: 'Delete 20 selected' }).click();
  await expectRows(page, ['Day 10']);
  expect(questions).toEqual(Array(3).fill('Delete 21 contact requests?'));
});

test('another window notices deletions', async ({ openWithClock }) => {
  const [id = ''] = await postAll('One', 'Two');
  const page = await openWithClock();
  const other = await page.context().newPage();
  await other.goto(`${service.inboxUrl}/#token=${service.staffToken}`);
  await openRow(other, 'One');
  await rowOf(page, 'One').press('#');
  await page.clock.runFor(5_000);
  await expect.poll(() => statusOf(id)).toBe(404);
  await expectRows(other, ['Two']);
  await other.getByText('This contact request has been deleted.').waitFor();
  expect(await article(other).isVisible()).toBe(false);
});

test('counts the spam that was marked since someone last looked', async ({ store, openInbox }) => {
  await store('2003-01-14T12:00:00.000Z', { message: 'First' }, 'trap');
  await store('2003-01-15T12:00:00.000Z', { message: 'Second' }, 'trap');
  const page = await openInbox();
  await placeOf(page, 'Spam 2 new').click();
  await expectRows(page, ['Second', 'First']);
  await page.getByRole('heading', { name: 'Spam' }).waitFor();
  expect(await page.title()).toBe('Spam');
  await store('2003-01-16T12:00:00.000Z', { message: 'Third' }, 'trap');
  await placeOf(page, 'Inbox').click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.reload();
  await placeOf(page, 'Spam 1 new').waitFor();
});

test('copies the command that releases spam', async ({ store, openInbox }) => {
  const id = await store('2003-01-15T12:00:00.000Z', { message: 'A real question' }, 'trap');
  const page = await openInbox();
  await openOne(page, id);
  const command = `npx --no-install crcs contacts release ${id}`;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await article(page).getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command);

  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
  await article(page).getByRole('button', { name: 'Copy' }).click();
  await page.getByText('This browser does not copy. Select the text instead.').waitFor();
});

test('says for ten seconds what happened', async ({ openWithClock }) => {
  await postAll('One');
  const page = await openWithClock();
  await rowOf(page, 'One').press('#');
  await page.keyboard.press('u');
  const said = page.getByText('Brought back.');
  await page.clock.runFor(9_900);
  await said.waitFor();
  await page.clock.runFor(100);
  await said.waitFor({ state: 'hidden' });
});

test('an empty list says what to do first', async ({ openInbox }) => {
  const page = await openInbox();
  await page.getByText('No contact requests.').waitFor();
  await page.getByText('Send a form from your site').waitFor();
  const example = page.getByRole('link', { name: `${service.siteUrl}/` });
  expect(await example.getAttribute('href')).toBe(`${service.siteUrl}/`);
  await showSpam(page);
  await page.getByText('No spam.').waitFor();
  expect(await example.isVisible()).toBe(false);
});

test('has an icon', async ({ openInbox }) => {
  const page = await openInbox();
  const load = 'const image = new Image(); image.src = document.querySelector("[rel=icon]").href; image.decode()';
  expect(await page.evaluate(load)).toBeUndefined();
});

test('brings back what it cannot delete, with the reason', async ({ openWithClock }) => {
  const ids = await postAll('One', 'Two', 'Three');
  const page = await openWithClock();
  await page.route(new RegExp(`${ids[1]}$`), (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500 }) : route.continue(),
  );
  // The clock also ends requests that are under way: none may be when it goes on.
  const isDeletion = (id?: string) => (response: Response) =>
    response.request().method() === 'DELETE' && response.url().endsWith(`${id}`);
  const responses = [ids[0], ids[2]].map((id) => page.waitForResponse(isDeletion(id)));
  await deleteAllShown(page, 3);
  await expectRows(page, []);
  await page.clock.runFor(5_000);
  await Promise.all(responses);
  await page.getByText('1 not deleted. The API had an error (500). Try again later.').waitFor();
  await expectRows(page, ['Two']);
  await page.getByRole('button', { name: 'Delete 1 selected' }).waitFor();
  // It stays, whatever the page reads meanwhile.
  await page.clock.runFor(60_000);
  expect(await page.getByText('1 not deleted.').isVisible()).toBe(true);
  expect(await Promise.all(ids.map(statusOf))).toEqual([404, 200, 404]);

  await clickInMenu(page, 'Sign out');
  await page.getByRole('alert').getByText('1 not deleted.').waitFor();
});

test('deletes from the list what is selected or in focus there, even beside an opened one', async ({ openInbox }) => {
  const [one = '', two = ''] = await postAll('One', 'Two');
  const page = await openInbox();
  await openRow(page, 'One');
  await rowOf(page, 'Two').press('#');
  await expectRows(page, ['One']);
  await clickInMenu(page, 'Sign out');
  await page.getByLabel('Staff token').waitFor();
  expect([await statusOf(one), await statusOf(two)]).toEqual([200, 404]);
});

test('shows nothing else while one that is not in the list loads', async ({ store, openInbox }) => {
  const id = await store('2001-05-01T12:00:00.000Z', { message: 'Precious' });
  await store('2002-05-01T12:00:00.000Z', { message: 'Other' });
  const page = await openInbox({ timezoneId: 'UTC' });
  await openRow(page, 'Precious');
  await chooseDates(page, '2002-05-01', '2002-05-01');
  await openRow(page, 'Other');
  const { release } = await holdRequests(page, (url) => url.pathname.endsWith(id));
  await page.goBack();
  await article(page).waitFor({ state: 'hidden' });
  await release();
  await article(page).getByText('Precious').waitFor();
});

test('asks before someone leaves while deletions wait or are under way', async ({ openWithClock }) => {
  const [one = '', two = ''] = await postAll('One', 'Two');
  const page = await openWithClock();
  const { release } = await holdRequests(page, (url) => url.pathname.endsWith(one));
  let questions = 0;
  page.on('dialog', (dialog) => {
    questions += 1;
    void dialog.dismiss();
  });
  await rowOf(page, 'One').press('#');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => questions).toBe(1);
  await page.clock.runFor(5_000);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => questions).toBe(2);
  await rowOf(page, 'Two').press('#');
  await page.clock.runFor(5_000);
  const deleted = page.waitForResponse(new RegExp(two));
  await release();
  await (await deleted).finished();
  await page.reload();
  expect(questions).toBe(2);
});

test('obeys keys, but not while someone types', async ({ openInbox }) => {
  await postAll('Key c', 'Key b', 'Key a');
  const page = await openInbox();
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
  await expectRows(page, ['Key b', 'Key c']);
  await waitForFocus(page, 'Key b');
  await press('j', '#');
  await expectRows(page, ['Key b']);
  await waitForFocus(page, 'Key b');
  await press('#', 'u');
  await expectRows(page, ['Key a', 'Key b', 'Key c']);

  await press('Enter', '?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await help.waitFor();
  await press('#', 'j');
  await help.getByLabel('Use these keys').uncheck();
  await press('Escape');
  await help.waitFor({ state: 'hidden' });
  await article(page).getByText('Key a').waitFor();
  await page.reload();
  await rowOf(page, 'Key b').focus();
  await press('#', '?');
  expect(await page.getByText('Deleted.').isVisible()).toBe(false);
  expect(await help.isVisible()).toBe(false);
});

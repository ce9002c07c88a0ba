import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
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
});

const longName = 'Ü'.repeat(100);

test('nothing needs horizontal scrolling, however long a word, wide a screen or large the text', async ({ visit }) => {
  const text = randomUUID();
  const email = `${'a'.repeat(64)}@${['b', 'c', 'd'].map((letter) => letter.repeat(59)).join('.')}.example`;
  await post({
    email,
    message: `${text}${'M'.repeat(2_000)}`,
    firstName: longName,
    company: longName,
    _form: 'W'.repeat(60),
    ['n'.repeat(60)]: 'W'.repeat(2_000),
    list: ['W'.repeat(1_000), 'مرحبا'.repeat(200)],
  });
  const page = await openList(visit, text);
  await page.getByText('More filters').click();
  await open(page, text);
  for (const width of [320, 959, 960, 1280, 3840]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await widthOf(page)).toBe(width);
    if (width < 960) await page.goBack();
    expect(await widthOf(page)).toBe(width);
    if (width < 960) await page.goForward();
    await page.getByRole('article').waitFor();
  }
  await page.locator('html').evaluate((html) => html.style.setProperty('font-size', '200%'));
  for (const width of [320, 640, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await widthOf(page)).toBe(width);
  }
});

test('on a narrow screen an opened one takes the place of the list; Back returns to its row', async ({ visit }) => {
  const text = randomUUID();
  for (let number = 10; number < 30; number += 1) await post({ message: `${text} ${number}` });
  const page = await openList(visit, text, { viewport: narrow });
  const opened = row(page, `${text} 15`).getByRole('link');
  await opened.click();
  await page.getByRole('article').waitFor();
  expect(await page.getByRole('searchbox').isVisible()).toBe(false);
  expect(await opened.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Back to the list' }).isVisible();
  await page.goBack();
  await page.getByRole('article').waitFor({ state: 'hidden' });
  expect(await opened.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
  expect(await opened.evaluate((link) => link.getBoundingClientRect().bottom)).toBeLessThanOrEqual(narrow.height);
});

test('a screen reader finds landmarks, headings and names', async ({ visit }) => {
  const text = randomUUID();
  await post({ message: text, firstName: 'Ada', lastName: 'Lovelace' });
  const page = await openList(visit, text, { timezoneId: 'Europe/London', locale: 'en-GB' });
  await expect
    .poll(() => page.getByRole('main').ariaSnapshot())
    .toMatch(
      new RegExp(`^- main:
  - region "Contact requests":
    - paragraph:
      - button "Mark all as read"
      - status
    - list:
      - listitem:
        - checkbox "Select Ada Lovelace"
        - link "Unread Ada Lovelace ${text} [^"]+":`),
    );
  await open(page, text);
  expect(await page.getByRole('article').ariaSnapshot()).toMatch(
    new RegExp(`^- article "Ada Lovelace":
  - paragraph:
    - button "Back to the list"
    - link "Reply":
      - /url: .*
    - button "Delete"
  - heading "Ada Lovelace" \\[level=2\\]
  - term: Message
  - definition: ${text}`),
  );
});

/** Collects what a screen reader reads by itself: what the page writes into live regions. */
const listen = async (page: Page) => {
  const said: string[] = [];
  await page.exposeFunction('say', (text: string) => said.push(text));
  await page.locator('body').evaluate((body) => {
    const { MutationObserver, say } = body.ownerDocument.defaultView;
    new MutationObserver((mutations: { target: typeof body; addedNodes: Iterable<typeof body> }[]) => {
      for (const { target, addedNodes } of mutations) {
        if (target.closest('[role=status], [role=alert]')) for (const { textContent } of addedNodes) say(textContent);
      }
    }).observe(body, { subtree: true, childList: true });
  });
  return said;
};

test('live regions say once what came, what was deleted, and what fails', async ({ visit }) => {
  const text = randomUUID();
  await post({ message: text });
  const page = await openList(visit, text);
  await page.clock.install();
  const said = await listen(page);
  /** Lets time pass until a request ends. */
  const after = async (seconds: number, ending: () => Promise<unknown>) => {
    const ended = ending();
    await page.clock.runFor(seconds * 1000);
    await ended;
  };
  const answer = () => page.waitForEvent('response');
  const failure = () => page.waitForEvent('requestfailed');
  await page.locator('body').dispatchEvent('online');
  await post({ message: `${text} new` });
  for (let count = 0; count < 3; count += 1) await after(45, answer);
  const heard = ['1 new'];
  await expect.poll(() => said).toEqual(heard);

  await row(page, `${text} new`).getByRole('link').press('#');
  await after(5, answer);
  heard.push('Deleted.');
  await expect.poll(() => said).toEqual(heard);

  await away(page);
  for (let count = 0; count < 3; count += 1) await after(45, failure);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  heard.push('The API does not answer. Check your connection.');
  await expect.poll(() => said).toEqual(heard);

  await row(page, text).getByRole('link').press('#');
  await after(5, failure);
  heard.push('Deleted.', '1 not deleted. The API does not answer. Check your connection.');
  await expect.poll(() => said).toEqual(heard);
});

/** The control that has the focus, and how that is marked. */
const focused = (page: Page): Promise<{ name: string; outline: string }> =>
  page.locator('body').evaluate((body) => {
    const { activeElement, defaultView } = body.ownerDocument;
    if (activeElement === body) return { name: 'nothing', outline: '' };
    const { outlineStyle, outlineWidth } = defaultView.getComputedStyle(activeElement);
    const { id, ariaLabel, textContent } = activeElement;
    return { name: id || ariaLabel || textContent, outline: `${outlineStyle} ${outlineWidth}` };
  });

test('Tab reaches everything in order, with a visible focus, and leaves the page', async ({ visit }) => {
  const text = randomUUID();
  await post({ message: text, firstName: 'Grace', phone: '+442079460958' });
  const page = await openList(visit, text);
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('article').waitFor();
  await page.locator('body').evaluate((body) => body.querySelector('#download').focus());
  const names: string[] = [];
  for (let at = await focused(page); at.name !== 'nothing' && names.length < 30; at = await focused(page)) {
    expect(at).toEqual({ name: at.name, outline: 'solid 3px' });
    names.push(at.name);
    await page.keyboard.press('Tab');
  }
  expect(names).toEqual([
    'download',
    'showCampaigns',
    'showHelp',
    'signOut',
    'spam',
    'text',
    'More filters',
    'Select Grace',
    expect.stringContaining(text),
    'close',
    'reply',
    'delete',
    'ada@example.com',
    '+442079460958',
  ]);
});

test('the focus stays when its control goes', async ({ visit }) => {
  const text = randomUUID();
  await post({ message: text });
  const page = await openInbox(visit);
  const expectFocus = (name: string | RegExp) => expect.poll(async () => (await focused(page)).name).toMatch(name);

  // Another page, which is empty.
  await page.route(/limit=200$/, async (route) => {
    const response = await route.fetch();
    const link = `<${service.apiUrl}/api/v1/contact?limit=200&cursor=next>; rel="next"`;
    await route.fulfill({ response, headers: { ...response.headers(), Link: link } });
  });
  await page.route(/cursor=next/, (route) =>
    route.fulfill({ json: [], headers: { 'Access-Control-Allow-Origin': service.inboxUrl } }),
  );
  await page.getByRole('searchbox').fill(text);
  await page.getByLabel('Show').selectOption('Spam');
  await page.getByLabel('Show').selectOption('Contact requests');
  await page.getByRole('button', { name: 'Load older ones' }).press('Enter');
  await page.getByRole('button', { name: 'Load older ones' }).waitFor({ state: 'hidden' });
  await expectFocus('requests');

  await page.getByRole('button', { name: 'Mark all as read' }).press('Enter');
  await expectFocus('requests');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).press('Enter');
  await (await download).delete();
  await expectFocus('download');

  await page.keyboard.press('?');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expectFocus('download');

  await page.clock.install();
  await row(page, text).getByRole('link').press('#');
  await expectFocus('undo');
  await page.keyboard.press('Enter');
  await expectFocus(text);
  await row(page, text).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete 1 selected' }).press('Enter');
  await expectFocus('undo');
  await page.clock.runFor(5_000);
  await expectFocus('requests');

  await away(page);
  await page.locator('body').dispatchEvent('online');
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.focus();
  await page.unroute(`${service.apiUrl}/**`);
  await retry.press('Enter');
  await retry.waitFor({ state: 'hidden' });
  await expectFocus('requests');

  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByLabel('Staff token').fill(service.staffToken);
  await page.keyboard.press('Enter');
  await expectFocus('requests');
});

/** Properties of an element as the browser computed them. */
const styleOf = (element: Locator, ...names: readonly string[]): Promise<string> =>
  element.evaluate((each, properties) => {
    const style = each.ownerDocument.defaultView.getComputedStyle(each);
    return properties.map((property) => style.getPropertyValue(property)).join(' ');
  }, names);

test('forced colours show the opened row, unread ones and the focus', async ({ visit }) => {
  const text = randomUUID();
  for (const number of ['one', 'two']) await post({ message: `${text} ${number}` });
  const page = await openList(visit, text, { forcedColors: 'active' });
  const opened = row(page, `${text} one`).getByRole('link');
  const other = row(page, `${text} two`).getByRole('link');
  await opened.press('Enter');
  await page.getByRole('article').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await styleOf(opened, 'border-left')).toMatch(/^4px solid/);
  expect(await styleOf(other, 'border-left')).toMatch(/^0px/);
  expect(await opened.getByText('Unread').isVisible()).toBe(false);
  expect(await styleOf(other.getByText('Unread'), 'border-top')).toMatch(/^1px solid/);
  await other.focus();
  expect(await styleOf(other, 'outline')).toMatch(/solid 3px$/);
});

test('a message from right to left runs so, in the list and opened; emoji stay whole', async ({ visit }) => {
  const text = randomUUID();
  const message = `مرحبا، أين الطلبية؟ 👩‍👩‍👧‍👦 ${text}`;
  await post({ message, firstName: 'عبد', lastName: 'الرحمن' });
  const page = await openList(visit, text);
  await open(page, text);
  for (const [element, expected] of [
    [row(page, text).getByText('عبد الرحمن'), 'rtl'],
    [row(page, text).getByText(message), 'rtl'],
    [row(page, text).getByRole('time'), 'ltr'],
    [page.getByRole('heading', { name: 'عبد الرحمن' }), 'rtl'],
    [page.getByRole('definition').filter({ hasText: message }), 'rtl'],
    [page.getByRole('term').filter({ hasText: 'Message' }), 'ltr'],
  ] as const) {
    expect(await styleOf(element, 'direction')).toBe(expected);
  }
});

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' };

const shownContacts = [
  { ...ada, message: 'My order has not arrived. Could you find out where it is?', extra: { topic: 'An order' } },
  {
    ...grace,
    phone: '+44 20 7946 0958',
    message:
      'Hello,\n\nthe compiler that I bought from you works well. Two questions:\n\n1. Do you have it for a smaller machine?\n2. Is there a discount for the navy?\n\nKind regards\nGrace',
    extra: { topic: 'A question' },
  },
  { ...ada, message: 'Do you ship to Canada, and what does it cost?', extra: { topic: 'A question' } },
  { ...grace, message: 'Thank you for the quick answer!', form: 'feedback' },
  { ...ada, message: 'Please call me about the notes on the engine, any day after four.', phone: '+44 20 7946 0018' },
  { ...grace, message: 'There is a moth in my relay. Is that covered by the warranty?', extra: { topic: 'An order' } },
].map((contact, index) => ({
  id: `5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a1${index}`,
  site: 'https://www.example.com',
  createdAt: new Date(Date.UTC(2026, 10, 23, 14 - 5 * index, 27 - 4 * index)).toISOString(),
  ...contact,
}));

/** The picture of the README. It must not show what other tests post. */
test.runIf(process.env['UPDATE_SCREENSHOTS'] === '1')('takes the picture inbox.png', async ({ visit }) => {
  const headers = { 'Access-Control-Allow-Origin': service.inboxUrl };
  const page = await openInbox(visit, { viewport: wide, locale: 'en-GB', timezoneId: 'Europe/London' });
  await page.route(/\/api\/v1\/contact\?/, (route) => route.fulfill({ json: shownContacts, headers }));
  await page.route(/\/api\/v1\/contact\/./, (route) => route.fulfill({ json: shownContacts[1], headers }));
  await page.reload();
  for (const read of ['ship to Canada', 'quick answer', 'compiler']) await open(page, read);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(import.meta.dirname, '..', '..', 'docs', 'images', 'inbox.png') });
});

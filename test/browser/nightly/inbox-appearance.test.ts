import { chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from '../axe.ts';
import {
  allOfApi,
  article,
  choose,
  clickInMenu,
  filterOf,
  holdRequests,
  openRow,
  post,
  rowOf,
  rowsOf,
  service,
  showSpam,
  signIn,
  statusOf,
  test,
} from '../inbox-page.ts';

const narrow = { width: 320, height: 640 };
const phone = { width: 390, height: 844 };
const wide = { width: 1280, height: 800 };
/** Too low for the chart to be unfolded. */
const low = { width: 1280, height: 600 };

/** For responses that a test makes up. */
const headers = { 'Access-Control-Allow-Origin': service.inboxUrl };

const blockApi = (page: Page) => page.route(allOfApi, (route) => route.abort());

/** What an owner sees, by how to get there from a list of two. */
const views: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the list': async () => {},
  'an opened contact request': (page) => openRow(page, 'One'),
  'an empty list': async (page) => {
    await (await filterOf(page, 'From')).fill('2999-01-01');
    await page.getByText('0 found').waitFor();
  },
  'opened spam': async (page) => {
    await showSpam(page);
    await openRow(page, 'Cheap followers');
  },
  'a selection and an offer to undo': async (page) => {
    await openRow(page, 'One');
    await page.evaluate(() => {
      const { setTimeout } = globalThis;
      // The offer stays. Other timers go on: axe has some.
      const shortTimeout = (action: () => void, time = 0) => time < 5_000 && setTimeout(action, time);
      Object.assign(globalThis, { setTimeout: shortTimeout });
    });
    await article(page).getByRole('button', { name: 'Delete' }).click();
    await rowsOf(page, 'Two').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete 1 selected' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  },
  'a problem': async (page) => {
    await blockApi(page);
    await showSpam(page);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  },
  'the filters and a search': async (page) => {
    await page.getByRole('searchbox').fill('one');
    await page.getByText('1 found').waitFor();
    await filterOf(page, 'From');
  },
  'the menu': (page) => page.getByRole('button', { name: 'Menu' }).click(),
  help: async (page) => {
    await clickInMenu(page, 'Help');
    await page.getByRole('dialog').waitFor();
  },
  'the sign-in': async (page) => {
    await clickInMenu(page, 'Sign out');
    await page.getByLabel('Staff token').waitFor();
  },
};

/** Controls that are hard to hit, or below something else. */
const outOfReach = (page: Page): Promise<string[]> =>
  page.locator('body').evaluate((body) => {
    const root = body.querySelector('dialog[open], :popover-open') ?? body;
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

const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

/** Those widths of the window at which the page is wider. */
const tooNarrowFor = async (page: Page, widths: readonly number[]) => {
  const wider: number[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    if ((await widthOf(page)) !== width) wider.push(width);
  }
  return wider;
};

test.for(Object.entries(views))('%s is accessible on wide and narrow screens', async ([, arrive], { openInbox }) => {
  await post({ message: 'Cheap followers', _gotcha: 'yes' });
  for (const message of ['One', 'Two']) await post({ message, phone: '+442079460958' });
  const page = await openInbox({ viewport: wide });
  await arrive(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(narrow);
  expect(await violationsOf(page)).toEqual([]);
  expect(await outOfReach(page)).toEqual([]);
  expect(await widthOf(page)).toBe(narrow.width);
});

test('nothing needs horizontal scrolling, however long a word, wide a screen or large the text', async ({
  openInbox,
}) => {
  const longName = 'Ü'.repeat(100);
  await post({
    email: `${'a'.repeat(64)}@${['b', 'c', 'd'].map((letter) => letter.repeat(59)).join('.')}.example`,
    message: 'M'.repeat(2_000),
    firstName: longName,
    company: longName,
    _form: 'W'.repeat(60),
    ['n'.repeat(60)]: 'W'.repeat(2_000),
    list: ['W'.repeat(1_000), 'مرحبا'.repeat(200)],
  });
  const page = await openInbox();
  const list = await tooNarrowFor(page, [320, 959, 960]);
  await openRow(page, longName);
  const opened = await tooNarrowFor(page, [320, 959, 960, 1280, 3840]);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  expect([...list, ...opened, ...(await tooNarrowFor(page, [320, 640, 1280]))]).toEqual([]);
});

test('the list of what to show has room for its words', async ({ openInbox }) => {
  await post({ message: 'One', _form: 'contact', campaign: 'spring' }, service.siteUrl);
  const page = await openInbox({ viewport: wide });
  const choice = await filterOf(page, 'Show');
  const needed = await choice.evaluate((select) => {
    const copy = select.cloneNode(true);
    copy.style.cssText = 'position: absolute; max-width: none';
    select.after(copy);
    const { width } = copy.getBoundingClientRect();
    copy.remove();
    return width;
  });
  for (const width of [960, 1110, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect((await choice.boundingBox())?.width, `at ${width}`).toBeGreaterThanOrEqual(needed);
  }
});

test('combining marks stay in their own field, however many there are', async ({ openInbox }) => {
  const piled = (text: string) => [...text].map((letter) => letter + '\u0301\u0302\u0316\u0331'.repeat(12)).join('');
  // No font need have these marks: they stand side by side then, and a line cannot break between them.
  const broad = (marks: number) => `a${'\u1ab0'.repeat(marks)}`;
  await post({
    message: piled('Hi'),
    firstName: piled('Ad'),
    lastName: piled('L'),
    company: piled('C'),
    [broad(60)]: broad(2_000),
    another: piled('Hello'),
  });
  const page = await openInbox({ viewport: wide });
  await rowsOf(page).getByRole('link').click();
  const buttons = article(page).locator('#toolbar');
  const address = article(page).getByRole('definition').filter({ hasText: 'ada@example.com' });
  const heading = article(page).getByRole('heading', { name: 'Other fields' });
  const shoot = async () => [await buttons.screenshot(), await address.screenshot(), await heading.screenshot()];
  const shown = await shoot();
  await article(page).evaluate((opened) => {
    for (const part of opened.querySelectorAll('h2, dt, dd:not(:has(a))')) part.style.visibility = 'hidden';
  });
  // A border at half a pixel can take a frame more.
  const areSame = async () => (await shoot()).map((image, at) => image.equals(shown[at] ?? image));
  await expect.poll(areSame).toEqual([true, true, true]);

  const isTooBroad = () => article(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  expect(await isTooBroad()).toBe(false);
  const values = article(page).locator('#extra dd');
  expect((await values.first().boundingBox())?.width).toBeGreaterThan(300);
  await page.setViewportSize(narrow);
  expect([await isTooBroad(), await widthOf(page)]).toEqual([false, narrow.width]);
});

test('on a narrow screen an opened one takes the place of the list; Back returns to its row', async ({ openInbox }) => {
  for (let number = 10; number < 30; number += 1) await post({ message: `Number ${number}` });
  const page = await openInbox({ viewport: narrow });
  await openRow(page, 'Number 15');
  expect(await page.getByRole('searchbox').isVisible()).toBe(false);
  expect(await rowsOf(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Back to the list' }).waitFor();
  await page.goBack();
  await article(page).waitFor({ state: 'hidden' });
  const row = rowOf(page, 'Number 15');
  await row.and(page.locator(':focus')).waitFor();
  expect(await row.evaluate((link) => link.getBoundingClientRect().bottom)).toBeLessThanOrEqual(narrow.height);
});

test('on a phone the first message is near the top, and one button opens the rest', async ({ openInbox }) => {
  await post({ message: 'Spam', _gotcha: 'x' });
  for (const message of ['One', 'Two']) await post({ message });
  const page = await openInbox({ viewport: phone });
  const topOf = async () => (await rowOf(page, 'Two').boundingBox())?.y;
  expect(await topOf()).toBeLessThan(220);
  for (const name of ['Download CSV', 'Sign out']) {
    expect(await page.getByRole('button', { name }).isVisible()).toBe(false);
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.getByRole('button', { name: 'Spam 1 new' }).waitFor();
  await page.getByRole('searchbox').fill('two');
  await (await filterOf(page, 'From')).fill('2003-01-01');
  await page.getByRole('status').getByText('1 found').waitFor();
  await page.getByRole('searchbox').press('Enter');
  await rowOf(page, 'Two').and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Filters, 1 active' }).waitFor();
  expect(await topOf()).toBeLessThan(220);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rowOf(page, 'One').waitFor();
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
});

test.for([
  ['on a phone', phone],
  ['at 400 % zoom', { width: 320, height: 200 }],
] as const)('one opened from far down shows its beginning, %s', async ([, viewport], { openInbox }) => {
  const message = 'A line of the message.\n'.repeat(40);
  for (let number = 10; number < 40; number += 1) await post({ message: `Number ${number}. ${message}` });
  const page = await openInbox({ viewport });
  for (const text of ['Number 11', 'Number 10']) {
    await rowOf(page, text).click();
    await article(page).getByText(text).waitFor();
    const heading = page.getByRole('heading', { name: 'ada@example.com' });
    const reply = article(page).getByRole('link', { name: 'Reply' });
    for (const part of [heading, reply]) {
      const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(viewport.height);
    }
    await page.goBack();
    await article(page).waitFor({ state: 'hidden' });
  }
});

test('what acts on several stays in view, with their number', async ({ openInbox }) => {
  for (let number = 10; number < 40; number += 1) await post({ message: `Number ${number}` });
  const page = await openInbox({ viewport: phone });
  for (const text of ['Number 11', 'Number 10']) await rowsOf(page, text).getByRole('checkbox').check();
  const remove = page.getByRole('button', { name: 'Delete 2 selected' });
  expect(await page.evaluate('scrollY')).toBeGreaterThan(800);
  expect((await remove.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  // What has the focus is not below it.
  await rowOf(page, 'Number 39').focus();
  await rowOf(page, 'Number 11').focus();
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('k');
    const { y = 0 } = (await page.locator(':focus').boundingBox()) ?? {};
    const { y: top = 0, height = 0 } = (await remove.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(top + height);
  }
});

test.for([
  ['at 320 pixels', narrow],
  ['at 400 % zoom', { width: 320, height: 256 }],
] as const)('with some selected, nothing covers what Tab leads to, %s', async ([, viewport], { openInbox }) => {
  for (let number = 10; number < 20; number += 1) await post({ message: `Number ${number}` });
  const page = await openInbox({ viewport });
  await rowsOf(page, 'Number 18').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete 1 selected' }).waitFor();
  const covered: string[] = [];
  for (const key of [...Array(16).fill('Tab'), ...Array(12).fill('Shift+Tab')]) {
    await page.keyboard.press(key);
    const name = await page.locator(':focus').evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const atop = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
      return element.contains(atop) ? '' : element.ariaLabel || element.textContent;
    });
    if (name) covered.push(`${key} ${name}`);
  }
  expect(covered).toEqual([]);
});

test('paper shows the message without buttons', async ({ openInbox }) => {
  await post({ message: 'Where is it?', firstName: 'Ada', lastName: 'Lovelace' });
  const page = await openInbox({ viewport: wide });
  await openRow(page, 'Ada Lovelace');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await article(page).getByText('Where is it?').waitFor();
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  const controls = page.locator('button, input, select, #reply, #list').filter({ visible: true });
  expect(await controls.count()).toBe(0);
  expect(await styleOf(page.locator('body'), 'background-color')).toBe('rgb(255, 255, 255)');
});

test('no ring surrounds the whole list after signing in', async ({ openInbox }) => {
  const page = await openInbox();
  await clickInMenu(page, 'Sign out');
  await page.getByLabel('Staff token').fill(service.staffToken);
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toMatchObject({ name: 'requests', outline: expect.stringContaining('none') });
});

test('a screen reader finds landmarks, headings and names', async ({ openInbox }) => {
  await post({ message: 'Where is it?', firstName: 'Ada', lastName: 'Lovelace' });
  const page = await openInbox({ viewport: low });
  const list = await page.getByRole('main').ariaSnapshot();
  expect(list.replace(/(?<=checkbox "Select Ada Lovelace).*(?=")/, '')).toContain(
    `- main:
  - region "Contact requests":
    - heading "Inbox" [level=1]
    - paragraph: 1 unread of 1
    - paragraph
    - status
    - paragraph:
      - checkbox "Select all shown"
      - text: Select all shown
    - group: "Last 31 days: 1"
    - heading "Today" [level=2]
    - list:
      - listitem:
        - checkbox "Select Ada Lovelace"
        - link "Unread Ada Lovelace Where is it? `,
  );
  await openRow(page, 'Ada Lovelace');
  const snapshot = await article(page).ariaSnapshot();
  expect(snapshot.replace(/mailto:\S+/, 'mailto:')).toContain(
    `- article "Ada Lovelace":
  - button "Close"
  - button "Previous" [disabled]
  - button "Next" [disabled]
  - button "Mark as unread"
  - button "Delete"
  - heading "Ada Lovelace" [level=2]
  - term: Email address
`,
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

test('live regions say once what came, what was deleted, and what fails', async ({ openWithClock }) => {
  await post({ message: 'Old' });
  const page = await openWithClock();
  const said = await listen(page);
  /** Lets time pass until a request begins, and waits for its end. The page sets its timers after it has read a response. */
  const after = async (event: 'response' | 'requestfailed') => {
    let hasBegun = false;
    page.once('request', () => {
      hasBegun = true;
    });
    const ended = event === 'response' ? page.waitForEvent(event) : page.waitForEvent(event);
    // Short steps: the news of a request can come late, and its time must not run out meanwhile.
    while (!hasBegun) await page.clock.runFor(5_000);
    await ended;
  };
  /** What is said at once has no order. */
  const expectSaid = async (...texts: readonly string[]) => {
    await expect.poll(() => said.toSorted()).toEqual(texts.toSorted());
    said.length = 0;
  };
  await post({ message: 'New' });
  for (let count = 0; count < 3; count += 1) await after('response');
  await expectSaid('1 new');

  await rowOf(page, 'New').press('#');
  await after('response');
  await expectSaid('Deleted.');

  await blockApi(page);
  for (let count = 0; count < 3; count += 1) await after('requestfailed');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  const reason = `${service.apiUrl} does not respond. Check your connection.`;
  await expectSaid(reason);

  await rowOf(page, 'Old').press('#');
  await after('requestfailed');
  await expectSaid('Deleted.', 'No contact requests.', `1 not deleted. ${reason}`);
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

test('Tab reaches everything in order, with a visible focus, and leaves the page', async ({ openInbox }) => {
  await post({ message: 'Where is it?', firstName: 'Grace', phone: '+442079460958' });
  const page = await openInbox({ viewport: low });
  await clickInMenu(page, 'Mark all shown as read');
  await openRow(page, 'Grace');
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Shift');
  const names: string[] = [];
  for (let at = await focused(page); at.name !== 'nothing' && names.length < 30; at = await focused(page)) {
    expect(at).toEqual({ name: at.name, outline: 'solid 3px' });
    // A date has several stops.
    if (names.at(-1) !== at.name) names.push(at.name);
    await page.keyboard.press('Tab');
  }
  expect(names).toEqual([
    'text',
    'showFilters',
    'menu',
    expect.stringContaining('Inbox'),
    expect.stringContaining('Spam'),
    'selectAll',
    'chartSummary',
    expect.stringContaining('Select Grace'),
    expect.stringContaining('Where is it?'),
    'close',
    'markUnread',
    'delete',
    'ada@example.com',
    'Copy ada@example.com',
    'Copy +442079460958',
    'Call +442079460958',
    'reply',
    'Details',
  ]);
});

test('the title that a key leads to gets the focus anew, once, so a screen reader reads it', async ({ openInbox }) => {
  for (const firstName of ['Alan', 'Ada']) await post({ firstName });
  const page = await openInbox({ viewport: wide });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ada' }).and(page.locator(':focus')).waitFor();
  const read: string[] = [];
  await page.exposeFunction('read', (title: string) => read.push(title));
  await page.evaluate("addEventListener('focusin', ({ target }) => read(target.textContent))");
  await page.keyboard.press('j');
  await expect.poll(() => read).toEqual(['Alan']);
  await page.keyboard.press('k');
  await expect.poll(() => read).toEqual(['Alan', 'Ada']);
});

test('the focus stays when its control goes', async ({ openWithClock }) => {
  await post({ message: 'Where is it?' });
  const page = await openWithClock();
  const press = (name: string) => page.getByRole('button', { name }).press('Enter');
  const expectFocus = (name: string) =>
    expect.poll(async () => (await focused(page)).name).toEqual(expect.stringContaining(name));

  // Two more pages, which are empty. Once someone has stopped a search, the page does not load the last by itself.
  const linkTo = (cursor: string) => `<${service.apiUrl}/api/v1/contact?limit=200&cursor=${cursor}>; rel="next"`;
  const exposed = { ...headers, 'Access-Control-Expose-Headers': 'Link' };
  await page.route(/\?limit=200$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), Link: linkTo('next') } });
  });
  await page.route(/cursor=next/, (route) =>
    route.fulfill({ json: [], headers: { ...exposed, Link: linkTo('last') } }),
  );
  await page.route(/cursor=last/, (route) => route.fulfill({ json: [], headers }));
  await page.getByRole('searchbox').fill('where');
  await showSpam(page);
  const { release } = await holdRequests(page, ({ search }) => search.includes('cursor=next'));
  await choose(page, 'Show', 'Contact requests');
  await press('Stop');
  await expectFocus('requests');
  await release();
  await press('Load older ones');
  await page.getByRole('button', { name: 'Load older ones' }).waitFor({ state: 'hidden' });
  await expectFocus('requests');

  await press('Menu');
  await press('Mark all shown as read');
  await expectFocus('menu');

  const download = page.waitForEvent('download');
  await press('Menu');
  await press('Download CSV');
  await (await download).delete();
  await expectFocus('menu');

  await page.keyboard.press('?');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expectFocus('menu');

  await rowOf(page, 'Where').press('#');
  await expectFocus('requests');
  await press('Undo');
  await expectFocus('Where');
  await rowsOf(page, 'Where').getByRole('checkbox').check();
  await press('Delete 1 selected');
  await expectFocus('requests');
  await page.clock.runFor(5_000);

  await blockApi(page);
  await page.locator('body').dispatchEvent('online');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unroute(allOfApi);
  await press('Try again');
  await expectFocus('requests');

  await press('Menu');
  await press('Sign out');
  await signIn(page);
  await expectFocus('requests');
});

test('on a narrow screen, someone beside an opened one hears and reaches everything', async ({ openInbox }) => {
  for (const message of ['One', 'Two']) await post({ message });
  const page = await openInbox({ viewport: narrow });
  await openRow(page, 'Two');
  await article(page).getByRole('button', { name: 'Delete' }).click();
  await openRow(page, 'One');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(() => focused(page)).toMatchObject({ name: 'openedTitle' });
});

test('Undo waits for someone without keys as long as it has the focus', async ({ openWithClock }) => {
  const id = await post({ message: 'One' });
  await post({ message: 'Two' });
  const page = await openWithClock();
  await page.keyboard.press('?');
  await page.getByLabel('Use these keys').uncheck();
  await page.keyboard.press('Escape');
  const remove = async () => {
    await openRow(page, 'One');
    await article(page).getByRole('button', { name: 'Delete' }).press('Enter');
    await expect.poll(() => focused(page)).toMatchObject({ name: 'undo' });
    await page.clock.runFor(12_000);
  };
  await remove();
  await page.keyboard.press('Enter');
  await rowOf(page, 'One').and(page.locator(':focus')).waitFor();

  await remove();
  expect(await statusOf(id)).toBe(200);
  await rowOf(page, 'Two').focus();
  await page.clock.runFor(5_000);
  await expect.poll(() => statusOf(id)).toBe(404);
});

test('a message about a deletion covers nothing that has the focus', async ({ openWithClock }) => {
  for (let number = 10; number < 20; number += 1) await post({ message: `Number ${number}` });
  const page = await openWithClock();
  await page.setViewportSize(narrow);
  await page.route(allOfApi, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.fallback()));
  await rowOf(page, 'Number 15').press('#');
  await page.clock.runFor(5_000);
  await page.getByText('1 not deleted.').waitFor();
  await rowOf(page, 'Number 19').focus();
  const covered: string[] = [];
  for (let stop = 0; stop < 16; stop += 1) {
    await page.keyboard.press('Tab');
    const isCovered = await page.locator(':focus').evaluate((element) => {
      const { top } = element.ownerDocument.querySelector('#undoing').getBoundingClientRect();
      return element.getBoundingClientRect().bottom > top;
    });
    if (isCovered) covered.push((await focused(page)).name);
  }
  expect(covered).toEqual([]);
});

test('a screen reader meets only what the page shows, also out of sight', async ({ store, launchOptions }) => {
  const times = Array.from({ length: 120 }, (_, index) => new Date(Date.UTC(2004, 0, 1, 0, index)).toISOString());
  await Promise.all(
    times.map((time, index) => store(time, { firstName: index % 2 === 0 ? 'Ada' : 'Grace', message: 'Hello' })),
  );
  await using browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), '--force-renderer-accessibility'],
  });
  const page = await browser.newPage({ viewport: wide });
  await page.goto(`${service.inboxUrl}/#token=${service.staffToken}`);
  const session = await page.context().newCDPSession(page);
  await session.send('Accessibility.enable');
  const countOf = async (expectedRole: string, text: string) => {
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const names = nodes.filter(({ role, ignored }) => !ignored && role?.value === expectedRole);
    return names.filter(({ name }) => String(name?.value).includes(text)).length;
  };
  await expect.poll(() => countOf('link', 'Unread')).toBe(120);
  page.on('dialog', (question) => void question.accept());
  await clickInMenu(page, 'Mark all shown as read');
  await expect.poll(() => countOf('link', 'Unread')).toBe(0);
  expect(await countOf('checkbox', '2004')).toBe(120);
  await page.getByRole('searchbox').fill('grace');
  await expect.poll(() => countOf('link', 'Ada')).toBe(0);
  expect(await countOf('link', 'Grace')).toBe(60);
});

/** Properties of an element as the browser computed them. */
const styleOf = (element: Locator, ...names: readonly string[]): Promise<string> =>
  element.evaluate((each, properties) => {
    const style = each.ownerDocument.defaultView.getComputedStyle(each);
    return properties.map((property) => style.getPropertyValue(property)).join(' ');
  }, names);

test('forced colours show the opened row, unread ones and the focus', async ({ openInbox }) => {
  for (const message of ['One', 'Two']) await post({ message });
  const page = await openInbox({ forcedColors: 'active' });
  const opened = rowOf(page, 'One');
  const other = rowOf(page, 'Two');
  await opened.press('Enter');
  await article(page).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  expect(await styleOf(rowsOf(page, 'One'), 'border-left')).toMatch(/^4px solid/);
  expect(await styleOf(rowsOf(page, 'Two'), 'border-left-color')).not.toMatch(
    await styleOf(rowsOf(page, 'One'), 'border-left-color'),
  );
  expect(await opened.getByText('Unread').isVisible()).toBe(false);
  expect(await styleOf(other.getByText('Unread'), 'border-top')).toMatch(/^1px solid/);
  await other.focus();
  expect(await styleOf(other, 'outline')).toMatch(/solid 3px$/);
});

test('a message from right to left runs so, in the list and opened; emoji stay whole', async ({ openInbox }) => {
  const message = 'مرحبا، أين الطلبية؟ 👩‍👩‍👧‍👦';
  await post({ message, firstName: 'عبد', lastName: 'الرحمن' });
  const page = await openInbox();
  await openRow(page, message);
  for (const [element, expected] of [
    [rowsOf(page).getByText('عبد الرحمن'), 'rtl'],
    [rowsOf(page).getByText(message), 'rtl'],
    [rowsOf(page).getByRole('time'), 'ltr'],
    [page.getByRole('heading', { name: 'عبد الرحمن' }), 'rtl'],
    [article(page).getByText(message), 'rtl'],
  ] as const) {
    expect(await styleOf(element, 'direction')).toBe(expected);
  }
});

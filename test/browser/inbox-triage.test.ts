import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { violationsOf } from './axe.ts';
import { article, test as base, expectRows, openRow, rowOf, rowsOf } from './inbox-page.ts';

const service = inject('together');
const site = { ...service, siteUrl: service.inboxUrl };

const narrow = { width: 320, height: 640 };

interface Read {
  readonly id: string;
  readonly spamReason?: string;
  readonly answeredBy?: string;
}

const ask = (path: string, method = 'GET', body?: object) =>
  fetch(`${service.apiUrl}/api/v1/contact${path}`, {
    method,
    headers: { Authentication: service.staffToken, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });

/** What the API has of a contact request. */
const read = async (id: string): Promise<Read> => JSON.parse(await (await ask(`/${id}`)).text());

/** Posts contact requests, one after the other. @returns their ids */
const post = async (...messages: readonly string[]) => {
  const ids: string[] = [];
  for (const message of messages) {
    const trap = message.includes('Spam') ? 'x' : '';
    const response = await ask('', 'POST', { message, email: 'ada@example.com', _gotcha: trap });
    ids.push(String(response.headers.get('Location')).split('/').at(-1) ?? '');
  }
  return ids;
};

/** A test of triage. It begins without contact requests. */
const test = base
  .extend('emptied', { auto: true }, async () => {
    for (const query of ['', '&spam=true']) {
      const found: readonly Read[] = JSON.parse(await (await ask(`?limit=200${query}`)).text());
      for (const { id } of found) await ask(`/${id}`, 'DELETE');
    }
  })
  .extend('openTogether', ({ visit }) => async (token = service.staffToken, options: BrowserContextOptions = {}) => {
    const page = await visit(site, '', options);
    await page.goto(`${site.siteUrl}/#token=${token}`);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    await page.getByText('Loading…').waitFor({ state: 'hidden' });
    return page;
  });

const show = (page: Page, name: string) =>
  page.locator('#show').evaluate((select, name) => {
    const option = [...select.options].find(({ text }) => text === name);
    select.value = option.value;
    select.dispatchEvent(new select.ownerDocument.defaultView.Event('input', { bubbles: true }));
  }, name);

const inToolbar = (page: Page, name: string) => article(page).getByRole('button', { name, exact: true });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent');

const said = (page: Page) => page.getByRole('status').filter({ hasText: /./ }).allTextContents();

const statesOf = async (ids: readonly string[]) =>
  (await Promise.all(ids.map(read))).map(({ spamReason, answeredBy }) => [spamReason, answeredBy]);

test('what is answered is marked for all, by whom and when, and can be taken back', async ({ openTogether }) => {
  const ids = await post('One', 'Two');
  const page = await openTogether();
  await openRow(page, 'Two');
  await inToolbar(page, 'Answered').click();
  await article(page)
    .getByText(/^Answered by staff, \d/)
    .waitFor();
  expect(await inToolbar(page, 'Answered').getAttribute('aria-pressed')).toBe('true');
  expect(await focused(page)).toContain('Answered');
  expect(await said(page)).toContain('Marked as answered.');
  expect(await statesOf(ids)).toEqual([
    [undefined, undefined],
    [undefined, 'staff'],
  ]);
  const note = rowsOf(page, 'Two').getByTitle(/^Answered by staff, /);
  expect(await note.textContent()).toMatch(/^Answered by staff, /);
  // Undo waits for someone who has reached it.
  await button(page, 'Undo').focus();
  expect(await violationsOf(page)).toEqual([]);

  const other = await openTogether();
  await rowsOf(other, 'Two')
    .getByTitle(/^Answered by staff, /)
    .waitFor();

  await button(page, 'Undo').click();
  await note.waitFor({ state: 'hidden' });
  expect(await said(page)).toContain('Undone.');
  expect(await focused(page)).toContain('Answered');
  await expect
    .poll(() => statesOf(ids))
    .toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
});

test('what is marked as spam leaves the list, and comes back to its old place', async ({ openTogether }) => {
  const ids = await post('One', 'Two', 'Three');
  const page = await openTogether();
  await openRow(page, 'Two');
  await inToolbar(page, 'Mark as spam').click();
  await expectRows(page, ['Three', 'One']);
  expect(await article(page).isVisible()).toBe(false);
  expect(await focused(page)).toContain('One');
  await expect.poll(() => statesOf(ids.slice(1, 2))).toEqual([['staff', undefined]]);
  await button(page, 'Undo').click();
  await expectRows(page, ['Three', 'Two', 'One']);
  expect(await focused(page)).toContain('Two');
  await expect.poll(async () => (await read(ids[1] ?? '')).spamReason).toBe(undefined);

  await page.keyboard.press('!');
  await expectRows(page, ['Three', 'One']);
  await show(page, 'Spam');
  await expectRows(page, ['Two']);
  await openRow(page, 'Two');
  await article(page).getByText('Spam: your staff marked it.').waitFor();
  await inToolbar(page, 'Not spam').click();
  await page.getByText('No spam.').waitFor();
  await show(page, 'Contact requests');
  await expectRows(page, ['Three', 'Two', 'One']);
});

test('what a defence caught is released by a button, and no command is shown', async ({ openTogether }) => {
  const [id = ''] = await post('Spam or not?');
  const page = await openTogether();
  await show(page, 'Spam');
  await openRow(page, 'Spam or not?');
  await article(page).getByText('Spam: the hidden field was filled in.').waitFor();
  expect(await article(page).getByText('npx').isVisible()).toBe(false);
  await inToolbar(page, 'Not spam').click();
  await expectRows(page, []);
  expect(await said(page)).toContain('Moved to the inbox.');
  await expect.poll(() => read(id)).toMatchObject({ releasedAt: expect.any(String) });
});

test('a selection is marked at once, and Show tells what is left to answer', async ({ openTogether }) => {
  const ids = await post('One', 'Two', 'Three');
  const page = await openTogether();
  for (const text of ['One', 'Three']) await rowsOf(page, text).getByRole('checkbox').check();
  await button(page, 'Mark as answered').click();
  await expect.poll(() => said(page)).toContain('Marked 2 as answered.');
  await button(page, 'Mark as not answered').waitFor();
  await expect.poll(async () => (await statesOf(ids)).map(([, by]) => by)).toEqual(['staff', undefined, 'staff']);
  await show(page, 'Not answered');
  await expectRows(page, ['Two']);
  await expect.poll(() => said(page)).toContain('1 found');
  await button(page, 'Filters, 1 active').waitFor();
  await show(page, 'Answered');
  await expectRows(page, ['Three', 'One']);

  // What no longer belongs to the list leaves it.
  await openRow(page, 'Three');
  await page.keyboard.press('a');
  await expectRows(page, ['One']);
  await expect.poll(() => said(page)).toContain('1 found');
  await page.keyboard.press('u');
  await expectRows(page, ['Three', 'One']);
  await button(page, 'Clear filters').click();
  await expectRows(page, ['Three', 'Two', 'One']);
});

test('a deletion can still be undone after a later mark', async ({ openTogether }) => {
  const ids = await post('One', 'Two');
  const page = await openTogether();
  await rowOf(page, 'Two').focus();
  await page.keyboard.press('#');
  await page.keyboard.press('a');
  await rowsOf(page, 'One')
    .getByTitle(/^Answered/)
    .waitFor();
  await button(page, 'Undo').focus();
  await page.keyboard.press('u');
  await rowsOf(page, 'One')
    .getByTitle(/^Answered/)
    .waitFor({ state: 'hidden' });
  await page.keyboard.press('u');
  await expectRows(page, ['Two', 'One']);
  expect(await statesOf(ids)).toHaveLength(2);
});

test('shows what others have done, when someone comes back or opens one', async ({ openTogether }) => {
  const [one = '', two = '', three = ''] = await post('One', 'Two', 'Three');
  const page = await openTogether();
  await expectRows(page, ['Three', 'Two', 'One']);
  await ask(`/${one}`, 'PATCH', { answered: true });
  await ask(`/${two}`, 'PATCH', { spam: true });
  await page.locator('html').dispatchEvent('visibilitychange');
  await expectRows(page, ['Three', 'One']);
  await rowsOf(page, 'One')
    .getByTitle(/^Answered/)
    .waitFor();
  await ask(`/${three}`, 'PATCH', { answered: true });
  await openRow(page, 'Three');
  await article(page)
    .getByText(/^Answered by staff/)
    .waitFor();
});

test('goes back, with the reason, where the API does not take a mark', async ({ openTogether }) => {
  await post('One');
  const page = await openTogether();
  await openRow(page, 'One');
  await page.route(/contact\/[\da-f]/, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  );
  await inToolbar(page, 'Mark as spam').click();
  await page.getByText(/^1 not changed\. .* does not respond/).waitFor();
  await expectRows(page, ['One']);
});

describe('a token that may only read', () => {
  test('sees marks and no buttons', async ({ openTogether }) => {
    const [one = ''] = await post('One');
    await post('Spam');
    await ask(`/${one}`, 'PATCH', { answered: true });
    const page = await openTogether(service.readToken);
    await openRow(page, 'One');
    await article(page)
      .getByText(/^Answered by staff/)
      .waitFor();
    expect(
      await article(page)
        .getByRole('button', { name: /spam|answered/i })
        .count(),
    ).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.keyboard.press('a');
    await show(page, 'Not answered');
    await expectRows(page, []);
    await show(page, 'Spam');
    await openRow(page, 'Spam');
    await article(page)
      .getByText(/^npx .* contacts release/)
      .waitFor();
  });
});

test('without triage, nothing of it is shown', async ({ visit }) => {
  const plain = inject('service');
  const response = await fetch(`${plain.apiUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"message":"Without triage"}',
  });
  const page = await visit({ ...plain, siteUrl: plain.inboxUrl }, '');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).search}`));
  await page.goto(`${plain.inboxUrl}/#token=${plain.staffToken}`);
  await page.getByText('Loading…').waitFor({ state: 'hidden' });
  await page.goto(`${plain.inboxUrl}/#${response.headers.get('Location')?.split('/').at(-1)}`);
  await article(page).getByText('Without triage').waitFor();
  expect(
    await article(page)
      .getByRole('button', { name: /spam|answered/i })
      .count(),
  ).toBe(0);
  expect(await page.locator('#show option:not(:disabled)').allTextContents()).toEqual(['Contact requests', 'Spam']);
  await page.reload();
  await article(page).getByText('Without triage').waitFor();
  expect(asked.filter((request) => request.includes('answered='))).toHaveLength(1);
  expect(asked.filter((request) => request.startsWith('PATCH'))).toEqual([]);
});

test('is accessible on a phone, with everything at once', async ({ openTogether }) => {
  await post('One', 'Two', 'Spam');
  const page = await openTogether(service.staffToken, { viewport: narrow });
  for (const text of ['One', 'Two']) await rowsOf(page, text).getByRole('checkbox').check();
  await button(page, 'Mark as answered').click();
  await button(page, 'Undo').focus();
  expect(await violationsOf(page)).toEqual([]);
  await openRow(page, 'One');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(narrow.width);
  const boxes = await Promise.all(
    (await article(page).locator('#toolbar').getByRole('button').all()).map((each) => each.boundingBox()),
  );
  expect(boxes).toHaveLength(7);
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
});

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { article, openRow, test } from './inbox-page.ts';

const narrow = { width: 320, height: 640 };

/** The texts that an opened contact request shows, without its toolbar. */
const textsOf = async (page: Page): Promise<string[]> => {
  const texts = await article(page).locator(':scope > :not(#toolbar)').filter({ visible: true }).allInnerTexts();
  return texts.flatMap((text) => text.split('\n')).filter((text) => text.trim() !== '');
};

const received = expect.stringMatching(/^Thursday,? 1 March 2001 at 12:00$/);

test('shows each thing once: the name, how to reach the visitor, the message, and then the rest', async ({
  store,
  openInbox,
}) => {
  const at = '2001-03-01T12:00:00.000Z';
  const whole = await store(at, {
    firstName: 'Ada',
    email: 'ada@example.com',
    phone: '+44 (0)20 7946 0018 x12',
    company: 'Analytical Engines',
    message: 'Two\nlines',
    form: 'sales',
    extra: { Nom: 'Lovelace', Betreff: 'An order', topic: ['Tea', 'Cake'] },
  });
  const onlyAddress = await store(at, { email: 'ada@example.com' });
  const onlyPhone = await store(at, { phone: '0555 0100', message: 'Call me' });
  const onlyExtra = await store(at, { extra: { size: 'L' } });
  const page = await openInbox({ timezoneId: 'UTC', locale: 'en-GB' });
  const shownOf = async (id: string) => {
    await page.goto(`${page.url().replace(/#.*/, '')}#${id}`);
    await article(page).locator('#fields').getByText(id, { exact: true }).waitFor({ state: 'attached' });
    return textsOf(page);
  };

  expect(await shownOf(whole)).toEqual([
    'Ada Lovelace',
    'Email address',
    'ada@example.com',
    'Copy',
    'Phone number',
    '+44 (0)20 7946 0018 x12',
    'Copy',
    'Call',
    expect.stringMatching(/^Analytical Engines · Thursday,? 1 March 2001 at 12:00$/),
    'Reply',
    'An order',
    'Two',
    'lines',
    'Other fields',
    'topic',
    'Tea',
    'Cake',
    'Details',
  ]);
  const call = article(page).getByRole('link', { name: 'Call +44 (0)20 7946 0018 x12' });
  expect(await call.getAttribute('href')).toBe('tel:+442079460018');
  expect(await shownOf(onlyAddress)).toEqual([
    'ada@example.com',
    'Email address',
    'Copy',
    received,
    'Reply',
    'No message.',
    'Details',
  ]);
  expect(await shownOf(onlyPhone)).toEqual([
    '0555 0100',
    'Phone number',
    'Copy',
    'Call',
    received,
    'Call me',
    'Details',
  ]);
  expect(await shownOf(onlyExtra)).toEqual([
    'A visitor',
    'No email address and no phone number.',
    received,
    'Other fields',
    'size',
    'L',
    'Details',
  ]);
});

test('leaves the details as the reader left them', async ({ store, openInbox }) => {
  const id = await store('2001-03-02T12:00:00.000Z', { message: 'One' });
  await store('2001-03-01T12:00:00.000Z', { message: 'Two' });
  const page = await openInbox();
  const shownId = article(page).getByText(id, { exact: true });
  await openRow(page, 'One');
  expect(await shownId.isVisible()).toBe(false);
  await article(page).getByText('Details').click();
  await shownId.waitFor();
  await page.reload();
  await shownId.waitFor();
  await article(page).getByText('Details').click();
  await openRow(page, 'Two');
  await openRow(page, 'One');
  expect(await shownId.isVisible()).toBe(false);
});

test('on a phone its toolbar is one line that stays in reach', async ({ store, openInbox }) => {
  const message = 'word '.repeat(900);
  const extra = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`field ${at}`, `value ${at}`]));
  await store('2001-03-01T12:00:00.000Z', { firstName: 'Bartholomäus-'.repeat(7), message, extra });
  const page = await openInbox({ viewport: narrow });
  await openRow(page, 'word');
  await article(page).getByText('value 98').scrollIntoViewIfNeeded();
  const buttons = article(page).locator('#toolbar').getByRole('button');
  const names = ['Back to the list', 'Previous', 'Next', 'Mark as unread', 'Delete'];
  for (const name of names) await article(page).getByRole('button', { name, exact: true }).waitFor();
  const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
  for (const box of boxes) {
    expect(box?.y).toBe(boxes[0]?.y);
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(10);
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(narrow.width);
  }
  await article(page).getByRole('button', { name: 'Back to the list' }).click();
  await page.getByRole('link', { name: 'Bartholomäus' }).waitFor();
});

test('says what an icon does to those who reach it by keys', async ({ store, openInbox }) => {
  await store('2001-03-01T12:00:00.000Z', { message: 'One' });
  const page = await openInbox();
  await openRow(page, 'One');
  const name = article(page).getByText('Delete', { exact: true });
  const width = async () => (await name.boundingBox())?.width;
  expect(await width()).toBe(1);
  await article(page).getByRole('button', { name: 'Mark as unread' }).focus();
  await page.keyboard.press('Tab');
  expect(await width()).toBeGreaterThan(30);
});

import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from '../axe.ts';
import { post, service, site, test } from '../inbox-page.ts';

const narrow = { width: 320, height: 640 };

const titleOf = (page: Page) => page.locator('h1').filter({ visible: true });

const summaryOf = (page: Page) => page.locator('#summary');

const widthOf = (page: Page) => page.locator('html').evaluate(({ scrollWidth }) => scrollWidth);

/** Chooses a language in the menu, which loads the page again. */
const switchTo = async (page: Page, name: string) => {
  const loaded = page.waitForEvent('load');
  await page.locator('#menu').click();
  await page.locator('#language').selectOption({ label: name });
  await loaded;
};

const rowOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text, visible: true });

const open = async (page: Page, text: string) => {
  await rowOf(page, text).getByRole('link').click();
  await page.locator('#openedTitle').waitFor();
};

describe('the language of the inbox', () => {
  test('is that of the browser, with its forms of the plural, dates and numbers', async ({ visit, store }) => {
    for (const day of ['02', '03']) await store(`2020-01-${day}T12:00:00.000Z`, { message: `Am ${day}.` });
    const page = await visit(site, '', { locale: 'de-CH', timezoneId: 'Europe/Zurich' });
    await page.getByLabel('Token').fill(service.staffToken);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await summaryOf(page).getByText('2 ungelesen von 2').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await titleOf(page).textContent()).toBe('Posteingang');
    await page.getByRole('heading', { name: 'Januar 2020' }).waitFor();
    expect(await rowOf(page, 'Am 02.').locator('time').textContent()).toBe('02.01.2020');
    await page.locator('#selectAll').check();
    await page.getByRole('button', { name: '2 ausgewählte löschen' }).click();
    await page.getByText('2 gelöscht.').waitFor();
    await page.getByRole('button', { name: 'Rückgängig' }).click();
    await open(page, 'Am 02.');
    await page.getByRole('button', { name: 'Löschen', exact: true }).click();
    await page.getByText('Gelöscht.', { exact: true }).waitFor();
  });

  test.for([
    ['pt-BR', 'pt', 'Caixa de entrada'],
    ['sv-SE', 'en', 'Inbox'],
  ])('of a browser in %s is "%s"', async ([locale = '', language, title], { visit }) => {
    const page = await visit(site, '', { locale });
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await titleOf(page).textContent()).toBe(title);
  });

  test('lasts, once someone has chosen it', async ({ openInbox, store }) => {
    await store('2020-01-02T12:00:00.000Z', {});
    const page = await openInbox({ locale: 'de-DE' });
    await switchTo(page, 'Français');
    await summaryOf(page).getByText('1 non lue sur 1').waitFor();
    await page.reload();
    await summaryOf(page).getByText('1 non lue sur 1').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    await page.getByRole('heading', { name: 'Janvier 2020' }).waitFor();
    await switchTo(page, 'Deutsch');
    await summaryOf(page).getByText('1 ungelesen von 1').waitFor();
  });

  test('can be written from right to left', async ({ openInbox }) => {
    await post({ firstName: 'Ada', phone: '+44 20 7946 0018', message: 'Hello', topic: 'An order' });
    const page = await openInbox({ locale: 'he-IL' });
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await violationsOf(page)).toEqual([]);
    await open(page, 'Hello');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('leaves no text outside a narrow screen', async ({ openInbox }) => {
    await post({ firstName: 'Ada', phone: '+44 20 7946 0018', message: 'Hello', topic: 'An order' });
    const page = await openInbox({ viewport: narrow });
    const names = await page.locator('#language option').allTextContents();
    expect(names.length).toBeGreaterThan(1);
    for (const name of names.toReversed()) {
      await switchTo(page, name);
      await rowOf(page, 'Hello').waitFor();
      await page.locator('#selectAll').check();
      expect.soft(await widthOf(page), name).toBe(narrow.width);
      await open(page, 'Hello');
      expect.soft(await widthOf(page), `${name}, opened`).toBe(narrow.width);
      await page.locator('#close').click();
    }
  });
});

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { storedBy } from './stored.ts';
import { test } from './visitor.ts';

const service = inject('service');

const email = (page: Page) => page.getByLabel('Email address');
const message = (page: Page) => page.getByLabel('Message');
const button = (page: Page) => page.getByRole('button', { name: 'Send' });

const fill = async (page: Page, text: string) => {
  await email(page).fill('ada@example.com');
  await message(page).fill(text);
};

/** Waits until the page says that the message arrived. */
const succeeded = (page: Page) => page.getByRole('status').filter({ hasText: 'Your message has arrived.' }).waitFor();

/** Waits until the page says something of this kind of trouble. */
const alerted = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

/** Counts the contact requests that a page sends from now on. */
const countPosts = (page: Page) => {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') count += 1;
  });
  return () => count;
};

/** Lets the next request reach the service, and loses the answer. */
const loseAnswer = (page: Page) =>
  page.route(
    `${service.apiUrl}/**`,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );

describe.each(['json.html', 'form-data.html'])('the scripted form of %s', (path) => {
  test('stores what was typed, says so where the focus goes, and empties the form', async ({ visit }) => {
    const text = `${randomUUID()} "Tea" & <cake>?\nZoë's 🍰`;
    const page = await visit(service, path);
    await fill(page, text);
    await button(page).click();
    await succeeded(page);

    expect(await page.locator('[role=status]:focus').count()).toBe(1);
    expect(await message(page).inputValue()).toBe('');
    const stored = await storedBy(service, text.slice(0, 36));
    expect(stored.map((contact) => contact.message.replaceAll('\r\n', '\n'))).toEqual([text]);
    expect(stored[0]?.email).toBe('ada@example.com');
  });

  test('shows every mistake beside its field, and the focus goes to the first', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    await email(page).fill('ada@');
    await button(page).click();
    await alerted(page, 'Please correct');

    expect(await page.locator('#email-error').textContent()).toBe('Enter an email address, such as name@example.com.');
    expect(await page.locator('#message-error').textContent()).toBe('Enter a message.');
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
    expect(await page.locator('#email:focus').count()).toBe(1);
    expect(await email(page).inputValue()).toBe('ada@');

    await fill(page, text);
    await button(page).click();
    await succeeded(page);
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    expect((await page.locator('.error, [role=alert]').allTextContents()).join('')).toBe('');
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('says each mistake to assistive technology as the description of its field', async ({ visit }) => {
    const page = await visit(service, path);
    await button(page).click();
    await alerted(page, 'Please correct');
    expect(await page.getByRole('main').ariaSnapshot()).toContain('- textbox "Message" [invalid]');
    for (const field of await page.locator('[aria-describedby]').all()) {
      const id = await field.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${id}"]`).count()).toBe(1);
    }
  });

  test('sends a double click once', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    const sent = countPosts(page);
    await fill(page, text);
    await button(page).dblclick();
    await succeeded(page);
    expect(sent()).toBe(1);
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('sends a double Enter once', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    const sent = countPosts(page);
    await fill(page, text);
    await email(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await succeeded(page);
    expect(sent()).toBe(1);
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('stores a message once that is sent again because the answer was lost', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    await loseAnswer(page);
    await fill(page, text);
    await button(page).click();
    await alerted(page, 'could not be reached');
    expect(await storedBy(service, text)).toHaveLength(1);

    await button(page).click();
    await succeeded(page);
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('takes a text that was changed after the answer to the first was lost', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    await loseAnswer(page);
    await fill(page, text);
    await button(page).click();
    await alerted(page, 'could not be reached');

    await message(page).fill(`${text} and more`);
    await button(page).click();
    await succeeded(page);
    expect((await storedBy(service, text)).map((contact) => contact.message)).toEqual([`${text} and more`, text]);
  });

  test('takes the same text a second time after it arrived', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    for (const _ of ['first', 'second']) {
      await fill(page, text);
      await button(page).click();
      await succeeded(page);
    }
    expect(await storedBy(service, text)).toHaveLength(2);
  });

  test('answers a bot that fills the trap as it answers people, and keeps that apart', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    await fill(page, text);
    await page.locator('[name=website]').fill('https://spam.example.com');
    await button(page).click();
    await succeeded(page);
    expect(await storedBy(service, text)).toEqual([]);
    expect(await storedBy(service, text, 'spam=true')).toHaveLength(1);
  });

  test('can be used with the keyboard alone, and the trap is never met', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    const met: (string | null)[] = [];
    const focused = page.locator(':focus');
    for (let stop = ''; stop !== 'submit'; ) {
      await page.keyboard.press('Tab');
      const name = await focused.getAttribute('name');
      stop = (await focused.getAttribute('type')) ?? '';
      if (name !== null) met.push(name);
      if (name === 'email') await page.keyboard.type('ada@example.com');
      if (name === 'message') await page.keyboard.type(text);
    }
    await page.keyboard.press('Space');
    await succeeded(page);
    expect(met).not.toContain('website');
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('is a plain form without JavaScript', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path, { javaScriptEnabled: false });
    await fill(page, text);
    await button(page).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await storedBy(service, text)).toHaveLength(1);
  });
});

test('the JSON form takes a phone number in place of an email address', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'json.html');
  await page.getByLabel('Phone number').fill('+49 30 123');
  await message(page).fill(text);
  await button(page).click();
  await succeeded(page);
  expect(await storedBy(service, text)).toEqual([{ phone: '+49 30 123', message: text }]);
});

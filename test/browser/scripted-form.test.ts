import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { pages as en } from '../../functions/languages/en.ts';
import { countPosts, descriptionOf, fill, holdRequests, loseResponse, storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

const email = (page: Page) => page.getByLabel('Email address');
const phone = (page: Page) => page.getByLabel('Phone number');
const message = (page: Page) => page.getByLabel('Message');
const button = (page: Page) => page.getByRole('button', { name: 'Send' });

/** Waits until the page says this. */
const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

const succeeded = (page: Page) => said(page, 'We have received your message.');

describe.each(['index.html', 'json.html'])('the scripted form of %s', (path) => {
  test('stores what was typed, moves the focus to the success message, and empties the form', async ({ visit }) => {
    const text = `${randomUUID()} "Tea" & <cake>?\nZoë's 🍰`;
    const page = await visit(service, path);
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Topic').selectOption('An order');
    await fill(page, text);
    await button(page).click();
    await succeeded(page);

    expect(await page.locator('[role=status]:focus').count()).toBe(1);
    expect(await message(page).inputValue()).toBe('');
    expect(await storedBy(service, text.slice(0, 36))).toEqual([
      { email: 'ada@example.com', message: text, extra: { name: 'Ada Lovelace', topic: 'An order' } },
    ]);
  });

  test('stores a message once if the response is lost and the visitor sends it again', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path);
    await loseResponse(page, service);
    await fill(page, text);
    await button(page).click();
    await said(page, 'could not be reached');
    await button(page).click();
    await succeeded(page);
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('works as a plain form without JavaScript', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, path, { javaScriptEnabled: false });
    await fill(page, text);
    await button(page).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await storedBy(service, text)).toHaveLength(1);
  });
});

describe('the scripted form', () => {
  test("shows the browser's errors beside each field, without sending", async ({ visit }) => {
    const page = await visit(service, 'index.html');
    const sent = countPosts(page);
    await email(page).fill('ada@');
    await button(page).click();
    await said(page, 'Please correct');

    expect(sent()).toBe(0);
    expect(await descriptionOf(email(page))).toContain('@');
    expect(await descriptionOf(message(page))).toBe('Please fill out this field.');
    expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
    expect(await page.locator('#email:focus').count()).toBe(1);
  });

  test('removes the errors when the message is sent again', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await button(page).click();
    await said(page, 'Please correct');
    await fill(page, randomUUID());
    await button(page).click();
    await succeeded(page);
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    expect((await page.locator('.error').allTextContents()).join('')).toBe('');
  });

  test('leaves the check to the browser until the form has the focus', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    const sent = countPosts(page);
    const form = page.locator('form');
    expect(await form.evaluate(({ noValidate }) => noValidate)).toBe(false);
    await form.evaluate((element) => element.requestSubmit());
    // The browser shows its error, and moves the focus to the field.
    await page.locator('#email:focus').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await form.evaluate(({ noValidate }) => noValidate)).toBe(true);
    await form.evaluate((element) => element.requestSubmit());
    await said(page, 'Please correct');
    expect(sent()).toBe(0);
  });

  test('is checked before a script of the page sends it', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await page.locator('form').evaluate((form) => {
      form.onsubmit = () => {
        form.dataset.sent = 'by another script';
        return false;
      };
    });
    const form = page.locator('form');
    await message(page).fill('Hello');
    await email(page).fill('ada@');
    await button(page).click();
    await said(page, 'Please correct');
    expect(await form.getAttribute('data-sent')).toBeNull();
    await email(page).fill('ada@example.com');
    await button(page).click();
    expect(await form.getAttribute('data-sent')).toBe('by another script');
    expect(await page.getByRole('status').textContent()).toBe('');
  });

  test('is refused while a required field without a name is empty, and says so beside it', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    const sent = countPosts(page);
    await page.locator('form').evaluate((form) => {
      form.lastElementChild.insertAdjacentHTML('beforebegin', '<label><input type="checkbox" required> Agreed</label>');
    });
    const consent = page.getByLabel('Agreed');
    await fill(page, text);
    await button(page).click();
    await said(page, 'Please correct');
    expect(await descriptionOf(consent)).toContain('check this box');
    expect(sent()).toBe(0);
    await consent.check();
    expect(await page.locator('.error').count()).toBe(0);
    await button(page).click();
    await succeeded(page);
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('is sent although it never had the focus', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    await page.locator('form').evaluate((form, value) => {
      form.elements.email.value = 'ada@example.com';
      form.elements.message.value = value;
      form.requestSubmit();
    }, text);
    await succeeded(page);
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('removes the error of a field as soon as the field is correct, and no other', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await email(page).fill('ada');
    await phone(page).evaluate((field) => field.setAttribute('aria-describedby', 'hint'));
    await phone(page).evaluate((field) => field.setCustomValidity('This number does not exist.'));
    await button(page).click();
    await said(page, 'Please correct');
    const required = await descriptionOf(message(page));

    await email(page).press('End');
    await email(page).pressSequentially('@');
    expect(await descriptionOf(email(page))).toContain("Please enter a part following '@'");
    await email(page).pressSequentially('example.com');
    expect(await descriptionOf(email(page))).toBe('');
    expect(await email(page).getAttribute('aria-invalid')).toBeNull();
    expect(await descriptionOf(message(page))).toBe(required);
    expect(await message(page).getAttribute('aria-invalid')).toBe('true');

    await phone(page).evaluate((field) => field.setCustomValidity(''));
    await phone(page).pressSequentially('5');
    expect(await phone(page).getAttribute('aria-describedby')).toBe('hint');
    expect(await page.locator('.error').count()).toBe(1);
  });

  test("removes the service's error of a field at the first change", async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    await phone(page).evaluate((field) => {
      field.removeAttribute('maxlength');
      field.value = 'x'.repeat(5001);
    });
    await button(page).click();
    await said(page, 'Please correct');
    expect(await phone(page).getAttribute('aria-invalid')).toBe('true');
    await phone(page).press('Backspace');
    expect(await descriptionOf(phone(page))).toBe('');
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
  });

  test("shows the service's errors beside each field, and focuses on the first", async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, 'x'.repeat(5001));
    await phone(page).evaluate((field) => {
      field.value = 'x'.repeat(5001); // More than its maxlength, as no visitor can type it.
    });
    await page.getByLabel('Name').fill('x'.repeat(5001));
    await button(page).click();
    await said(page, 'Please correct');

    expect(await descriptionOf(phone(page))).toBe(en.errors.too_long.replace('{limit}', '64'));
    expect(await descriptionOf(message(page))).toBe(en.errors.too_long.replace('{limit}', '5000'));
    expect(await descriptionOf(page.getByLabel('Name'))).toMatch(/^Shorten this to \d+ characters or fewer\.$/);
    expect(await page.getByRole('main').ariaSnapshot()).toContain('- textbox "Phone number" [invalid]');
    expect(await page.locator('#name:focus').count()).toBe(1);
    expect(await phone(page).inputValue()).toBe('x'.repeat(5001));
  });

  test('sends a double click once', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    const sent = countPosts(page);
    await fill(page, randomUUID());
    await button(page).dblclick();
    await succeeded(page);
    expect(sent()).toBe(1);
  });

  test('stores a changed text after the first response was lost', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    await loseResponse(page, service);
    await fill(page, text);
    await button(page).click();
    await said(page, 'could not be reached');

    await message(page).fill(`${text} and more`);
    await button(page).click();
    await succeeded(page);
    expect((await storedBy(service, text)).map((contact) => contact.message)).toEqual([`${text} and more`, text]);
  });

  test('stores the same text again after a success', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    for (const _ of ['first', 'second']) {
      await fill(page, text);
      await button(page).click();
      await succeeded(page);
    }
    expect(await storedBy(service, text)).toHaveLength(2);
  });

  test('works with the keyboard alone', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    const focused = page.locator(':focus');
    for (let stop = ''; stop !== 'submit'; ) {
      await page.keyboard.press('Tab');
      const name = await focused.getAttribute('name');
      stop = (await focused.getAttribute('type')) ?? '';
      if (name === 'email') await page.keyboard.type('ada@example.com');
      if (name === 'message') await page.keyboard.type(text);
    }
    await page.keyboard.press('Space');
    await succeeded(page);
    expect(await storedBy(service, text)).toHaveLength(1);
  });

  test('shows that it is sending, and keeps the focus on the button', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    const release = await holdRequests(page, service);
    await button(page).click();
    await said(page, 'Sending…');
    expect(await page.locator('button:focus').count()).toBe(1);
    release();
    await succeeded(page);
  });

  test('keeps what the visitor types while it is sending, and empties the other fields', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    const release = await holdRequests(page, service);
    await fill(page, text);
    await page.getByLabel('Topic').selectOption('An order');
    await button(page).click();
    await said(page, 'Sending…');
    await message(page).press('Home');
    await message(page).pressSequentially('More: ');
    release();
    await succeeded(page);

    await message(page).and(page.locator(':focus')).pressSequentially('and ');
    expect(await message(page).inputValue()).toBe(`More: and ${text}`);
    expect(await email(page).inputValue()).toBe('');
    expect(await page.getByLabel('Topic').inputValue()).toBe('A question');

    await email(page).fill('ada@example.com');
    await button(page).click();
    await page.locator('[role=status]:focus').waitFor();
    expect(await message(page).inputValue()).toBe('');
    const stored = await storedBy(service, text);
    expect(stored.map((contact) => contact.message)).toEqual([`More: and ${text}`, text]);
  });

  test('leaves the focus to a visitor who types on in the field from which Enter sent the form', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    const release = await holdRequests(page, service);
    await fill(page, randomUUID());
    await page.getByLabel('Name').press('Enter');
    await said(page, 'Sending…');
    await page.getByLabel('Name').pressSequentially('Ada');
    release();
    await succeeded(page);
    await page.keyboard.type(' Lovelace');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Lovelace');
  });

  test('keeps choices that the visitor changes while it is sending', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await page.locator('form').evaluate((form) =>
      form.insertAdjacentHTML(
        'beforeend',
        `<label>Copy <input type="checkbox" name="copy"></label>
        <label>Left <input type="radio" name="side" value="left" checked></label>
        <label>Right <input type="radio" name="side" value="right"></label>
        <label>Call <input type="checkbox" name="call" checked></label>`,
      ),
    );
    const release = await holdRequests(page, service);
    await fill(page, randomUUID());
    await page.getByLabel('Call').uncheck();
    await button(page).click();
    await said(page, 'Sending…');
    await page.getByLabel('Copy').check();
    await page.getByLabel('Right').check();
    await page.getByLabel('Topic').selectOption('Something else');
    release();
    await succeeded(page);
    expect(await page.getByLabel('Copy').isChecked()).toBe(true);
    expect(await page.getByLabel('Right').isChecked()).toBe(true);
    expect(await page.getByLabel('Call').isChecked()).toBe(true);
    expect(await page.getByLabel('Topic').inputValue()).toBe('Something else');
    expect(await page.locator('form [form]').count()).toBe(0);
    expect(await message(page).inputValue()).toBe('');
  });
});

test.for([
  ['index.html', 'application/x-www-form-urlencoded', 0],
  ['json.html', 'application/json', 1],
] as const)('the form of %s is sent as %s, with %i preflights', async ([path, type, preflights], { visit }) => {
  const page = await visit(service, path);
  let asked = 0;
  // Preflights are the browser's own: no page hears of them.
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  browser.on('Network.requestWillBeSent', ({ request }) => {
    if (request.method === 'OPTIONS') asked += 1;
  });
  await fill(page, randomUUID());
  const [request] = await Promise.all([
    page.waitForRequest((candidate) => candidate.method() === 'POST'),
    button(page).click(),
  ]);
  await succeeded(page);
  expect((await request.headerValue('content-type'))?.split(';')[0]).toBe(type);
  expect(asked).toBe(preflights);
});

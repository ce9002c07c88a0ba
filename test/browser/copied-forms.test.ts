import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

/** Forms made for other services, only their `action` changed: what a visitor types, and what is stored. */
const forms = {
  'netlify.html': {
    fill: async (page: Page, message: string) => {
      await page.getByLabel('Your name').fill('Ada Lovelace');
      await page.getByLabel('Your email').fill('ada@example.com');
      await page.getByLabel('Your roles').selectOption(['Engineer', 'Owner']);
      await page.getByLabel('Your message').fill(message);
    },
    stored: {
      email: 'ada@example.com',
      extra: { 'form-name': 'contact', name: 'Ada Lovelace', 'role[]': ['engineer', 'owner'] },
    },
  },
  'formspree.html': {
    fill: async (page: Page, message: string) => {
      await page.getByLabel('Full name').fill("Zoë O'Neill");
      await page.getByLabel('Email address').fill('zoe@example.com');
      await page.getByLabel('Answer to').fill('office@example.com');
      await page.getByLabel('Topic').selectOption('Press');
      await page.getByLabel('By phone').check();
      await page.getByLabel('Monday').check();
      await page.getByLabel('Friday').check();
      await page.getByLabel('Message').fill(message);
    },
    stored: {
      email: 'zoe@example.com',
      extra: {
        _subject: 'A message from the site',
        _next: 'https://www.example.com/thanks',
        name: "Zoë O'Neill",
        _replyto: 'office@example.com',
        topic: 'press',
        'answer-by': 'phone',
        days: ['Monday', 'Friday'],
      },
    },
  },
  'web3forms.html': {
    fill: async (page: Page, message: string) => {
      await page.getByPlaceholder('Email').fill('grace@example.com');
      await page.getByPlaceholder('First name').fill('Grace');
      await page.getByPlaceholder('Phone').fill('ask at the desk');
      await page.getByLabel('Music').check();
      await page.getByLabel('I agree to the terms').check();
      await page.getByPlaceholder('Message').fill(message);
    },
    stored: {
      email: 'grace@example.com',
      extra: {
        access_key: '00000000-0000-0000-0000-000000000000',
        subject: 'A message from the site',
        from_name: 'The site',
        redirect: 'https://www.example.com/thanks',
        'First Name': 'Grace',
        'Phone Number': 'ask at the desk',
        interest: 'music',
        terms: 'on',
      },
    },
  },
};

const newMessage = () => `${randomUUID()} "Tea" & <cake>?\nZoë's 🍰`;

describe.each(Object.entries(forms))('the form of %s', (path, { fill, stored }) => {
  test('stores every field as a plain form', async ({ visit }) => {
    const message = newMessage();
    const page = await visit(service, path, { javaScriptEnabled: false });
    await fill(page, message);
    await page.locator('[type=submit]').click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await storedBy(service, message.slice(0, 36))).toEqual([{ ...stored, message }]);
  });

  test('stores every field as JSON by contact-form.js', async ({ visit }) => {
    const message = newMessage();
    const page = await visit(service, path);
    await page.locator('form').evaluate((form) => form.setAttribute('data-send', 'json'));
    await page.addScriptTag({ url: 'contact-form.js', type: 'module' });
    await fill(page, message);
    await page.locator('[type=submit]').click();
    await page.getByRole('status').filter({ hasText: 'We have received your message.' }).waitFor();
    expect(await storedBy(service, message.slice(0, 36))).toEqual([{ ...stored, message }]);
  });
});

test.for([
  ['netlify.html', 'Your name', 'name'],
  ['formspree.html', 'By phone', 'answer-by'],
  ['web3forms.html', 'I agree to the terms', 'terms'],
] as const)('shows an error in %s below "%s"', async ([path, label, field], { visit }) => {
  const page = await visit(service, path);
  await page.addScriptTag({ url: 'contact-form.js', type: 'module' });
  await page
    .locator(`[name="${field}"]`)
    .first()
    .evaluate((input) => {
      input.required = true;
    });
  await page.locator('[type=submit]').click();
  const error = page.locator(`label:text("${label}") + .error`);
  await error.waitFor();
  const described = await page
    .locator(`[name="${field}"]`)
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('aria-describedby')));
  expect(new Set(described)).toEqual(new Set([await error.getAttribute('id')]));
});

test('refuses a file with a message', async ({ visit }) => {
  const page = await visit(service, 'web3forms.html');
  await page.addScriptTag({ url: 'contact-form.js', type: 'module' });
  await forms['web3forms.html'].fill(page, randomUUID());
  await page.getByLabel('Attachment').setInputFiles({
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('A plan'),
  });
  await page.locator('[type=submit]').click();
  await page.locator('[role=status]').filter({ hasText: 'Only text can be sent with this form.' }).waitFor();
});

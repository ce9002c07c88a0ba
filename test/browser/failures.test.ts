import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { pages as en } from '../../functions/languages/en.ts';
import { fill, holdRequests } from './form-page.ts';
import { takeRoom } from './service.ts';
import { test } from './visitor.ts';

const service = inject('service');
const throttled = inject('throttled');
const unreachable = inject('unreachable');

const status = (page: Page) => page.locator('[role=status][data-state=failed]');

/** Sends the form. @returns what the page says about it */
const send = async (page: Page) => {
  await page.getByRole('button', { name: 'Send' }).click();
  await status(page).waitFor();
  return status(page).innerText();
};

/** The visitor can send again: the button has the focus, and the text is still there. */
const expectRetry = async (page: Page, text: string) => {
  expect(await page.locator('button:enabled:focus').count()).toBe(1);
  expect(await page.getByLabel('Message').inputValue()).toBe(text);
};

/** Responds in the place of the service. */
const respondWith = (page: Page, code: number, body: string, retryAfter = '') =>
  page.route(`${service.apiUrl}/**`, (route) =>
    route.fulfill({
      status: code,
      headers: {
        'Access-Control-Allow-Origin': service.siteUrl,
        'Access-Control-Expose-Headers': 'Retry-After',
        ...(retryAfter !== '' && { 'Retry-After': retryAfter }),
      },
      body,
    }),
  );

test.for(['index.html', 'json.html'])(
  '%s shows when to send again if the service is throttled',
  async (path, { visit }) => {
    const text = randomUUID();
    const page = await visit(throttled, path);
    await takeRoom(throttled);
    await fill(page, text);
    expect(await send(page)).toBe('We are receiving too many messages right now. Please send yours again in 1 second.');
    await expectRetry(page, text);
  },
);

test('shows that the service is unreachable', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(unreachable, 'index.html');
  await fill(page, text);
  expect(await send(page)).toMatch(/^The service could not be reached\./);
  await expectRetry(page, text);
});

test.for([
  [403, '', 'Your message could not be accepted. Please contact us in another way.'],
  [413, '', 'Your message is too long. Please shorten it and send it again.'],
  [415, '', 'Only text can be sent with this form. Please send your message without files.'],
  [500, '', 'Something went wrong on our side. Please send your message again later.'],
  [502, '', 'Something went wrong on our side. Please send your message again later.'],
  [503, '5', 'The service is temporarily unavailable. Please send your message again in 5 seconds.'],
  [503, '', 'The service is temporarily unavailable. Please send your message again in 60 seconds.'],
  [
    503,
    'Sat, 21 Nov 2026 12:00:00 GMT',
    'The service is temporarily unavailable. Please send your message again in 60 seconds.',
  ],
] as const)(
  'explains a response of HTML with status %i and Retry-After "%s"',
  async ([code, after, words], { visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    await respondWith(page, code, '<h1>Some Reason</h1>', after);
    expect(await send(page)).toBe(words);
  },
);

test('names an invalid field that the form does not have any more', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await fill(page, randomUUID());
  await page.getByLabel('Phone number').evaluate((field) => {
    field.value = 'x'.repeat(5001); // More than its maxlength, as no visitor can type it.
  });
  const release = await holdRequests(page, service);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').filter({ hasText: 'Sending…' }).waitFor();
  await page.locator('#phone').evaluate((element) => element.remove());
  release();
  await status(page).waitFor();
  expect(await status(page).innerText()).toBe(
    `Please correct the errors, then send your message again.\n\nphone: ${en.errors.too_long.replace('{limit}', '64')}`,
  );
});

test('names an invalid hidden field', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await fill(page, randomUUID());
  await page.locator('form').evaluate((form) => {
    form.elements['name'].type = 'hidden';
    form.elements['name'].value = 'x'.repeat(5001);
  });
  expect(await send(page)).toMatch(
    /^Please correct the errors, then send your message again\.\n\nname: Shorten this to \d+ characters or fewer\.$/,
  );
});

/** Adds a field named `body`, as some forms have for the message. */
const addBodyField = (page: Page) =>
  page.locator('form').evaluate((form) => {
    form.insertAdjacentHTML('afterbegin', '<label>Text <input name="body" value="Hello"></label>');
  });

test.for(['too_many', 'too_large', 'malformed_text', 'malformed_multipart', 'not_an_object', 'encoded_part'])(
  'tells the error %s, which is about the whole body, from errors of a field named body',
  async (code, { visit }) => {
    const page = await visit(service, 'index.html');
    await addBodyField(page);
    await fill(page, randomUUID());
    const details = [
      { field: 'body', code: 'too_long', limit: 5, message: 'Shorten this.' },
      { field: 'body', code, message: 'Send less.' },
    ];
    await respondWith(page, 400, JSON.stringify({ error: 'Bad Request', details }));
    expect(await send(page)).toBe('Please correct the errors, then send your message again.\n\nSend less.');
    expect(await page.locator('label:text("Text") + .error').textContent()).toBe('Shorten this.');
  },
);

test('explains an error about the whole form without a field name', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await fill(page, randomUUID());
  await page.locator('form').evaluate((form) => {
    for (const at of Array(110).keys()) {
      const input = form.ownerDocument.createElement('input');
      form.append(Object.assign(input, { type: 'hidden', name: `field-${at}`, value: 'x' }));
    }
  });
  expect(await send(page)).toBe(
    'Please correct the errors, then send your message again.\n\nSend fewer fields or values: 100 at most.',
  );
});

test('shows markup in a response as text', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await fill(page, randomUUID());
  const markup = '<img src="x" onerror="document.title = 1">';
  const details = ['message', markup].map((field) => ({ field, message: markup }));
  await respondWith(page, 400, JSON.stringify({ error: 'Bad Request', details }));
  expect(await send(page)).toContain(`${markup}: ${markup}`);
  expect(await page.locator('#message ~ .error').textContent()).toBe(markup);
  expect(await page.locator('main img').count()).toBe(0);
});

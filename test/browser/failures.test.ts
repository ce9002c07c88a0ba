import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { en } from '../../functions/contacts/languages/en.ts';
import { fill } from './form-page.ts';
import { takeRoom } from './service.ts';
import { test } from './visitor.ts';

const service = inject('service');
const throttled = inject('throttled');
const away = inject('away');

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

/** Answers in the place of the service. */
const answerWith = (page: Page, code: number, body: string, retryAfter = '') =>
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
  const page = await visit(away, 'index.html');
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
  'explains an answer of HTML with status %i and Retry-After "%s"',
  async ([code, after, words], { visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    await answerWith(page, code, '<h1>Some Reason</h1>', after);
    expect(await send(page)).toBe(words);
  },
);

test('names an invalid field that the page lacks', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await page.locator('#email').evaluate((element) => element.remove());
  await page.getByLabel('Message').fill(randomUUID());
  expect(await send(page)).toBe(
    `Please correct the errors, then send your message again.\n\nemail: ${en.faults.required.emailOrPhone}`,
  );
});

test('names an invalid hidden field', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await fill(page, randomUUID());
  await page.locator('form').evaluate((form) => {
    form.elements['name'].type = 'hidden';
    form.elements['name'].value = 'x'.repeat(2001);
  });
  expect(await send(page)).toBe(
    'Please correct the errors, then send your message again.\n\nname: Shorten this to 2000 characters or fewer.',
  );
});

test('explains an error about the whole form without a field name', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await fill(page, randomUUID());
  await page.locator('form').evaluate((form) => {
    for (const at of Array(60).keys()) {
      const input = form.ownerDocument.createElement('input');
      form.append(Object.assign(input, { type: 'hidden', name: `field-${at}`, value: 'x' }));
    }
  });
  expect(await send(page)).toBe(
    'Please correct the errors, then send your message again.\n\nSend fewer fields or values: 50 at most.',
  );
});

test('shows markup in an answer as text', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await fill(page, randomUUID());
  const markup = '<img src="x" onerror="document.title = 1">';
  const details = ['message', markup].map((field) => ({ field, message: markup }));
  await answerWith(page, 400, JSON.stringify({ error: 'Bad Request', details }));
  expect(await send(page)).toContain(`${markup}: ${markup}`);
  expect(await page.locator('#message ~ .error').textContent()).toBe(markup);
  expect(await page.locator('main img').count()).toBe(0);
});

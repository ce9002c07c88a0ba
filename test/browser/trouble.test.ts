import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { holdRequests } from './form-page.ts';
import { takeRoom } from './room.ts';
import { storedBy } from './stored.ts';
import { test } from './visitor.ts';

const service = inject('service');
const throttled = inject('throttled');
const away = inject('away');

const button = (page: Page) => page.getByRole('button', { name: 'Send' });
const status = (page: Page) => page.locator('[role=status][data-state=failed]');

const fill = async (page: Page, text: string) => {
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Message').fill(text);
};

/** Sends the form. @returns what the page says about it */
const send = async (page: Page) => {
  await button(page).click();
  await status(page).waitFor();
  return status(page).innerText();
};

/** The service cannot be brought to every answer on demand: this gives one in its place. */
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

describe.each(['index.html', 'json.html'])('the visitor of %s', (path) => {
  test('is asked to wait when the service is throttled, and can send again', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(throttled, path);
    await takeRoom(throttled);
    await fill(page, text);
    expect(await send(page)).toBe('Too many messages are arriving right now. Please send yours again in 1 second.');
    expect(await page.getByLabel('Message').inputValue()).toBe(text);
    expect(await page.locator('button:enabled:focus').count()).toBe(1);
    expect(await storedBy(throttled, text)).toEqual([]);
  });

  test('is told when the service cannot be reached, and can send again', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(away, path);
    await fill(page, text);
    expect(await send(page)).toMatch(/^The service could not be reached\./);
    expect(await page.getByLabel('Message').inputValue()).toBe(text);
    expect(await page.locator('button:enabled:focus').count()).toBe(1);
  });
});

describe('contact-form.js', () => {
  test('explains that a message is too large', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, 'x'.repeat(70_000));
    expect(await send(page)).toMatch(/^Your message is too long\./);
  });

  test('explains by its status what the service cannot do', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    for (const [code, retryAfter, explanation] of [
      [403, '', 'The service refused this message. Please contact us in another way.'],
      [415, '', 'Only text can be sent here. Please send your message without files.'],
      [500, '', 'Something went wrong on our side. Please send your message again later.'],
      [503, '5', 'The service is away. Please send your message again in 5 seconds.'],
      [503, '', 'The service is away. Please send your message again in 60 seconds.'],
      [503, 'Sat, 21 Nov 2026 12:00:00 GMT', 'The service is away. Please send your message again in 60 seconds.'],
    ] as const) {
      await answerWith(page, code, '{"error":"Some Reason"}', retryAfter);
      expect(await send(page)).toBe(explanation);
    }
  });

  test('explains an answer that is no JSON', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    await answerWith(page, 502, '<h1>Bad Gateway</h1>');
    expect(await send(page)).toMatch(/^Something went wrong on our side\./);
  });

  test('names a field at fault that the page does not have', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await page.locator('#email').evaluate((element) => element.remove());
    await page.getByLabel('Message').fill(randomUUID());
    expect(await send(page)).toBe(
      'Please correct the mistakes, then send your message again.\n\n' +
        'email: Enter an email address or a phone number, so that you can be answered.',
    );
    expect(await page.locator('button:enabled:focus').count()).toBe(1);
  });

  test('names a field at fault that nobody can see', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    await page.locator('form').evaluate((form) => {
      form.elements['name'].type = 'hidden';
      form.elements['name'].value = 'x'.repeat(2001);
    });
    expect(await send(page)).toBe(
      'Please correct the mistakes, then send your message again.\n\nname: Keep this to 2000 characters at most.',
    );
  });

  test('says what is wrong with the form as a whole, and calls it by no name', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    await page.locator('form').evaluate((form) => {
      for (const at of Array(60).keys()) {
        const input = form.ownerDocument.createElement('input');
        form.append(Object.assign(input, { type: 'hidden', name: `field-${at}`, value: 'x' }));
      }
    });
    expect(await send(page)).toBe(
      'Please correct the mistakes, then send your message again.\n\nSend fewer fields or values: 50 at most.',
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

  test('says that the message is under way, without taking the focus', async ({ visit }) => {
    const page = await visit(service, 'index.html');
    await fill(page, randomUUID());
    const release = await holdRequests(page, service);
    await button(page).click();
    await page.getByRole('status').filter({ hasText: 'Sending…' }).waitFor();
    expect(await page.locator('button:focus').count()).toBe(1);

    release();
    await page.getByRole('status').filter({ hasText: 'has arrived' }).waitFor();
  });
});

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

/** The form must not need it. */
const withoutScript = { javaScriptEnabled: false };

const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
};

/** Sends the form and waits for the page that follows. @returns the status of the response */
const send = async (page: Page): Promise<number> => {
  const [response] = await Promise.all([
    page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
    page.getByRole('button', { name: 'Send' }).click(),
  ]);
  await page.locator('form').waitFor({ state: 'detached' });
  return response.status();
};

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

describe('a plain form', () => {
  test('stores every field and shows a success page', async ({ visit }) => {
    const message = `${randomUUID()} "Tea" & <cake>?\nZoë's 🍰`;
    const page = await visit(service, 'plain.html', withoutScript);
    await fill(page, {
      Name: "Ada O'Neill",
      'Email address': 'ada@example.com',
      'Phone number': '+49 (30) 123-45',
      Message: message,
    });

    expect(await send(page)).toBe(201);
    expect(await heading(page)).toBe('Thank you');
    expect(await storedBy(service, message.slice(0, 36))).toEqual([
      {
        email: 'ada@example.com',
        phone: '+49 (30) 123-45',
        message,
        extra: { name: "Ada O'Neill", topic: 'A question' },
      },
    ]);
  });

  test('links from the success page back to the site', async ({ visit }) => {
    const page = await visit(service, 'plain.html', withoutScript);
    await fill(page, { 'Email address': 'ada@example.com', Message: randomUUID() });
    await send(page);
    await page.getByRole('link', { name: /^Back to localhost:/ }).click();
    await page.waitForURL(`${service.siteUrl}/**`);
  });

  test('keeps the typed text when the visitor goes back from the error page', async ({ visit }) => {
    const message = randomUUID();
    const page = await visit(service, 'plain.html', withoutScript);
    await page.getByLabel('Phone number').evaluate((field) => field.removeAttribute('maxlength'));
    await fill(page, { 'Email address': 'ada@example.com', 'Phone number': 'x'.repeat(5001), Message: message });
    expect(await send(page)).toBe(400);
    expect(await page.getByRole('term').allTextContents()).toEqual(['Phone number']);

    await page.goBack();
    expect(await page.getByLabel('Phone number').inputValue()).toBe('x'.repeat(5001));
    expect(await page.getByLabel('Message').inputValue()).toBe(message);

    await fill(page, { 'Phone number': '' });
    expect(await send(page)).toBe(201);
  });

  test('shows the success page and the error page in the frame in which the form stands', async ({ visit }) => {
    const message = randomUUID();
    const page = await visit(service, 'framed.html', withoutScript);
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Email address').fill('ada@example.com');
    await frame.getByLabel('Message').fill('x'.repeat(5001));
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByRole('heading', { name: 'Your message was not sent' }).waitFor();

    await page.reload();
    await frame.getByLabel('Email address').fill('ada@example.com');
    await frame.getByLabel('Message').fill(message);
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await storedBy(service, message)).toHaveLength(1);
  });

  test('stores a double click once, although the browser sends two requests', async ({ visit }) => {
    const message = randomUUID();
    const page = await visit(service, 'plain.html', withoutScript);
    await fill(page, { 'Email address': 'ada@example.com', Message: message });
    const firstArrived = Promise.withResolvers<void>();
    await page.route(
      `${service.apiUrl}/**`,
      async (route) => {
        // The service has it, but its response is still to come at the second click.
        await route.fetch();
        firstArrived.resolve();
      },
      { times: 1 },
    );
    const minute = () => Math.floor(Date.now() / 60_000);
    const started = minute();
    await page.getByRole('button', { name: 'Send' }).scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await page.getByRole('button', { name: 'Send' }).boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    await firstArrived.promise;
    await page.mouse.click(x + 5, y + 5);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();

    // Two clicks across the turn of a minute may be stored twice.
    const { length } = await storedBy(service, message);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(1 + minute() - started);
  });
});

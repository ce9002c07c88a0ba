import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { collectPosts, fill, loseResponse, respondUnavailable, send, storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

/** The global objects of captchas, and the fields that their widgets add to a form. */
const captchas = [
  ['turnstile', ['cf-turnstile-response']],
  ['hcaptcha', ['h-captcha-response', 'g-recaptcha-response']],
  ['grecaptcha', ['g-recaptcha-response']],
] as const;

/** Adds a stand-in for the widget of a captcha, whose visitor solves it again after each reset. */
const addWidget = (page: Page, name: string, fields: readonly string[]) =>
  page.locator('form').evaluate(
    (form, { name, fields }) => {
      const inputs = fields.map((field) =>
        Object.assign(form.ownerDocument.createElement('input'), { type: 'hidden', name: field, value: 'token 0' }),
      );
      form.append(...inputs);
      let resets = 0;
      const reset = () => {
        resets += 1;
        for (const input of inputs) input.value = `token ${resets}`;
      };
      // Google's script does this on a page without its widget.
      const fail = () => {
        throw new Error('No reCAPTCHA clients exist.');
      };
      Object.assign(globalThis, { grecaptcha: { reset: fail }, [name]: { reset } });
    },
    { name, fields },
  );

test.for(captchas)(
  'each sending has a new token of %s, and a retry is stored once',
  async ([name, fields], { visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'index.html');
    await addWidget(page, name, fields);
    const posts = collectPosts(page);
    await loseResponse(page, service);
    await fill(page, text);
    await send(page, 'failed');
    await respondUnavailable(page, service);
    await send(page, 'failed');
    await send(page);
    await fill(page, text);
    await send(page);
    for (const field of fields) {
      expect(posts.map((post) => post[field])).toEqual(['token 0', 'token 1', 'token 2', 'token 3']);
    }
    expect(await storedBy(service, text)).toHaveLength(2);
  },
);

test('asks for the security check if a captcha has no token yet, and sends nothing', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  await addWidget(page, 'turnstile', ['cf-turnstile-response']);
  await page.locator('[name=cf-turnstile-response]').evaluate((input) => {
    input.value = '';
  });
  const posts = collectPosts(page);
  await fill(page, randomUUID());
  await send(page, 'failed');
  expect(await page.getByRole('status').textContent()).toBe(
    'Please complete the security check, then send your message again.',
  );
  expect(posts).toEqual([]);
});

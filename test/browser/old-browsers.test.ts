import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { descriptionOf, fill, send, storedBy } from './form-page.ts';
import { proofBits } from './service.ts';
import { test } from './visitor.ts';

const service = inject('service');
const guarded = inject('guarded');

test('an old browser sends a form with the button that was pressed', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'old-browser.html');
  await fill(page, text);
  await send(page);
  expect(await storedBy(service, text)).toEqual([
    { email: 'ada@example.com', message: text, extra: { button: 'pressed' } },
  ]);
});

test('an old browser finds a proof of work', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(guarded, 'old-browser.html');
  await page.locator('form').evaluate((form, bits) => form.setAttribute('data-proof', bits), proofBits);
  await fill(page, text);
  await send(page);
  expect(await storedBy(guarded, text)).toHaveLength(1);
});

test("an old browser shows its own errors and the service's", async ({ visit }) => {
  const page = await visit(service, 'old-browser.html');
  const message = page.getByLabel('Message');
  await fill(page, '');
  await send(page, 'failed');
  expect(await descriptionOf(message)).toBe('Please fill out this field.');
  await fill(page, 'x'.repeat(5001));
  await send(page, 'failed');
  expect(await descriptionOf(message)).toContain('5000');
});

test('an old browser follows a button with an address of its own', async ({ visit }) => {
  const page = await visit(service, 'old-browser.html');
  await fill(page, randomUUID());
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
});

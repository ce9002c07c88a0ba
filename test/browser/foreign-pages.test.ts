import { randomUUID } from 'node:crypto';
import { describe, expect, inject } from 'vitest';
import { fill, storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');
const foreign = inject('foreign');

const blocked = /blocked by CORS policy/;

describe('a page that belongs to no site', () => {
  test('cannot store with a plain form, and shows why', async ({ visit }) => {
    const text = randomUUID();
    const page = await visit(foreign, 'plain.html', { javaScriptEnabled: false });
    await fill(page, text);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
    expect(await page.getByRole('main').textContent()).toContain('Messages cannot be sent with this form.');
    expect(await storedBy(service, text)).toEqual([]);
  });

  test.for(['index.html', 'json.html'])('cannot store with the script of %s', async (path, { visit, problems }) => {
    const text = randomUUID();
    const page = await visit(foreign, path);
    await fill(page, text);
    await Promise.all([
      page.waitForEvent('console', (message) => blocked.test(message.text())),
      page.getByRole('button').click(),
    ]);
    await page.getByRole('status').filter({ hasText: 'could not be reached' }).waitFor();
    expect(problems.splice(0)).toEqual([expect.stringMatching(blocked)]);
    expect(await storedBy(service, text)).toEqual([]);
  });
});

test('a page that hides its origin stores with a plain form', async ({ visit }) => {
  const text = randomUUID();
  const page = await visit(service, 'plain.html');
  await page.locator('head').evaluate((head) => {
    head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">');
  });
  await fill(page, text);
  const [request] = await Promise.all([page.waitForRequest(`${service.apiUrl}/**`), page.getByRole('button').click()]);
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect((await request.allHeaders())['origin']).toBe('null');
  expect(await storedBy(service, text)).toHaveLength(1);
});

test.for(['', 'json'])(
  'contact-form.js says in a sandboxed frame that the message arrived, sent as "%s"',
  async (type, { visit }) => {
    const text = randomUUID();
    const page = await visit(service, 'sandboxed.html');
    const frame = page.frameLocator('iframe');
    await frame.locator('form').evaluate((form, send) => form.setAttribute('data-send', send), type);
    await frame.getByLabel('Email').fill('ada@example.com');
    await frame.getByLabel('Message').fill(text);
    const [request] = await Promise.all([
      page.waitForRequest(`${service.apiUrl}/**`),
      frame.getByRole('button', { name: 'Send' }).click(),
    ]);
    await frame.getByRole('status').filter({ hasText: 'We have received your message.' }).waitFor();
    expect((await request.allHeaders())['origin']).toBe('null');
    expect(await storedBy(service, text)).toHaveLength(1);
  },
);

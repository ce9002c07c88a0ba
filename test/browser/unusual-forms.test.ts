import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { countPosts, holdRequests, loseResponse, storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

const fill = async (form: Locator, text: string) => {
  if (await form.getByLabel('Email').isVisible()) await form.getByLabel('Email').fill('ada@example.com');
  await form.getByLabel('Message').fill(text);
};

const click = (form: Locator) => form.getByRole('button', { name: 'Send' }).click();

/** The forms of a page, by their ids: how a visitor sends each, and what is stored besides what was typed. */
const forms = {
  'no-button': { send: (form: Locator) => form.getByLabel('Message').press('Enter') },
  'scripted-button': { send: click },
  image: { send: click },
  'named-buttons': { send: click, extra: { submit: 'Send' } },
  choices: {
    send: (form: Locator) => form.page().getByRole('button', { name: 'Send the choices' }).click(),
    extra: { 'response-by': 'phone' },
  },
  usual: { send: click },
};

/** Waits until the form says this. */
const said = (form: Locator, text: string) => form.getByRole('status').filter({ hasText: text }).waitFor();

const formOf = async (visit: (...of: [typeof service, string]) => Promise<Page>, id: string) => {
  const page = await visit(service, 'unusual.html');
  return { page, form: page.locator(`#${id}`) };
};

test.for(Object.entries(forms))(
  'sends the form "%s" once, without leaving the page',
  async ([id, { send, ...more }], { visit }) => {
    const message = randomUUID();
    const { page, form } = await formOf(visit, id);
    const sent = countPosts(page);
    const release = await holdRequests(page, service);
    await fill(form, message);
    await send(form);
    await said(form, 'Sending…');
    await send(form);
    release();
    await said(form, 'We have received your message.');
    expect(sent()).toBe(1);
    expect(await form.getByLabel('Message').inputValue()).toBe('');
    expect(await storedBy(service, message)).toEqual([{ email: 'ada@example.com', message, ...more }]);
  },
);

test.for([
  ['usual', 'message', 'Message'],
  ['choices', 'response-by', 'By phone'],
] as const)('shows an error in the form "%s" below the label of "%s"', async ([id, field, label], { visit }) => {
  const { form } = await formOf(visit, id);
  const inputs = form.locator(`[name="${field}"]`);
  await inputs.last().evaluate((input) => {
    input.required = true;
    input.checked = false;
  });
  await forms[id].send(form);
  const error = form.locator(`label:text("${label}") + .error`);
  await error.waitFor();
  const described = await inputs.evaluateAll((all) => all.map((input) => input.getAttribute('aria-describedby')));
  expect(new Set(described)).toEqual(new Set([await error.getAttribute('id')]));
});

test('stores a message once if its image button is pressed at two points', async ({ visit }) => {
  const message = randomUUID();
  const { page, form } = await formOf(visit, 'image');
  const image = form.getByRole('button', { name: 'Send' });
  await loseResponse(page, service);
  await fill(form, message);
  await image.click({ position: { x: 3, y: 4 } });
  await said(form, 'could not be reached');
  await image.click({ position: { x: 30, y: 20 } });
  await said(form, 'We have received your message.');
  expect(await storedBy(service, message)).toHaveLength(1);
});

test('sends from a page without TLS, where browsers lack randomUUID', async ({ visit }) => {
  const { page, form } = await formOf(visit, 'usual');
  await page.evaluate(() => Reflect.deleteProperty(Reflect.get(globalThis, 'Crypto').prototype, 'randomUUID'));
  await fill(form, randomUUID());
  await click(form);
  await said(form, 'We have received your message.');
});

test('a field can have the name of any property of its form', async ({ visit }) => {
  const page = await visit(service, 'hiding-names.html');
  const output = page.locator('output').filter({ hasText: /./ });
  await output.waitFor({ timeout: 60_000 });
  expect(await output.textContent()).toBe('Failed: none');
});

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { pages as en } from '../../functions/languages/en.ts';
import { violationsOf } from './axe.ts';
import { filesStoredBy, pdf } from './files.ts';
import { test, type Visit } from './visitor.ts';

const service = inject('applications');

const open = async (visit: Visit, text: string) => {
  const page = await visit(service, 'application.html', { javaScriptEnabled: false });
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('Message').fill(text);
  return page;
};

const send = async (page: Page, heading: string) => {
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: heading }).waitFor();
};

/** Without the script there is no proof of work. */
const stored = (text: string) => filesStoredBy(service, text, '&spam=true');

test('a plain form stores a CV of 3 MB byte for byte, and pressing twice stores it once', async ({ visit }) => {
  const text = randomUUID();
  const page = await open(visit, text);
  const file = pdf('CV Zoë "2026".pdf', 3_000_000);
  await page.getByLabel('CV').setInputFiles(file);
  await send(page, 'Thank you');
  await page.goBack();
  await page.getByLabel('CV').setInputFiles(file);
  await send(page, 'Thank you');
  const [[first] = [], ...others] = await stored(text);
  expect(others).toEqual([]);
  expect(first?.name).toBe(file.name);
  expect(first?.content.equals(file.buffer)).toBe(true);
});

test.for([
  [
    'lies about its type',
    { ...pdf('cv.pdf', 0), buffer: Buffer.from('MZ\x90\0\x03\0') },
    400,
    'Choose a file of one of',
  ],
  ['is empty', pdf('cv.pdf', 0), 400, en.errors.empty_file],
  ['is too large', pdf('cv.pdf', 4_450_000), 413, 'Choose fewer or smaller files: 4.4 MB at most in total.'],
] as const)(
  'a page names the input and what to do if a file %s, and going back keeps what was typed',
  async ([, file, status, words], { visit }) => {
    const text = randomUUID();
    const page = await open(visit, text);
    await page.getByLabel('CV').setInputFiles(file);
    const response = page.waitForResponse((each) => each.request().method() === 'POST');
    await send(page, 'Your message was not sent');
    expect((await response).status()).toBe(status);
    expect(await page.getByRole('term').allTextContents()).toEqual(['cv']);
    expect(await page.getByRole('definition').innerText()).toContain(words);
    expect(await page.getByText(en.refusal.goBack).count()).toBe(1);
    await page.goBack();
    expect(await page.getByLabel('Message').inputValue()).toBe(text);
    await page.getByLabel('CV').setInputFiles(pdf('cv.pdf', 100));
    await send(page, 'Thank you');
    expect(await stored(text)).toHaveLength(1);
  },
);

test('a page says that a form accepts no files', async ({ visit }) => {
  const page = await visit(service, 'application.html');
  await page.locator('form').evaluate((form) => {
    form.elements['form-name'].value = 'other';
    for (const name of ['name', 'email']) form.elements[name].required = false;
  });
  await page.getByLabel('Message').fill(randomUUID());
  await page.getByLabel('CV').setInputFiles(pdf('cv.pdf', 100));
  await page.locator('form').evaluate((form) => form.submit());
  await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
  expect(await page.getByText(en.refusal.reasons[415]).count()).toBe(1);
  expect(await violationsOf(page)).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { pages as en } from '../../../functions/languages/en.ts';
import { countPosts, descriptionOf } from '../form-page.ts';
import { test } from '../visitor.ts';

const service = inject('service');

const send = async (page: Page) => {
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('[role=status][data-state=failed]').waitFor();
};

/** Adds a copy of the script to a page, as a site owner changed it. */
const addScript = async (page: Page, change: (script: string) => string) => {
  await page.route('**/contact-form.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });
  await page.addScriptTag({ url: 'contact-form.js', type: 'module' });
};

/** Adds words to those of the script. */
const withWords = (words: Readonly<Record<string, string>>) => (script: string) =>
  script.replace(/const texts = \{$/m, `$&...${JSON.stringify(words)},`);

const described = async (page: Page) => ({
  name: await descriptionOf(page.getByLabel('Name')),
  email: await descriptionOf(page.getByLabel('Email address')),
  phone: await descriptionOf(page.getByLabel('Phone number')),
  message: await descriptionOf(page.getByLabel('Message')),
});

const words = {
  required: 'Questo campo serve.',
  invalid_email: 'Scrivi un indirizzo e-mail.',
  invalid_phone: 'Scrivi un numero di telefono.',
  too_long: 'Non più di {limit} caratteri.',
};

test('texts for malformed fields do not replace texts for other errors', async ({ visit }) => {
  const page = await visit(service, 'plain.html');
  await addScript(page, withWords(words));
  await page.locator('form').evaluate(({ elements: { email, phone } }) => {
    email.pattern = '.*@example[.]com';
    phone.minLength = 6;
  });
  await page.getByLabel('Email address').fill('ada@elsewhere.example');
  await page.getByLabel('Phone number').pressSequentially('555');
  await send(page);
  const { email, phone, message } = await described(page);
  expect(message).toBe(words.required);
  for (const [said, own] of [
    [email, words.invalid_email],
    [phone, words.invalid_phone],
  ]) {
    expect(said).toMatch(/^Please /);
    expect(said).not.toBe(own);
  }
});

test("the site's texts explain errors of the browser and of the service", async ({ visit }) => {
  const page = await visit(service, 'plain.html');
  await addScript(page, withWords(words));
  const sent = countPosts(page);
  await page.locator('form').evaluate(({ elements: { name, phone } }) => {
    Object.assign(name, { value: 'abcde', maxLength: 3 });
    phone.pattern = '[0-9]{6}';
  });
  await page.getByLabel('Name').press('End');
  await page.getByLabel('Name').press('Backspace'); // A browser holds only what was typed to a maxlength.
  await page.getByLabel('Email address').fill('ada@');
  await page.getByLabel('Phone number').fill('call me');
  await send(page);
  expect(sent()).toBe(0);
  expect(await described(page)).toEqual({
    name: 'Non più di 3 caratteri.',
    email: words.invalid_email,
    phone: words.invalid_phone,
    message: words.required,
  });

  await page.locator('form').evaluate(({ elements: { name, email, phone } }) => {
    for (const [field, attribute] of [
      [name, 'maxlength'],
      [email, 'type'],
      [phone, 'pattern'],
    ])
      field.removeAttribute(attribute);
    phone.value = 'x'.repeat(5001);
  });
  await page.getByLabel('Name').fill('x'.repeat(5001));
  await page.getByLabel('Message').fill('Good morning');
  await send(page);
  expect(sent()).toBe(1);
  expect(await described(page)).toEqual({
    name: expect.stringMatching(/^Non più di \d+ caratteri\.$/),
    email: words.invalid_email,
    phone: 'Non più di 64 caratteri.',
    message: '',
  });
});

test('the text for required fields does not replace that of a blank form', async ({ visit }) => {
  const page = await visit(service, 'plain.html');
  await addScript(page, withWords(words));
  await page.locator('[required]').evaluateAll((fields) => {
    for (const field of fields) field.required = false;
  });
  await send(page);
  const { email } = await described(page);
  expect(email).toBe(en.errors.required.oneOfSeveral);
});

test('errors without a code keep the texts of the browser or the page', async ({ visit }) => {
  const page = await visit(service, 'plain.html');
  await addScript(page, withWords(words));
  await page.locator('form').evaluate(({ elements: { name, email } }) => {
    Object.assign(name, { type: 'url', value: 'no address' });
    email.setCustomValidity('We have this address already.');
  });
  await send(page);
  expect(await described(page)).toEqual({
    name: 'Please enter a URL.',
    email: 'We have this address already.',
    phone: '',
    message: words.required,
  });
});

test('a field keeps its own description before the error', async ({ visit }) => {
  const page = await visit(service, 'plain.html');
  await addScript(page, withWords({ required: 'Serve.' }));
  await page.getByLabel('Message').evaluate((field) => {
    field.insertAdjacentHTML('beforebegin', '<p id="hint">A few words will do.</p>');
    field.setAttribute('aria-describedby', 'hint');
  });
  await send(page);
  expect(await descriptionOf(page.getByLabel('Message'))).toBe('A few words will do. Serve.');
});

const textsFolder = join(import.meta.dirname, '../../../example-site/texts');

test.for(readdirSync(textsFolder))("the texts of %s replace the script's", async (file, { visit }) => {
  const texts = readFileSync(join(textsFolder, file), 'utf8');
  const page = await visit(service, 'plain.html');
  await addScript(page, (script) => script.replace(/^ *const texts = .*?^ *\};$/ms, () => texts));
  await send(page);
  const [, mistakes] = /mistakes: '(.*)'/.exec(texts) ?? [];
  const [, required] = /required: '(.*)'/.exec(texts) ?? [];
  expect(await page.getByRole('status').innerText()).toBe(mistakes);
  expect((await described(page)).message).toBe(required);
});

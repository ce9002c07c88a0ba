import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

const builtInPage = `${service.apiUrl}/api/v1/contact`;
const pageOfSite = `${service.siteUrl}/thank-you.html`;

/** Forms as other services document them, only their `action` changed. Their hidden fields have values already. */
const forms = {
  'formspree.html': (text: string) => ({
    typed: { name: 'Ada Lovelace', _replyto: 'ada@example.com', message: text },
    stored: {
      email: 'ada@example.com',
      message: text,
      extra: { name: 'Ada Lovelace', _subject: 'A message from the site' },
    },
    leadsTo: pageOfSite,
  }),
  'netlify.html': (text: string) => ({
    typed: { name: 'Ada Lovelace', email: 'ada@example.com', 'role[]': ['leader', 'follower'], message: text },
    stored: {
      email: 'ada@example.com',
      message: text,
      form: 'contact',
      extra: { subject: 'A message from the site', name: 'Ada Lovelace', 'role[]': ['leader', 'follower'] },
    },
    leadsTo: builtInPage,
  }),
  'web3forms.html': (text: string) => ({
    typed: { email: 'ada@example.com', 'First Name': 'Ada', 'Phone Number': 'ask at the desk', message: text },
    stored: {
      email: 'ada@example.com',
      message: text,
      firstName: 'Ada',
      extra: {
        subject: 'A message from the site',
        from_name: 'The site',
        redirect: 'https://web3forms.com/success',
        'Phone Number': 'ask at the desk',
      },
    },
    leadsTo: builtInPage,
  }),
  'basin.html': (text: string) => ({
    typed: { name: 'Ada Lovelace', email: 'ada@example.com', message: text },
    stored: {
      email: 'ada@example.com',
      message: text,
      extra: { name: 'Ada Lovelace', source_url: 'https://www.example.com/contact' },
    },
    leadsTo: builtInPage,
  }),
  'formsubmit.html': (text: string) => ({
    typed: { name: text, email: 'ada@example.com' },
    stored: {
      email: 'ada@example.com',
      form: 'without-message',
      extra: { name: text, _subject: 'A message from the site' },
    },
    leadsTo: pageOfSite,
  }),
  'formcarry.html': (text: string) => ({
    typed: { name: 'Ada Lovelace', email: 'ada@example.com', message: text },
    stored: { email: 'ada@example.com', message: text, extra: { name: 'Ada Lovelace' } },
    leadsTo: builtInPage,
  }),
};

const submit = async (page: Page, typed: Readonly<Record<string, string | string[]>>) => {
  for (const [name, value] of Object.entries(typed)) {
    const field = page.locator(`[name="${name}"]`);
    await (typeof value === 'string' ? field.fill(value) : field.selectOption(value));
  }
  await page.locator('[type=submit]').click();
};

describe.each(Object.entries(forms))('the form of %s', (path, form) => {
  test('works as a plain form', async ({ visit }) => {
    const text = randomUUID();
    const { typed, stored, leadsTo } = form(text);
    const page = await visit(service, path, { javaScriptEnabled: false });
    await submit(page, typed);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(page.url()).toBe(leadsTo);
    expect(await storedBy(service, text)).toEqual([stored]);
  });

  test('works as JSON by contact-form.js', async ({ visit }) => {
    const text = randomUUID();
    const { typed, stored } = form(text);
    const page = await visit(service, path);
    await page.locator('form').evaluate((element) => element.setAttribute('data-send', 'json'));
    await page.addScriptTag({ url: 'contact-form.js', type: 'module' });
    await submit(page, typed);
    await page.getByRole('status').filter({ hasText: 'We have received your message.' }).waitFor();
    expect(await storedBy(service, text)).toEqual([stored]);
  });
});

test('contact-form.js says beside the input that the form accepts no files', async ({ visit }) => {
  const page = await visit(service, 'web3forms.html');
  await page.addScriptTag({ url: 'contact-form.js', type: 'module' });
  await page.locator('[name=attachment]').setInputFiles({
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('A plan'),
  });
  await submit(page, forms['web3forms.html'](randomUUID()).typed);
  await page
    .locator('[name=attachment] + .error')
    .filter({ hasText: 'Only text can be sent with this form.' })
    .waitFor();
});

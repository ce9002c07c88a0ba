import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Contact } from '../../../functions/contacts/contact.ts';
import { emailMessageOf } from '../../support/email-message.ts';
import { badTexts, exampleContact } from '../../support/stored-contacts.ts';
import { violationsOf } from '../axe.ts';
import { test } from '../visitor.ts';

const phone = { width: 320, height: 640 };

const inboxOrigin = 'https://inbox.example.com';

/** An email is a part of the page of a mail client, which has the landmarks, and the subject as heading. */
const isAboutPages = (error: string) => /^(landmark-one-main|page-has-heading-one|region):/.test(error);

/** Shows the HTML of the email about a contact request, as a mail client does, and collects what no email may do. */
const open = async (browser: Browser, problems: string[], contact: Contact): Promise<Page> => {
  const { html = '' } = await emailMessageOf(contact, { inboxOrigin });
  const page = await browser.newPage({ viewport: phone });
  page.on('request', (request) => problems.push(`Request to ${request.url()}`));
  page.on('dialog', (dialog) => problems.push(`Dialog: ${dialog.message()}`));
  page.on('console', (message) => problems.push(message.text()));
  await page.setContent(html);
  return page;
};

const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

test('an email is readable on a phone, in light and in the dark, and links into the inbox', async ({
  browser,
  problems,
}) => {
  const page = await open(browser, problems, { ...exampleContact, campaign: 'Spring sale' });
  const colours = new Set<string>();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // axe takes a page without a background for white, even in the dark.
    await page.evaluate("document.body.style.background = 'Canvas'");
    expect(await widthOf(page)).toBe(phone.width);
    expect((await violationsOf(page)).filter((error) => !isAboutPages(error))).toEqual([]);
    colours.add(await page.evaluate('getComputedStyle(document.body).color'));
  }
  expect(colours).toEqual(new Set(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']));
  const link = page.getByRole('link');
  expect(await link.getAttribute('href')).toBe(`${inboxOrigin}/#${exampleContact.id}`);
  await page.close();
});

test('what a visitor wrote stays text in an email', async ({ browser, problems }) => {
  const text = badTexts.join('\n');
  const page = await open(browser, problems, {
    ...exampleContact,
    firstName: text,
    company: text,
    message: text,
    form: text,
    campaign: text,
    extra: Object.fromEntries(badTexts.map((each) => [each, [each, each]])),
  });
  expect(await widthOf(page)).toBe(phone.width);
  const texts = page.locator('[dir=auto]');
  const cut = await texts.evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  expect(cut).toEqual([]);
  expect(await page.locator('script, img, [onerror]').count()).toBe(0);
  expect(await page.getByRole('link').allInnerTexts()).toEqual(['Open it in the inbox']);
  await page.close();
});

test('combining marks stay in their own field of an email, however many there are', async ({ browser, problems }) => {
  const piled = (text: string) => [...text].map((letter) => letter + '\u0301\u0302\u0316\u0331'.repeat(12)).join('');
  const many = `Hello ${'a\u0301\u0302\u0316\u0331'}${'\u0301'.repeat(50_000)}`;
  const { id, createdAt } = exampleContact;
  const page = await open(browser, problems, {
    id,
    createdAt,
    message: many,
    company: piled('Company'),
    form: piled('Form'),
    extra: { [piled('name')]: `a${'\u1ab0'.repeat(2_000)}` },
  });
  expect(await widthOf(page)).toBe(phone.width);
  const ours = page.locator('dt');
  const shoot = async () => Promise.all((await ours.all()).map((label) => label.screenshot()));
  const shown = await shoot();
  await page.evaluate("for (const each of document.querySelectorAll('[dir=auto]')) each.style.color = 'transparent'");
  expect((await shoot()).map((image, at) => image.equals(shown[at] ?? image))).toEqual(shown.map(() => true));
  await page.close();
});

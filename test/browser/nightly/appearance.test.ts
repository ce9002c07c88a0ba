import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { violationsOf } from '../axe.ts';
import { fill } from '../form-page.ts';
import { test } from '../visitor.ts';

const service = inject('service');

const makeMistakes = async (page: Page) => {
  await page.getByLabel('Name').fill('Ada Lovelace');
  await fill(page, ' ');
  await page.getByLabel('Phone number').evaluate((field) => {
    field.value = 'x'.repeat(5001); // More than its maxlength, as no visitor can type it.
  });
  await page.getByRole('button').click();
};

/** Everything that a visitor sees, by how to get there. */
const views = {
  'index.html': async () => {},
  'spring-sale.html': async () => {},
  'application.html': async () => {},
  'thank-you.html': async () => {},
  'plain.html': async () => {},
  'plain.html, success page': async (page) => {
    await fill(page, 'Hello!');
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  },
  'plain.html, error page': async (page) => {
    await page.getByLabel('Topic').evaluate((field) => {
      field.name = 'your_preferred_appointment_date_and_time_of_day';
      field.options[0].value = 'too long '.repeat(300);
    });
    await makeMistakes(page);
    await page.getByRole('heading', { name: 'Your message was not sent' }).waitFor();
  },
  'index.html, errors': async (page) => {
    await makeMistakes(page);
    await page.locator('[aria-invalid]:focus-visible').first().waitFor();
  },
  'index.html, success': async (page) => {
    await fill(page, 'Hello!');
    await page.getByRole('button').click();
    await page.locator('[role=status]:focus').waitFor();
  },
} satisfies Record<string, (page: Page) => Promise<void>>;

const pageOf = (view: string) => view.replace(/,.*/, '');

const everyView = Object.entries(views);

test.for(everyView)('%s is accessible in light and dark mode', async ([view, arrive], { visit }) => {
  const page = await visit(service, pageOf(view));
  await arrive(page);
  const papers = new Set<string>();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page)).toEqual([]);
    papers.add(
      await page
        .locator('body')
        .evaluate((body) => body.ownerDocument.defaultView.getComputedStyle(body).backgroundColor),
    );
  }
  expect(papers.size).toBe(2);
});

test('in forced colours the button, errors, the message and the focus have outlines', async ({ visit }) => {
  const page = await visit(service, 'index.html', { forcedColors: 'active' });
  await views['index.html, errors'](page);
  for (const [selector, property, outline] of [
    ['button', 'border-top', /^1px solid rgb\(/],
    ['[aria-invalid]:focus', 'border-top', /^2px solid/],
    ['[aria-invalid]:focus', 'outline', / solid 3px$/],
    ['[role=status]', 'border-top', /^1px solid rgb\(/],
  ] as const) {
    const computed = await page
      .locator(selector)
      .evaluate((element, name) => element.ownerDocument.defaultView.getComputedStyle(element)[name], property);
    expect(computed, `${property} of ${selector}`).toMatch(outline);
  }
});

test.for(everyView)('%s needs no horizontal scrolling at 320 pixels', async ([view, arrive], { visit }) => {
  const page = await visit(service, pageOf(view), { viewport: { width: 320, height: 640 } });
  await arrive(page);
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(320);
});

test.for([320, 1280])("the README's form has everything below each other, %i pixels wide", async (width, { visit }) => {
  const page = await visit(service, 'README-1.html', { viewport: { width, height: 640 } });
  const { besides, widths } = await page.locator('form').evaluate((form) => {
    const rows = [...form.querySelectorAll(':scope > :not(.trap)')];
    const boxes = rows.map((row) => row.getBoundingClientRect());
    return {
      besides: rows.filter((_, at) => boxes[at].top < boxes[at - 1]?.bottom).map(({ outerHTML }) => outerHTML),
      widths: boxes.filter((_, at) => rows[at].matches('input, select, textarea')).map((box) => box.width),
    };
  });
  expect(besides).toEqual([]);
  // As wide as the page, without the margins of its body, or as a line that is easy to read.
  expect(new Set(widths)).toEqual(new Set([Math.min(width - 16, 36 * 16)]));
  expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width);
});

test('the labels say which fields are required', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  const required = await page
    .locator('input, select, textarea')
    .evaluateAll((fields) => fields.filter((field) => field.required).map((field) => field.labels[0].textContent));
  const marked = await page.locator('label', { hasText: '(required)' }).allTextContents();
  expect(required.length).toBeGreaterThan(0);
  expect(marked).toEqual(required);
});

test('every link on every page works', async ({ visit }) => {
  const page = await visit(service, 'index.html');
  for (const path of [
    'index.html',
    'json.html',
    'plain.html',
    'spring-sale.html',
    'application.html',
    'thank-you.html',
  ]) {
    await page.goto(`${service.siteUrl}/${path}`);
    const links = await page
      .locator('[href], [src]')
      .evaluateAll((elements) => elements.map(({ href, src }) => href ?? src));
    for (const link of links) expect(`${(await page.request.get(link)).status()} ${link}`).toBe(`200 ${link}`);
  }
});

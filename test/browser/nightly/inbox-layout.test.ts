import { expect, inject } from 'vitest';
import { post, rowsOf, test } from '../inbox-page.ts';

const together = inject('together');
const withTriage = { ...together, siteUrl: together.inboxUrl };

test('twelve rows fit on a laptop, with the chart and without', async ({ openInbox, store }) => {
  for (let hour = 10; hour < 24; hour += 1) await store(`2026-03-04T${hour}:00:00.000Z`, { message: `Number ${hour}` });
  const page = await openInbox({ viewport: { width: 1440, height: 800 } });
  const last = rowsOf(page).nth(11);
  const chart = page.locator('#chart');
  for (const isOpen of [true, false]) {
    if ((await chart.evaluate(({ open }) => open)) !== isOpen) await chart.locator('summary').click();
    const { y = 800, height = 0 } = (await last.boundingBox()) ?? {};
    expect(y + height, isOpen ? 'with the chart' : 'without').toBeLessThanOrEqual(800);
  }
});

test.for(['en-GB', 'de', 'fr', 'pl', 'he'])(
  'what acts on several has one line on a phone, with its number: %s',
  async (locale, { visit }) => {
    for (const message of ['One', 'Two']) {
      const body = new URLSearchParams({ email: 'ada@example.com', message });
      await fetch(`${together.apiUrl}/api/v1/contact`, { method: 'POST', body });
    }
    const page = await visit(withTriage, '', { viewport: { width: 320, height: 640 }, locale });
    await page.goto(`${together.inboxUrl}/#token=${together.staffToken}`);
    const rows = page.locator('#list').getByRole('checkbox');
    for (const row of [rows.nth(0), rows.nth(1)]) await row.check();
    const controls = page.locator('#actions').locator('button, input, #selectedCount').filter({ visible: true });
    const boxes = await Promise.all((await controls.all()).map((control) => control.boundingBox()));
    expect(boxes).toHaveLength(5);
    expect(new Set(boxes.map((box) => box && Math.round(box.y + box.height / 2))).size).toBe(1);
    expect(await page.locator('#selectedCount').textContent()).toBe('2');
  },
);

test('a search that finds nothing says what to do', async ({ openInbox }) => {
  await post({ message: 'One' });
  const page = await openInbox();
  await page.getByRole('searchbox').fill('two');
  await page.getByRole('status').getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rowsOf(page, 'One').waitFor();
  expect(await page.getByText('Nothing matches.').isVisible()).toBe(false);
});

test('below a short list, what is said stands at the bottom of the window', async ({ openInbox }) => {
  await post({ message: 'One' });
  const page = await openInbox({ viewport: { width: 390, height: 844 } });
  await rowsOf(page, 'One').getByRole('link').press('#');
  const { y = 0, height = 0 } = (await page.getByRole('button', { name: 'Undo' }).boundingBox()) ?? {};
  expect(y + height).toBeGreaterThan(780);
  expect(y + height).toBeLessThan(844);
});

import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { test } from './visitor.ts';

const service = inject('service');

/** The names of the fields that the Tab key reaches. */
const fieldsOnTheWay = async (page: Page) => {
  const names: string[] = [];
  for (const _ of await page.locator('a, button, input, select, textarea').all()) {
    await page.keyboard.press('Tab');
    names.push(...(await page.locator(':focus').evaluateAll((focused) => focused.map(({ name }) => name))));
  }
  return names;
};

test.for(inject('pagesToCopy'))('no visitor sees, hears or reaches the trap of %s', async (path, { visit }) => {
  const page = await visit(service, path);
  const trap = page.locator('[name=_gotcha]');
  expect(await trap.getAttribute('autocomplete')).toBe('off');
  expect(await page.getByRole('textbox', { name: 'Leave this empty' }).count()).toBe(0);
  expect(await trap.evaluate(({ labels }) => labels.length)).toBe(1);

  const seen = await page.screenshot({ fullPage: true });
  await trap.evaluate((input) => {
    for (const element of [input, ...input.labels]) element.style.background = 'red';
  });
  expect((await page.screenshot({ fullPage: true })).equals(seen), 'the trap can be seen').toBe(true);

  expect(await fieldsOnTheWay(page)).not.toContain('_gotcha');
});

import { randomUUID } from 'node:crypto';
import { By, type WebDriver } from 'selenium-webdriver';
import * as v from 'valibot';
import { describe, expect, inject, test } from 'vitest';
import { starters } from './browsers.ts';
import { button, click, field, textOf, type, visit } from './page.ts';

const service = inject('service');

const row = (text: string) => By.xpath(`//*[@id = 'list']//a[contains(., '${text}')]`);

const search = By.id('text');

const opened = By.id('opened');

const isShown = async (driver: WebDriver, what: By): Promise<boolean> => {
  const [element] = await driver.findElements(what);
  return element !== undefined && (await element.isDisplayed());
};

const statusOf = async (id: string): Promise<number> => {
  const response = await fetch(`${service.apiUrl}/api/v1/contact/${id}`, {
    headers: { Authentication: service.staffToken },
  });
  return response.status;
};

const place = v.object({ top: v.number(), bottom: v.number(), height: v.number() });

/** Stores a contact request. @returns its id */
const post = async (message: string): Promise<string> => {
  const response = await fetch(`${service.apiUrl}/api/v1/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ada', email: 'ada@example.com', message }),
  });
  return String(response.headers.get('Location')).split('/').at(-1) ?? '';
};

describe.for(Object.entries(starters))('in %s', ([, start]) => {
  /** Opens the inbox, at a contact request if there is an id, and signs in. */
  const signIn = async ({ id = '', width = 1280 } = {}): Promise<WebDriver> => {
    const driver = await visit(start, `${service.inboxUrl}/#${id}`, { width });
    await type(driver, field('Staff token'), service.staffToken);
    await click(driver, button('Sign in'));
    return driver;
  };

  test('an owner signs in, opens a contact request and can reply', async () => {
    const message = randomUUID();
    const id = await post(message);
    const driver = await signIn();
    await click(driver, row(message));
    await expect.poll(() => textOf(driver, opened)).toContain(message);
    expect(await driver.getCurrentUrl()).toBe(`${service.inboxUrl}/#${id}`);
    const reply = new URL(await driver.executeScript<string>("return document.querySelector('#reply').href"));
    expect([reply.protocol, reply.pathname]).toEqual(['mailto:', 'ada@example.com']);
    expect(reply.searchParams.get('body')).toContain(`> ${message}`);
    expect(await isShown(driver, By.id('reply'))).toBe(true);
  });

  test('a link to a contact request opens it after the sign-in', async () => {
    const message = randomUUID();
    const driver = await signIn({ id: await post(message) });
    await expect.poll(() => textOf(driver, opened)).toContain(message);
  });

  test('a deletion can be undone, and otherwise takes place', async () => {
    const message = randomUUID();
    const id = await post(message);
    const driver = await signIn({ id });
    await click(driver, By.id('delete'));
    await expect.poll(() => isShown(driver, row(message))).toBe(false);
    await click(driver, By.id('undo'));
    await expect.poll(() => isShown(driver, row(message))).toBe(true);
    expect(await statusOf(id)).toBe(200);

    await click(driver, row(message));
    await click(driver, By.id('delete'));
    await expect.poll(() => statusOf(id)).toBe(404);
  });

  test('a search shows only what has the text', async () => {
    const message = randomUUID();
    const other = randomUUID();
    await post(message);
    await post(other);
    const driver = await signIn();
    await expect.poll(() => isShown(driver, row(other))).toBe(true);
    await type(driver, search, message.toUpperCase());
    await expect.poll(() => isShown(driver, row(other))).toBe(false);
    expect(await isShown(driver, row(message))).toBe(true);
  });

  test('on a narrow screen, a long one from far down the list opens at its beginning', async () => {
    const message = `${randomUUID()}${'\n'.repeat(100)}The end`;
    await post(message);
    for (let number = 1; number <= 30; number += 1) await post(`Number ${number}`);
    const driver = await signIn({ width: 800 });
    await click(driver, row(message.slice(0, 36)));
    await expect.poll(() => textOf(driver, opened)).toContain('The end');
    for (const id of ['openedTitle', 'reply']) {
      const { top, bottom, height } = v.parse(
        place,
        await driver.executeScript(
          `return { ...document.getElementById('${id}').getBoundingClientRect().toJSON(), height: innerHeight }`,
        ),
      );
      expect(top, id).toBeGreaterThanOrEqual(0);
      expect(bottom, id).toBeLessThanOrEqual(height);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { By, Key, type WebDriver } from 'selenium-webdriver';
import * as v from 'valibot';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { storedBy } from '../browser/form-page.ts';
import { starters } from './browsers.ts';

const service = inject('service');

const button = (name: string) => By.xpath(`//button[normalize-space() = '${name}']`);

const field = (label: string) => By.xpath(`//*[@id = //label[starts-with(normalize-space(), '${label}')]/@for]`);

const heading = By.css('h1');

const row = (text: string) => By.xpath(`//*[@id = 'list']//a[contains(., '${text}')]`);

const search = By.id('text');

const opened = By.id('opened');

/** Tries an action until the page lets it happen. */
const retry = <T>(action: () => Promise<T>): Promise<T> => vi.waitFor(action, { timeout: 30_000 });

const click = (driver: WebDriver, what: By) => retry(() => driver.findElement(what).click());

const type = (driver: WebDriver, into: By, text: string) =>
  retry(async () => {
    const element = driver.findElement(into);
    await element.clear();
    // WebKitWebDriver types no line break.
    await element.sendKeys(text.replaceAll('\n', Key.ENTER));
  });

const textOf = (driver: WebDriver, of: By) => driver.findElement(of).getText();

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
  const visit = async (url: string, { javaScript = true, width = 1280 } = {}): Promise<WebDriver> => {
    const driver = await start({ javaScript });
    onTestFinished(() => driver.quit());
    await driver.manage().window().setRect({ x: 0, y: 0, width, height: 900 });
    await driver.get(url);
    return driver;
  };

  /** Opens the inbox, at a contact request if there is an id, and signs in. */
  const signIn = async ({ id = '', width = 1280 } = {}): Promise<WebDriver> => {
    const driver = await visit(`${service.inboxUrl}/#${id}`, { width });
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

  const fill = async (driver: WebDriver, message: string) => {
    await type(driver, field('Name'), 'Zoë O’Neill');
    await type(driver, field('Email address'), 'zoe@example.com');
    await type(driver, field('Message'), message);
  };

  const stored = (message: string) => ({
    email: 'zoe@example.com',
    message,
    extra: { name: 'Zoë O’Neill', topic: 'A question' },
  });

  test('a form with its script stores what was typed, and says so on the page', async () => {
    const message = `${randomUUID()} <tea>\n& cake?`;
    const driver = await visit(`${service.siteUrl}/index.html`);
    await fill(driver, message);
    await type(driver, field('Phone number'), 'call me');
    await click(driver, button('Send'));
    await expect.poll(() => textOf(driver, By.css('main'))).toContain('Enter a valid phone number');
    await type(driver, field('Phone number'), '+44 20 7946 0018');
    await click(driver, button('Send'));
    await expect.poll(() => textOf(driver, By.css('[role=status]'))).toContain('We have received your message.');
    expect(await driver.getCurrentUrl()).toBe(`${service.siteUrl}/index.html`);
    expect(await storedBy(service, message.slice(0, 36))).toEqual([{ ...stored(message), phone: '+44 20 7946 0018' }]);
  });

  test('the same form without JavaScript stores it, too, and leads to a success page', async () => {
    const message = randomUUID();
    const driver = await visit(`${service.siteUrl}/index.html`, { javaScript: false });
    await fill(driver, message);
    await click(driver, button('Send'));
    await expect.poll(() => textOf(driver, heading)).toBe('Thank you');
    expect(await storedBy(service, message)).toEqual([stored(message)]);
  });
});

import { randomUUID } from 'node:crypto';
import { By, type WebDriver } from 'selenium-webdriver';
import { describe, expect, inject, test } from 'vitest';
import { storedBy } from '../browser/form-page.ts';
import { starters } from './browsers.ts';
import { button, click, field, textOf, type, visit } from './page.ts';

const service = inject('service');

const heading = By.css('h1');

const status = By.css('[role=status]');

const succeeded = (driver: WebDriver) =>
  expect.poll(() => textOf(driver, status)).toContain('We have received your message.');

describe.for(Object.entries(starters))('in %s', ([, start]) => {
  const open = (page: string, options?: { readonly javaScript: boolean }) =>
    visit(start, `${service.siteUrl}/${page}`, options);

  const fill = async (driver: WebDriver, message: string) => {
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
    const driver = await open('index.html');
    await type(driver, field('Name'), 'Zoë O’Neill');
    await fill(driver, message);
    await driver.executeScript("document.getElementById('phone').value = '0'.repeat(65)");
    await click(driver, button('Send'));
    await expect.poll(() => textOf(driver, By.css('main'))).toContain('Shorten this to 64 characters or fewer.');
    await type(driver, field('Phone number'), '+44 20 7946 0018');
    await click(driver, button('Send'));
    await succeeded(driver);
    expect(await driver.getCurrentUrl()).toBe(`${service.siteUrl}/index.html`);
    expect(await storedBy(service, message.slice(0, 36))).toEqual([{ ...stored(message), phone: '+44 20 7946 0018' }]);
  });

  test('the same form without JavaScript stores it, too, and leads to a success page', async () => {
    const message = randomUUID();
    const driver = await open('index.html', { javaScript: false });
    await type(driver, field('Name'), 'Zoë O’Neill');
    await fill(driver, message);
    await click(driver, button('Send'));
    await expect.poll(() => textOf(driver, heading)).toBe('Thank you');
    expect(await storedBy(service, message)).toEqual([stored(message)]);
  });

  test('the script does without what older browsers lack', async () => {
    const message = randomUUID();
    const driver = await open('old-browser.html');
    await fill(driver, message);
    await click(driver, button('Send'));
    await succeeded(driver);
    expect(await storedBy(service, message)).toEqual([
      { email: 'zoe@example.com', message, extra: { button: 'pressed' } },
    ]);
  });

  test('the browser sends the plain form if the script fails', async () => {
    const message = randomUUID();
    const driver = await open('index.html');
    await driver.executeScript('delete window.AbortController');
    await fill(driver, message);
    await click(driver, button('Send'));
    await expect.poll(() => textOf(driver, heading)).toBe('Thank you');
    expect(await storedBy(service, message)).toHaveLength(1);
  });

  test('a field can have the name of any property of its form', async () => {
    const driver = await open('hiding-names.html');
    await expect.poll(() => textOf(driver, By.css('output')), { timeout: 90_000 }).not.toBe('');
    expect(await textOf(driver, By.css('output'))).toBe('Failed: none');
  });

  test.for([true, false])('a form in a frame shows its pages there (JavaScript: %s)', async (javaScript) => {
    const message = randomUUID();
    const driver = await open('framed.html', { javaScript });
    await driver.switchTo().frame(0);
    await fill(driver, message);
    await click(driver, button('Send'));
    await expect.poll(() => textOf(driver, heading)).toBe('Thank you');
    expect(await storedBy(service, message)).toHaveLength(1);
  });

  test('the script says in a sandboxed frame that the message arrived', async () => {
    const message = randomUUID();
    const driver = await open('sandboxed.html');
    await driver.switchTo().frame(0);
    // WebKitWebDriver cannot type there.
    await driver.executeScript(`
      document.querySelector('[name=email]').value = 'zoe@example.com';
      document.querySelector('[name=message]').value = '${message}';
    `);
    await click(driver, button('Send'));
    await succeeded(driver);
    expect(await storedBy(service, message)).toHaveLength(1);
  });

  test.for([true, false])('a page with a Referrer-Policy stores a message (JavaScript: %s)', async (javaScript) => {
    const message = randomUUID();
    const driver = await open('hidden-origin.html', { javaScript });
    await fill(driver, message);
    await click(driver, button('Send'));
    await (javaScript ? succeeded(driver) : expect.poll(() => textOf(driver, heading)).toBe('Thank you'));
    expect(await storedBy(service, message)).toHaveLength(1);
  });
});

import { By, Key, type WebDriver } from 'selenium-webdriver';
import { onTestFinished, vi } from 'vitest';
import type { starters } from './browsers.ts';

type Start = (typeof starters)[keyof typeof starters];

export const button = (name: string) => By.xpath(`//button[normalize-space() = '${name}']`);

export const field = (label: string) => By.xpath(`//*[@id = //label[starts-with(normalize-space(), '${label}')]/@for]`);

/** Tries an action until the page lets it happen. */
const retry = <T>(action: () => Promise<T>): Promise<T> => vi.waitFor(action, { timeout: 30_000 });

export const click = (driver: WebDriver, what: By) => retry(() => driver.findElement(what).click());

export const type = (driver: WebDriver, into: By, text: string) =>
  retry(async () => {
    const element = driver.findElement(into);
    await element.clear();
    // WebKitWebDriver types no line break.
    await element.sendKeys(text.replaceAll('\n', Key.ENTER));
  });

export const textOf = (driver: WebDriver, of: By) => driver.findElement(of).getText();

/** Opens a URL in a browser that ends with the test. */
export const visit = async (
  start: Start,
  url: string,
  { javaScript = true, width = 1280 } = {},
): Promise<WebDriver> => {
  const driver = await start({ javaScript });
  onTestFinished(() => driver.quit());
  await driver.manage().window().setRect({ x: 0, y: 0, width, height: 900 });
  await driver.get(url);
  return driver;
};

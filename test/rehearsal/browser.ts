import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serveSite } from '../../lib/local/example-site.ts';
import { executablePath, launchOptions } from '../browser/chromium.ts';
import { projectDir } from './command.ts';

/** Whether there is a browser on this machine. */
export const hasBrowser = (): boolean => existsSync(executablePath);

/** Where the pages of the example site say that their service is. */
const writtenUrl = 'http://127.0.0.1:3000';

/** Where they are to find it: a page of https posts to nothing less, or the browser keeps its origin back. */
const apiUrl = 'https://api.example.com';

/**
 * Fills the plain form of the example site in a browser, by its labels, and sends it.
 * @param origin the site on which the browser sees the page
 * @returns the status of the answer, and what the visitor then reads
 */
export const sendForm = async (
  baseUrl: string,
  origin: string,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => {
  const site = await serveSite({
    folder: join(projectDir, 'example-site'),
    port: 0,
    replacements: new Map([[writtenUrl, apiUrl]]),
  });
  try {
    // Whoever stops the rehearsal is told by the signal: what else runs is to be stopped, too.
    const browser = await chromium.launch({ ...launchOptions, handleSIGINT: false, handleSIGTERM: false });
    const close = () => void browser.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      const page = await browser.newPage({ javaScriptEnabled: false });
      page.setDefaultTimeout(20_000);
      // The names that it knows lead to this machine.
      for (const [there, here] of [
        [origin, site.origin],
        [apiUrl, baseUrl],
      ] as const) {
        await page.route(`${there}/**`, async (route) =>
          route.fulfill({ response: await route.fetch({ url: route.request().url().replace(there, here) }) }),
        );
      }
      await page.goto(`${origin}/plain.html`);
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
      const [response] = await Promise.all([
        page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
        page.getByRole('button', { name: 'Send' }).click(),
      ]);
      await page.locator('form').waitFor({ state: 'detached' });
      return {
        status: response.status(),
        origin: await response.request().headerValue('origin'),
        heading: await page.getByRole('heading', { level: 1 }).textContent(),
      };
    } finally {
      signal.removeEventListener('abort', close);
      await browser.close();
    }
  } finally {
    await site.close();
  }
};

import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { serveSite } from '../lib/local/example-site.ts';
import { launchOptions } from '../test/browser/launch-options.ts';
import { figure, type Section } from './page.ts';

/** The default of the setting `proofBits`. */
const bits = 17;

/** How many times slower the CPU is. Chrome's own presets for phones are 4 and 6. */
const slowdowns = [1, 6];

const measure = async (browser: Browser, url: string, slowdown: number, proofs: number) => {
  const page = await browser.newPage();
  await page.goto(url);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const triesOfMillisecond = await page.locator('form').evaluate(
    async (form, { bits, proofs }) => {
      form.setAttribute('data-proof', bits);
      form.elements.email.value = 'ada@example.com';

      let milliseconds = 0;
      let tries = 0;
      for (let at = 0; at < proofs; at += 1) {
        const sent = Promise.withResolvers<string>();
        globalThis.fetch = async (_, request) => {
          const { body } = request ?? {};
          if (body instanceof URLSearchParams) sent.resolve(body.get('_proof') ?? '');
          return new Response('', { status: 503 });
        };
        form.elements.message.value = `Message ${at}`;
        const begun = performance.now();
        form.requestSubmit();
        const proof = await sent.promise;
        milliseconds += performance.now() - begun;
        // The nonce counts the tries.
        tries += Number(proof.split('.')[1]);
        await new Promise((resolve) => setTimeout(resolve));
      }
      return tries / milliseconds;
    },
    { bits, proofs },
  );
  await page.close();
  return triesOfMillisecond;
};

/** The seconds that a page of the example site needs for a proof of work, calculated from its measured tries. */
const measureProofs = async (proofs: number) => {
  const site = await serveSite({ folder: join(import.meta.dirname, '..', 'example-site'), port: 0 });
  const browser = await chromium.launch(launchOptions);
  try {
    const results = [];
    for (const slowdown of slowdowns) {
      const needed = 2 ** bits / (await measure(browser, site.origin, slowdown, proofs)) / 1000;
      // Each try succeeds with the same chance, so the number of tries has an exponential distribution.
      results.push({ slowdown, median: Math.log(2) * needed, p95: Math.log(20) * needed });
    }
    return results;
  } finally {
    await browser.close();
    await site.close();
  }
};

export const proof = async (rounds: number): Promise<Section> => {
  const results = await measureProofs(Math.min(10, rounds));
  const waits = results.map(
    ({ slowdown, median }) => `${figure(median)} s${slowdown > 1 ? ` on a CPU that is ${slowdown} times slower` : ''}`,
  );
  return {
    title: 'Proof of work',
    headline: `A visitor's browser finds a proof of work in ${waits.join(', or ')}.`,
    text: `The time that Chromium needs for a [proof of work](spam.md#proof-of-work) of ${bits} bits, calculated from its tries a second.`,
    columns: ['CPU', 'median, s', '95 % within, s'],
    rows: results.map(({ slowdown, median, p95 }) => [
      slowdown === 1 ? 'of this machine' : `${slowdown} times slower`,
      figure(median),
      figure(p95),
    ]),
  };
};

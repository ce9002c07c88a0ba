import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { serveSite } from '../lib/local/example-site.ts';
import { launchOptions } from '../test/browser/launch-options.ts';
import { median, quantile } from './measure.ts';
import { figure, type Section } from './page.ts';

const bits = 17;

/** How many times slower the CPU is. Chrome's own presets for phones are 4 and 6. */
const slowdowns = [1, 6];

const measure = async (browser: Browser, url: string, slowdown: number, proofs: number) => {
  const page = await browser.newPage();
  await page.goto(url);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const measured = await page.locator('form').evaluate(
    async (form, { bits, proofs }) => {
      form.setAttribute('data-proof', bits);
      form.elements.email.value = 'ada@example.com';

      // A task that returns as soon as the browser lets it: the longest way round is the longest block.
      let longestBlock = 0;
      let before = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        const now = performance.now();
        longestBlock = Math.max(longestBlock, now - before);
        before = now;
        port2.postMessage('');
      });
      port1.start();
      port2.postMessage('');

      const milliseconds: number[] = [];
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
        milliseconds.push(performance.now() - begun);
        tries += Number(proof.split('.')[1]); // The nonce counts them.
        await new Promise((resolve) => setTimeout(resolve));
      }
      return { milliseconds, tries, longestBlock };
    },
    { bits, proofs },
  );
  await page.close();
  return { slowdown, ...measured };
};

export const proof = async (rounds: number): Promise<Section> => {
  const proofs = Math.max(30, 2 * rounds);
  const site = await serveSite({ folder: join(import.meta.dirname, '..', 'example-site'), port: 0 });
  const browser = await chromium.launch(launchOptions);
  try {
    const results = [];
    for (const slowdown of slowdowns) results.push(await measure(browser, site.origin, slowdown, proofs));
    const rows = results.map(({ slowdown, milliseconds, tries, longestBlock }) => ({
      cpu: slowdown === 1 ? 'this machine' : `${slowdown} times slower`,
      median: figure(median(milliseconds) / 1000),
      p95: figure(quantile(milliseconds, 0.95) / 1000),
      rate: figure((1000 * tries) / milliseconds.reduce((sum, value) => sum + value)),
      block: figure(longestBlock),
    }));
    return {
      title: 'Proof of work',
      headline: `A browser finds a proof of work of ${bits} bits in ${rows.map(({ median, cpu }) => `${median} s (${cpu})`).join(', ')}.`,
      text: `How long a visitor of the example site would wait for a proof of ${bits} bits if the search began with sending: ${proofs} proofs each, in Chromium ${browser.version().split('.')[0]}. It begins when the visitor first touches the form. No task of the page, such as the answer to a key, waits longer than the longest block.`,
      columns: ['CPU', 'median s', '95 % within s', 'hashes a second', 'longest block ms'],
      rows: rows.map(({ cpu, median, p95, rate, block }) => [cpu, median, p95, rate, block]),
    };
  } finally {
    await browser.close();
    await site.close();
  }
};

import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import * as v from 'valibot';
import { serveSite } from '../lib/local/example-site.ts';
import { launchOptions } from '../test/browser/launch-options.ts';
import { median, quantile } from './measure.ts';
import { figure, type Section } from './page.ts';

const bits = 17;

/** How many times slower the CPU is. Chrome's own presets for phones are 4 and 6. */
const slowdowns = [1, 6];

const trace = v.object({
  traceEvents: v.array(
    v.object({
      name: v.string(),
      pid: v.number(),
      tid: v.number(),
      /** Microseconds of CPU time. */
      tdur: v.optional(v.number(), 0),
      args: v.object({ name: v.optional(v.string()) }),
    }),
  ),
});

/** Milliseconds of CPU time: other processes do not make a task longer. */
const longestTaskOf = (buffer: Buffer): number => {
  const { traceEvents } = v.parse(trace, JSON.parse(buffer.toString()));
  const threadOf = ({ pid, tid }: { pid: number; tid: number }) => `${pid} ${tid}`;
  const mainThreads = new Set(traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(threadOf));
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && mainThreads.has(threadOf(event)));
  return tasks.reduce((longest, { tdur }) => Math.max(longest, tdur), 0) / 1000;
};

const measure = async (browser: Browser, url: string, slowdown: number, proofs: number) => {
  const page = await browser.newPage();
  await page.goto(url);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  // Before the trace: Playwright adds scripts of its own to the page.
  await page.locator('form').evaluate((form, proof) => {
    form.setAttribute('data-proof', proof);
    form.elements.email.value = 'ada@example.com';
  }, bits);
  await browser.startTracing(page, { categories: ['-*', 'toplevel'] });
  const measured = await page.locator('form').evaluate(async (form, proofs) => {
    const milliseconds: number[] = [];
    let tries = 0;
    for (let at = 0; at < proofs; at += 1) {
      await new Promise((resolve) => setTimeout(resolve));
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
    }
    return { milliseconds, tries };
  }, proofs);
  const longestTask = longestTaskOf(await browser.stopTracing());
  await page.close();
  return { slowdown, longestTask, ...measured };
};

export const proof = async (rounds: number): Promise<Section> => {
  const proofs = Math.max(30, 2 * rounds);
  const site = await serveSite({ folder: join(import.meta.dirname, '..', 'example-site'), port: 0 });
  const browser = await chromium.launch(launchOptions);
  try {
    const results = [];
    for (const slowdown of slowdowns) results.push(await measure(browser, site.origin, slowdown, proofs));
    const rows = results.map(({ slowdown, milliseconds, tries, longestTask }) => ({
      cpu: slowdown === 1 ? 'this machine' : `${slowdown} times slower`,
      median: figure(median(milliseconds) / 1000),
      p95: figure(quantile(milliseconds, 0.95) / 1000),
      rate: figure((1000 * tries) / milliseconds.reduce((sum, value) => sum + value)),
      task: figure(longestTask),
    }));
    return {
      title: 'Proof of work',
      headline: `A browser finds a proof of work of ${bits} bits in ${rows.map(({ median, cpu }) => `${median} s (${cpu})`).join(', ')}.`,
      text: `How long a visitor of the example site would wait for a proof of ${bits} bits if the search began with sending: ${proofs} proofs each, in Chromium ${browser.version().split('.')[0]}. It begins when the visitor first touches the form. The longest task of the page's thread, in CPU time, can be one of the browser or of the bench: the search pauses every 8 ms.`,
      columns: ['CPU', 'median s', '95 % within s', 'hashes a second', 'longest task ms'],
      rows: rows.map(({ cpu, median, p95, rate, task }) => [cpu, median, p95, rate, task]),
    };
  } finally {
    await browser.close();
    await site.close();
  }
};

import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { test as base, expect } from 'vitest';
import { launchOptions } from './launch-options.ts';
import type { Site } from './service.ts';

/** The console's line about each error response: these tests expect them. */
const failedResponse = /^Failed to load resource: /;

/** Collects what no page may do: log an error, throw, or send a request to anyone but its site and its service. */
const watch = (context: BrowserContext, allowed: Site, problems: string[]) => {
  context.on('console', (message) => {
    if (message.type() === 'error' && !failedResponse.test(message.text())) problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('request', (request) => {
    if (!Object.values(allowed).includes(new URL(request.url()).origin)) problems.push(`Request to ${request.url()}`);
  });
};

/** Opens a page of a site as a new visitor: with nothing in cache or history. */
export type Visit = (site: Site, page: string, options?: BrowserContextOptions) => Promise<Page>;

/** A test with a browser. It fails if a page did what no page may do, unless the test takes that out of `problems`. */
export const test = base
  .extend('launchOptions', { scope: 'worker' }, launchOptions)
  .extend('browser', { scope: 'worker' }, async ({ launchOptions }, { onCleanup }) => {
    const browser = await chromium.launch(launchOptions);
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('problems', { auto: true }, ({ onTestFinished }) => {
    const problems: string[] = [];
    onTestFinished(() => expect(problems).toEqual([]));
    return problems;
  })
  .extend('visit', ({ browser, problems }, { onCleanup }): Visit => {
    const contexts: BrowserContext[] = [];
    onCleanup(async () => {
      for (const context of contexts) {
        // A route can be under way.
        for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
      }
    });
    return async (site, path, options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      watch(context, site, problems);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      await page.goto(`${site.siteUrl}/${path}`);
      return page;
    };
  });

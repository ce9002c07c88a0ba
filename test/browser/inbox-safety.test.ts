import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium, type Page, type Request, type Route } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { serveSite } from '../../lib/local/example-site.ts';
import {
  allOfApi,
  article,
  asStaff,
  clickInMenu,
  expectRows,
  filterOf,
  holdRequests,
  isList,
  limitPages,
  openOne,
  post,
  requestsOf,
  rowOf,
  rowsOf,
  service,
  showSpam,
  signIn,
  site,
  statusOf,
  test,
} from './inbox-page.ts';
import type { Visit } from './visitor.ts';
import { xssStrings } from './xss-strings.ts';

const unreachable = inject('unreachable');
const foreign = inject('foreign');
const throttled = inject('throttled');

const folder = join(import.meta.dirname, '..', '..', 'inbox');
const minute = 60_000;
const hour = 60 * minute;

/** Opens the inbox as someone who has not signed in: a test can prepare what the page will meet. */
const openSignIn = (visit: Visit) => visit(site, '');

const problemOf = (page: Page) => page.locator('#problem');

const storage = (page: Page, name: 'localStorage' | 'sessionStorage'): Promise<string> =>
  page.evaluate(`JSON.stringify(${name})`);

const historyOf = (page: Page): Promise<string[]> => page.evaluate('navigation.entries().map(({ url }) => url)');

/** Takes out of the problems those that a test expects. */
const expectOnly = (problems: string[], expected: RegExp) =>
  expect(problems.splice(0).filter((problem) => !expected.test(problem))).toEqual([]);

test('refuses to run in a page of another origin', async ({ visit, problems }) => {
  const page = await visit(foreign, 'contact-form.js');
  await page.locator('body').evaluate((body, src) => {
    body.append(Object.assign(body.ownerDocument.createElement('iframe'), { src }));
  }, `${service.inboxUrl}/#token=${service.staffToken}`);
  const frame = page.frameLocator('iframe');
  await frame.getByText('The inbox does not open inside another page.').waitFor();
  expect(await frame.getByRole('textbox').count()).toBe(0);
  expectOnly(problems, new RegExp(`does not run in a frame|^Request to ${service.inboxUrl}`));
});

test('runs no other script and reaches no other server', async ({ visit, problems }) => {
  const page = await openSignIn(visit);
  const origins: string[] = [];
  page.on('response', (response) => origins.push(new URL(response.url()).origin));
  await page.route(`${site.siteUrl}/`, async (route) => {
    const response = await route.fetch();
    const injected = `
      <script>document.title = 'A script ran';</script>
      <script src="${foreign.siteUrl}/contact-form.js"></script>
      <button onclick="document.title = 'A script ran'">Press</button>
      <img src="${foreign.siteUrl}/image.png" alt="">`;
    await route.fulfill({ response, body: (await response.text()).replace('</body>', injected) });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Press' }).click();
  const nameOf = '({ name }) => name';
  const outcomes = await page.evaluate(`Promise.all([
    fetch('${foreign.siteUrl}', { mode: 'no-cors' }).catch(${nameOf}),
    Promise.resolve().then(() => { document.body.innerHTML = '<p>'; }).catch(${nameOf}),
  ])`);
  expect(outcomes).toEqual(['TypeError', 'TypeError']);
  expect(await page.title()).toBe('Inbox');
  expect([...new Set(origins)]).toEqual([site.siteUrl]);
  expectOnly(problems, /^Request to|Content Security Policy|TrustedHTML/);
});

describe('the token', () => {
  test('is nowhere but in sessionStorage and the header of requests to the API', async ({ visit }) => {
    const page = await openSignIn(visit);
    const requests: Request[] = [];
    const said: string[] = [];
    page.on('request', (request) => requests.push(request));
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`${site.siteUrl}/#token=${service.staffToken}`);
    await page.getByText('Loading…').waitFor({ state: 'hidden' });
    await openOne(page, await post({ message: 'Where is it?' }));
    await page.route(allOfApi, (route) => route.abort());
    await showSpam(page);
    await page.getByText(' does not respond.').waitFor();

    expect(await storage(page, 'sessionStorage')).toContain(service.staffToken);
    const others = [page.url(), ...said, await page.content(), ...(await historyOf(page))];
    others.push(await storage(page, 'localStorage'), ...requests.map((request) => request.url()));
    expect(others.filter((text) => text.includes(service.staffToken))).toEqual([]);
    const headers = await Promise.all(requests.map((request) => request.allHeaders()));
    expect(headers.filter(({ referer }) => referer)).toEqual([]);
  });

  test('in a link counts on localhost only', async ({ visit }) => {
    const publicSite = { ...site, publicUrl: 'http://inbox.example.com' };
    const page = await visit(publicSite, '');
    await page.route(`${publicSite.publicUrl}/**`, async (route) => {
      const url = route.request().url().replace(publicSite.publicUrl, site.siteUrl);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    // At first it opens the page, then the page is open.
    for (const _ of Array(2)) {
      await page.goto(`${publicSite.publicUrl}/#token=${service.staffToken}`);
      await expect.poll(() => page.url()).toBe(`${publicSite.publicUrl}/`);
      await page.getByLabel('Staff token').waitFor();
      expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
      expect(await historyOf(page)).not.toContainEqual(expect.stringContaining('token'));
    }
  });

  test('that is wrong is explained', async ({ visit }) => {
    const page = await openSignIn(visit);
    const requests = requestsOf(page);
    await signIn(page, 'my password');
    const validity = "document.querySelector('#token').validity.patternMismatch";
    expect(await page.evaluate(validity)).toBe(true);
    expect(requests).toEqual([]);
    for (const token of ['crcs_malformed', `crcs_${'x'.repeat(43)}`]) {
      await signIn(page, token);
      await page.getByText('The token is unknown, expired or revoked. Ask for another one.').waitFor();
      expect(await storage(page, 'sessionStorage')).not.toContain(token);
    }
    await signIn(page);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
  });

  test('that is revoked while the page is open is explained', async ({ openInbox }) => {
    const id = await post({ message: 'Until when?' });
    const page = await openInbox();
    await openOne(page, id);
    await page.route(allOfApi, (route) =>
      route.continue({ headers: { ...route.request().headers(), authentication: `crcs_${'x'.repeat(43)}` } }),
    );
    await showSpam(page);
    await page.getByText('The token is unknown, expired or revoked.').waitFor();
    expect(await page.getByText('Until when?').count()).toBe(0);
    expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
  });
});

describe('signing out', () => {
  test('clears everything', async ({ openInbox }) => {
    const page = await openInbox();
    for (const message of ['Is it private?', 'Really private?']) await openOne(page, await post({ message }));
    await clickInMenu(page, 'Sign out');
    await page.getByLabel('Staff token').waitFor();
    const requests = requestsOf(page);
    for (let entries = (await historyOf(page)).length; entries > 0; entries -= 1) {
      await page.getByLabel('Staff token').waitFor();
      expect(await page.content()).not.toContain('private?');
      expect(await storage(page, 'localStorage')).not.toContain(service.staffToken);
      expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
      if (entries > 1) await page.goBack();
    }
    expect(requests.filter((url) => url.startsWith(service.apiUrl))).toEqual([]);
  });

  test('hides everything at once, and sends the deletions that are under way', async ({ openWithClock }) => {
    const ids = [await post({ message: 'Is it private?' }), await post({ message: 'Really private?' })];
    const page = await openWithClock();
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    const { held, release } = await holdRequests(page, allOfApi);
    await page.getByRole('button', { name: 'Delete 2 selected' }).click();
    await page.clock.runFor(5_000);
    await expect.poll(() => held.length).toBe(1);
    await page.getByText('Deleting 2…').waitFor();
    await clickInMenu(page, 'Sign out');
    await page.getByText('Is it private?').first().waitFor({ state: 'hidden' });
    expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
    await release();
    await page.getByLabel('Staff token').waitFor();
    for (const id of ids) expect(await statusOf(id)).toBe(404);
  });

  test('holds for pages that the browser keeps to go back to', async ({ launchOptions }) => {
    // Pages that may not be stored are never kept: this server leaves out that header.
    const server = createServer(async ({ url }, outgoing) => {
      const response = await fetch(`${site.siteUrl}${url}`);
      outgoing.setHeader('Content-Type', response.headers.get('Content-Type') ?? '').end(await response.text());
    }).listen(0, 'localhost');
    await once(server, 'listening');
    const address = server.address();
    const origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
    await using browser = await chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
    const page = await browser.newPage();
    await page.goto(`${origin}/#token=${service.staffToken}`);
    // A page that still waits for responses is not kept.
    await page.waitForLoadState('networkidle');
    await page.goto(`${foreign.siteUrl}/thank-you.html`);
    await page.goto(`${origin}/`);
    await clickInMenu(page, 'Sign out');
    await page.getByLabel('Staff token').waitFor();
    await page.evaluate('history.go(-2)');
    await page.getByText('You left the inbox. Sign in again.').waitFor();
    expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
    server.close();
  });
});

test.for([
  {
    error: 'its origin is missing in inboxOrigins',
    baseUrl: `${service.apiUrl}/`,
    reason: 'add this origin to inboxOrigins and deploy.',
    problem: /blocked by CORS policy/,
  },
  {
    error: 'the API is unreachable',
    baseUrl: `${unreachable.apiUrl}/`,
    reason: ' does not respond. Check your connection.',
    problem: /^$/,
  },
  {
    error: 'a slash is missing',
    baseUrl: `${service.apiUrl}/prod`,
    reason: 'In index.html, the base URL after connect-src needs a slash at its end.',
    problem: /Content Security Policy/,
  },
])('says that $error', async ({ baseUrl, reason, problem }, { visit, problems }) => {
  const replacements = new Map([['http://127.0.0.1:3000/', baseUrl]]);
  const { origin, close } = await serveSite({ folder, port: 0, replacements });
  const page = await visit({ siteUrl: origin, apiUrl: new URL(baseUrl).origin }, '');
  await signIn(page);
  await problemOf(page).getByText(reason).waitFor();
  await close();
  expectOnly(problems, problem);
});

describe('an unreachable API', () => {
  test('is asked again by itself and by the button', async ({ openWithClock, problems }) => {
    const page = await openWithClock();
    await page.route(allOfApi, (route) => route.abort());
    await page.clock.fastForward(minute);
    const reason = problemOf(page).getByText(' does not respond. Check your connection.');
    await reason.waitFor();
    await page.unroute(allOfApi);
    await post({ message: 'One' });
    await page.clock.fastForward(minute);
    await expectRows(page, ['One']);
    await reason.waitFor({ state: 'hidden' });

    const captivePortal = { body: '<h1>Welcome to our Wi-Fi</h1>', headers: { 'Access-Control-Allow-Origin': 'null' } };
    await page.route(allOfApi, (route) => route.fulfill(captivePortal));
    await page.clock.fastForward(minute);
    await reason.waitFor();
    await expectRows(page, ['One']);
    await page.unroute(allOfApi);
    await post({ message: 'Two' });
    const requests = requestsOf(page);
    const { held, release } = await holdRequests(page, isList);
    await problemOf(page).getByRole('button').dblclick();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await release();
    await expectRows(page, ['Two', 'One']);
    expect(requests).toHaveLength(1);
    await reason.waitFor({ state: 'hidden' });
    expectOnly(problems, /blocked by CORS policy/);
  });

  test('loses nothing if pages of the list fail', async ({ visit }) => {
    const errors = [
      [(route: Route) => route.abort(), ' does not respond.'],
      [(route: Route) => route.fulfill({ body: '[{"id":' }), 'not from the API, or incomplete'],
      [(route: Route) => route.fulfill({ status: 500, body: '<h1>Sorry</h1>' }), 'The API had an error (500).'],
      [(route: Route) => route.fulfill({ status: 400, body: '{"details":"No"}' }), 'The API refuses this (400).'],
    ] as const;
    await Promise.all(Array.from({ length: 7 }, () => post({ message: 'Is all there?' })));
    const page = await openSignIn(visit);
    // Only the button reads on: reading while someone scrolls would take some of the failures.
    await page.addInitScript('IntersectionObserver = class { observe() {} }');
    // The chart would read on, too, and is folded on a phone.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const failures = errors.map(([fail]) => fail);
    let isFailing = true;
    await page.route(isList, async (route) => {
      const url = new URL(route.request().url());
      const fail = isFailing && url.searchParams.has('cursor') ? failures.shift() : undefined;
      isFailing = !fail;
      url.searchParams.set('limit', '1');
      await (fail?.(route) ?? route.continue({ url: url.href }));
    });
    await signIn(page);
    const older = page.getByRole('button', { name: 'Load older ones' });
    let count = 1;
    for (const [, reason] of errors) {
      await older.click();
      await problemOf(page).getByText(reason).waitFor();
      await problemOf(page).getByRole('button').click();
      await problemOf(page).waitFor({ state: 'hidden' });
      count += 1;
      await expect.poll(() => rowsOf(page).count()).toBe(count);
    }
    const ids: string[] = await rowsOf(page).evaluateAll((rows) => rows.map(({ contact }) => contact.id));
    const listed = await (await asStaff('/api/v1/contact?limit=5')).json();
    expect(listed).toEqual(ids.map((id) => expect.objectContaining({ id })));
  });
});

describe('an API that is busy', () => {
  test('is asked again after the time it names, and no earlier', async ({ openWithClock }) => {
    const page = await openWithClock();
    const requests = requestsOf(page);
    const headers = { 'Retry-After': '30', 'Access-Control-Expose-Headers': 'Retry-After' };
    await page.route(isList, (route) => route.fulfill({ status: 429, headers }), { times: 1 });
    await showSpam(page);
    const busy = page.getByText('The API is busy. Trying again in 30 s…');
    await busy.waitFor();
    await page.clock.runFor(29_000);
    expect(requests).toHaveLength(1);
    await page.clock.runFor(1_000);
    await busy.waitFor({ state: 'hidden' });
    await expect.poll(() => requests).toHaveLength(2);
  });

  test('is asked three times more, then left alone', async ({ visit }) => {
    await Promise.all(Array.from({ length: 101 }, () => fetch(`${throttled.apiUrl}/api/v1/contact`)));
    const page = await visit({ ...throttled, siteUrl: throttled.inboxUrl }, '');
    await page.clock.install();
    await signIn(page, throttled.staffToken);
    for (const _ of Array(3)) {
      await page.getByText('The API is busy. Trying again in 1 s…').waitFor();
      await page.clock.runFor(1_000);
    }
    await problemOf(page).getByText('The API is busy. Try again later.').waitFor();
  });
});

test('an hour asleep costs two requests and misses nothing', async ({ openWithClock }) => {
  await post({ message: 'Before' });
  const page = await openWithClock();
  await expectRows(page, ['Before']);
  for (const message of ['One', 'Two', 'Three']) await post({ message });
  const requests = requestsOf(page);
  await page.clock.fastForward(hour);
  await page.locator('html').dispatchEvent('visibilitychange');
  await expectRows(page, ['Three', 'Two', 'One', 'Before']);
  expect(requests.length).toBeLessThanOrEqual(2);
});

test.for([
  ['an hour fast', hour],
  ['ten years slow', -10 * 365 * 24 * hour],
] as const)('works with a clock that is %s', async ([, error], { openWithClock }) => {
  await post({ message: 'Before' });
  const page = await openWithClock({ error });
  await expectRows(page, ['Before']);
  await post({ message: 'What time is it?' });
  await page.clock.fastForward(minute);
  await expectRows(page, ['What time is it?', 'Before']);
});

test('explains what someone else has deleted', async ({ openWithClock }) => {
  const ids: string[] = [];
  for (const message of ['Opened', 'Selected', 'Kept']) ids.push(await post({ message }));
  const page = await openWithClock();
  for (const text of ['Opened', 'Selected', 'Kept']) await rowsOf(page, text).getByRole('checkbox').check();
  for (const id of ids.slice(0, 2)) await asStaff(`/api/v1/contact/${id}`, { method: 'DELETE' });
  await rowOf(page, 'Opened').click();
  await page.getByText('This contact request has been deleted.').waitFor();
  expect(await article(page).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Delete 2 selected' }).click();
  await page.clock.fastForward(6_000);
  await expect.poll(() => Promise.all(ids.map(statusOf))).toEqual([404, 404, 404]);
  await expectRows(page, []);
  expect(await page.getByText('not deleted').count()).toBe(0);
});

test('shows no rows of filters that have changed', async ({ visit }) => {
  await post({ message: 'Not spam' });
  await post({ message: 'Spam', _gotcha: 'x' });
  const page = await openSignIn(visit);
  const { held, release } = await holdRequests(page, isList);
  await signIn(page);
  await expect.poll(() => held.length).toBe(1);
  await showSpam(page);
  await release();
  await expectRows(page, ['Spam']);
});

test('asks a slow API once', async ({ visit }) => {
  // The chart, which would read on, is folded on a low screen.
  const page = await visit(site, '', { viewport: { width: 1280, height: 600 } });
  await limitPages(page, 2);
  for (const message of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) await post({ message });
  await signIn(page);
  // The second page fills the screen.
  await expect.poll(() => rowsOf(page).count()).toBe(4);
  const { held, release } = await holdRequests(page, isList);
  await page.getByRole('button', { name: 'Load older ones' }).evaluate((button) => {
    button.click();
    button.click();
  });
  await expect.poll(() => held.length).toBe(1);
  await release();
  await expect.poll(() => rowsOf(page).count()).toBe(6);
  expect(held).toHaveLength(1);
});

describe('what a visitor sent', () => {
  test('is only ever text', async ({ visit, problems }) => {
    const page = await openSignIn(visit);
    page.on('dialog', (dialog) => {
      problems.push(`Dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const ids = await Promise.all(
      xssStrings.map((text) => {
        const named = {
          message: text,
          firstName: text,
          lastName: text,
          company: text,
          'form-name': text,
          campaign: text,
        };
        return post(
          { ...named, subject: text, list: [`1 ${text}`, `2 ${text}`], [text]: `3 ${text}` },
          service.siteUrl,
        );
      }),
    );
    await signIn(page);
    await expect.poll(() => rowsOf(page).count()).toBe(xssStrings.length);

    const shown = await page.locator('html').evaluate(async ({ ownerDocument }, ids) => {
      const view = ownerDocument.defaultView;
      const read = [];
      for (const id of ids) {
        view.location.hash = id;
        await new Promise((resolve) => view.addEventListener('hashchange', resolve, { once: true }));
        const parts = `#list li:has([href="#${id}"]) :is(input, strong, a > span, bdi), #openedTitle, #byline bdi, #subject, #message, #extra *, #fields *`;
        const elements = [...ownerDocument.querySelectorAll(parts)];
        read.push(elements.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent));
      }
      return read;
    }, ids);
    expect(shown).toEqual(
      xssStrings.map((text, index) => {
        const label = expect.stringContaining(`Select ${text} ${text}`);
        const row = [label, `${text} ${text}`, text, text, text];
        const heading = `${text} ${text}`;
        const labelsWithValues = [
          ['list', `1 ${text}`, `2 ${text}`],
          [text, `3 ${text}`],
          ['Site', service.siteUrl],
          ['Form', text],
          ['Campaign', text],
          ['ID', ids[index]],
        ];
        return [...row, heading, text, text, text, ...labelsWithValues.flat()];
      }),
    );
    for (const name of ['Form', 'Campaign']) {
      const options = (await filterOf(page, name)).locator('option');
      expect(await options.allTextContents()).toEqual(expect.arrayContaining(xssStrings));
    }
    expect(await page.title()).toMatch(/^(\(\d+\) )?Inbox$/);
    expect(await page.locator('script:not([src]), img, iframe, object, embed, base, :is(#list, dl) svg').count()).toBe(
      0,
    );
    const links: string[] = await page.locator('a:not(#begin a)').evaluateAll((links) => links.map(({ href }) => href));
    expect(links.filter((href) => !href.startsWith(`${site.siteUrl}/#`) && !/^(mailto|tel):/.test(href))).toEqual([]);
    expect(requested.filter((path) => !/^\/(api\/v1\/contact|v1\/campaigns)/.test(path))).toEqual([]);
  });

  test('adds nobody to a reply', async ({ openInbox }) => {
    const addresses = ['bcc', 'cc'].flatMap((name) =>
      ['?', '&', '%3f', '%0a'].map((separator) => `ada${separator}${name}=grace%40example.com@example.com`),
    );
    const page = await openInbox();
    for (const email of addresses) {
      const text = '&bcc=grace@example.com?bcc=grace@example.com#\nBcc: grace@example.com';
      await openOne(
        page,
        await post({ email, firstName: 'Ada', message: text, subject: text, phone: '+1 (555) 0100 x12' }),
      );
      const links = article(page).locator('a');
      const hrefs: string[] = await links.evaluateAll((found) => found.map(({ href }) => href));
      const written = hrefs.map((href) => new URL(href));
      expect(written.map(({ protocol, pathname }) => protocol + decodeURIComponent(pathname))).toEqual([
        `mailto:${email}`,
        'tel:+15550100',
        `mailto:${email}`,
      ]);
      expect(written.map(({ searchParams }) => [...searchParams.keys()])).toEqual([[], [], ['subject', 'body']]);
    }
  });
});

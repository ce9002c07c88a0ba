import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium, type Page, type Request, type Route } from 'playwright-core';
import * as v from 'valibot';
import { describe, expect, inject } from 'vitest';
import { serveSite } from '../../lib/local/example-site.ts';
import { openInbox, post } from './inbox-page.ts';
import { test, type Visit } from './visitor.ts';
import { xssStrings } from './xss-strings.ts';

const service = inject('inbox');
const away = inject('away');
const foreign = inject('foreign');
const throttled = inject('throttled');

const site = { ...service, siteUrl: service.inboxUrl };
const allOfApi = `${service.apiUrl}/**`;
const folder = join(import.meta.dirname, '..', '..', 'inbox');
const minute = 60_000;
const hour = 60 * minute;

const isList = ({ origin, pathname }: URL) => origin === service.apiUrl && pathname === '/api/v1/contact';

const signIn = async (page: Page, token = service.staffToken) => {
  await page.getByLabel('Staff token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Opens the inbox as someone who has not signed in: a test can prepare what the page will meet. */
const openSignIn = (visit: Visit) => visit(site, '');

/** Opens the inbox with a clock that the test can move. */
const openWithClock = async (visit: Visit, time = Date.now()) => {
  const page = await openSignIn(visit);
  await page.clock.install({ time });
  await signIn(page);
  return page;
};

const openOne = async (page: Page, id: string) => {
  await page.goto(`${site.siteUrl}/#${id}`);
  await page.getByRole('article').getByText(id, { exact: true }).waitFor();
};

const alertOf = (page: Page) => page.locator('#problem');

const rowOf = (page: Page, id: string) => page.locator(`#list [data-id="${id}"]`);

const storage = (page: Page, name: 'localStorage' | 'sessionStorage'): Promise<string> =>
  page.locator('html').evaluate(({ ownerDocument }, name) => JSON.stringify(ownerDocument.defaultView[name]), name);

const historyOf = (page: Page): Promise<string[]> =>
  page
    .locator('html')
    .evaluate(({ ownerDocument: { defaultView } }) =>
      defaultView.navigation.entries().map(({ url }: { url: string }) => url),
    );

/** Keeps requests until the test releases them. */
const holdRequests = async (page: Page, urls: string | ((url: URL) => boolean)) => {
  const held: Route[] = [];
  await page.route(urls, (route) => void held.push(route));
  const release = async () => {
    await page.unroute(urls);
    // The page can have given up a request meanwhile.
    await Promise.allSettled(held.map((route) => route.continue()));
  };
  return { held, release };
};

const asStaff = (path: string, method = 'GET') =>
  fetch(`${service.apiUrl}/api/v1/contact${path}`, { method, headers: { Authentication: service.staffToken } });

const statusOf = async (id: string) => (await asStaff(`/${id}`)).status;

test.for([
  ['its own', `${service.inboxUrl}/inbox.css`],
  ['another', `${foreign.siteUrl}/contact-form.js`],
] as const)('refuses to run in a page of %s origin', async ([, url], { visit, problems }) => {
  const page = await visit({ ...site, siteUrl: new URL(url).origin }, new URL(url).pathname.slice(1));
  await page.locator('body').evaluate((body, src) => {
    body.append(Object.assign(body.ownerDocument.createElement('iframe'), { src }));
  }, `${service.inboxUrl}/#token=${service.staffToken}`);
  const frame = page.frameLocator('iframe');
  await frame.getByText('The inbox does not open inside another page.').waitFor();
  expect(await frame.getByRole('textbox').count()).toBe(0);
  expect(problems.splice(0).filter((problem) => !problem.includes(service.inboxUrl))).toEqual([
    'Error: The inbox does not run in a frame',
  ]);
});

test('runs no other script and reaches no other server', async ({ visit, problems }) => {
  const page = await openSignIn(visit);
  const answered: string[] = [];
  page.on('response', (response) => answered.push(new URL(response.url()).origin));
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
  const outcomes: string[] = await page.locator('body').evaluate(
    async (body, url) => [
      await body.ownerDocument.defaultView.fetch(url, { mode: 'no-cors' }).then(
        () => 'fetched',
        ({ name }: Error) => name,
      ),
      (() => {
        try {
          body.innerHTML = '<p>';
          return 'written';
        } catch (error) {
          return error instanceof Error ? error.name : '';
        }
      })(),
    ],
    foreign.siteUrl,
  );
  expect(outcomes).toEqual(['TypeError', 'TypeError']);
  expect(await page.title()).toBe('Inbox');
  expect([...new Set(answered)]).toEqual([site.siteUrl]);
  const refusals = problems.splice(0).filter((problem) => !problem.startsWith('Request to'));
  expect(refusals.filter((problem) => !/Content Security Policy|TrustedHTML/.test(problem))).toEqual([]);
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
    await page.locator('#spam').selectOption('Spam');
    await page.getByText('The API does not answer.').waitFor();

    expect(await storage(page, 'sessionStorage')).toContain(service.staffToken);
    const others = [page.url(), ...said, await page.content(), ...(await historyOf(page))];
    others.push(await storage(page, 'localStorage'), ...requests.map((request) => request.url()));
    expect(others.filter((text) => text.includes(service.staffToken))).toEqual([]);
    const headers = await Promise.all(requests.map((request) => request.allHeaders()));
    expect(headers.filter(({ referer }) => referer !== undefined)).toEqual([]);
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
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await signIn(page, 'my password');
    await page.getByRole('alert').getByText('This is not a token: tokens begin with crcs_').waitFor();
    expect(requests).toBe(0);
    for (const token of ['crcs_malformed', `crcs_${'x'.repeat(43)}`]) {
      await signIn(page, token);
      await page.getByText('The token is unknown, expired or revoked. Ask for another one.').waitFor();
      expect(await storage(page, 'sessionStorage')).not.toContain(token);
    }
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  test('that is revoked while the page is open is explained', async ({ visit }) => {
    const id = await post({ message: 'Until when?' });
    const page = await openInbox(visit);
    await openOne(page, id);
    await page.route(allOfApi, (route) =>
      route.continue({ headers: { ...route.request().headers(), authentication: `crcs_${'x'.repeat(43)}` } }),
    );
    await page.locator('#spam').selectOption('Spam');
    await page.getByText('The token is unknown, expired or revoked.').waitFor();
    expect(await page.getByText('Until when?').count()).toBe(0);
    expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
  });
});

describe('signing out', () => {
  test('clears everything', async ({ visit }) => {
    const page = await openInbox(visit);
    for (const message of ['Is it private?', 'Really private?']) await openOne(page, await post({ message }));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Staff token').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (let entries = (await historyOf(page)).length; entries > 0; entries -= 1) {
      await page.getByLabel('Staff token').waitFor();
      expect(await page.content()).not.toContain('private?');
      expect(await storage(page, 'localStorage')).toBe('{}');
      expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
      if (entries > 1) await page.goBack();
    }
    expect(requests.filter((url) => url.startsWith(service.apiUrl))).toEqual([]);
  });

  test('does not wait for a slow API', async ({ visit }) => {
    const id = await post({ message: 'Is it private?' });
    const page = await openInbox(visit);
    await openOne(page, id);
    const { release } = await holdRequests(page, allOfApi);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Is it private?').first().waitFor({ state: 'hidden' });
    expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
    await release();
    await page.getByLabel('Staff token').waitFor();
    expect(await statusOf(id)).toBe(404);
  });

  test('holds for pages that the browser keeps to go back to', async ({ launchOptions }) => {
    // Pages that may not be stored are never kept: this server leaves out that header.
    const server = createServer(async ({ url }, response) => {
      const answer = await fetch(`${site.siteUrl}${url}`);
      response.setHeader('Content-Type', answer.headers.get('Content-Type') ?? '').end(await answer.text());
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
    await page.goto(`${foreign.siteUrl}/thank-you.html`);
    await page.goto(`${origin}/`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Staff token').waitFor();
    await page.locator('html').evaluate(({ ownerDocument: { defaultView } }) => defaultView.history.go(-2));
    await page.getByText('You left the inbox. Sign in again.').waitFor();
    expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
    server.close();
  });
});

describe('a page that cannot reach the API', () => {
  const openAt = async (visit: Visit, baseUrl: string) => {
    const replacements = new Map([['http://127.0.0.1:3000/', baseUrl]]);
    const { origin, close } = await serveSite({ folder, port: 0, replacements });
    const page = await visit({ ...service, siteUrl: origin, apiUrl: new URL(baseUrl).origin }, '');
    await signIn(page);
    const reason = await page.getByRole('alert').filter({ hasText: 'Try again' }).textContent();
    await close();
    return { reason, origin };
  };

  test('says that its origin is missing in inboxOrigins', async ({ visit, problems }) => {
    const { reason, origin } = await openAt(visit, `${service.apiUrl}/`);
    expect(reason).toContain(
      `The API does not accept pages of ${origin}. Its operator must add this origin to inboxOrigins, and deploy.`,
    );
    expect(problems.splice(0).filter((problem) => !problem.includes('blocked by CORS policy'))).toEqual([]);
  });

  test('says that the API is away', async ({ visit }) => {
    const { reason } = await openAt(visit, `${away.apiUrl}/`);
    expect(reason).toContain('The API does not answer. Check your connection.');
  });

  test('says that a slash is missing', async ({ visit, problems }) => {
    const { reason } = await openAt(visit, `${service.apiUrl}/prod`);
    expect(reason).toContain('In index.html, the base URL after connect-src needs a slash at its end.');
    expect(problems.splice(0).filter((problem) => !problem.includes('Content Security Policy'))).toEqual([]);
  });
});

describe('an API that is away', () => {
  test('is asked again by itself and by the button', async ({ visit, problems }) => {
    const [first, second] = [await post({ message: 'First' }), await post({ message: 'Second' })];
    const page = await openSignIn(visit);
    await page.clock.install();
    await page.route(allOfApi, (route) => route.abort());
    await signIn(page);
    await alertOf(page).getByText('The API does not answer. Check your connection.').waitFor();
    await page.unroute(allOfApi);
    await page.clock.fastForward(minute);
    await rowOf(page, first).waitFor();
    expect(await alertOf(page).isVisible()).toBe(false);

    const captivePortal = { body: '<h1>Welcome to our Wi-Fi</h1>', headers: { 'Access-Control-Allow-Origin': 'null' } };
    await page.route(allOfApi, (route) => route.fulfill(captivePortal));
    await page.clock.fastForward(minute);
    await alertOf(page).getByText('The API does not answer. Check your connection.').waitFor();
    await rowOf(page, second).waitFor();
    await page.unroute(allOfApi);
    const third = await post({ message: 'Third' });
    const { held, release } = await holdRequests(page, isList);
    await alertOf(page).getByRole('button').dblclick();
    await release();
    await rowOf(page, third).waitFor();
    expect(held).toHaveLength(1);
    expect(await alertOf(page).isVisible()).toBe(false);
    expect(problems.splice(0).filter((problem) => !problem.includes('blocked by CORS policy'))).toEqual([]);
  });

  test('loses nothing if pages of the list fail', async ({ visit }) => {
    const faults = [
      [(route: Route) => route.abort(), 'The API does not answer.'],
      [(route: Route) => route.fulfill({ body: '[{"id":' }), 'not from the API, or incomplete'],
      [(route: Route) => route.fulfill({ body: '<h1>Welcome to our Wi-Fi</h1>' }), 'not from the API, or incomplete'],
      [(route: Route) => route.fulfill({ status: 500, body: '<h1>Sorry</h1>' }), 'The API has a fault (500).'],
      [(route: Route) => route.fulfill({ status: 400, body: '{"details":"No"}' }), 'The API refuses this (400).'],
    ] as const;
    await Promise.all(Array.from({ length: 8 }, () => post({ message: 'Is all there?' })));
    const page = await openSignIn(visit);
    const answers = faults.map(([answer]) => answer);
    let isFailing = true;
    await page.route(isList, async (route) => {
      const url = new URL(route.request().url());
      const answer = isFailing && url.searchParams.has('cursor') ? answers.shift() : undefined;
      isFailing = !answer;
      url.searchParams.set('limit', '1');
      await (answer?.(route) ?? route.continue({ url: url.href }));
    });
    await signIn(page);
    for (const [, reason] of faults) {
      await alertOf(page).getByText(reason).waitFor();
      await alertOf(page).getByRole('button').click();
      await alertOf(page).waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Load older ones' }).click();
    }
    await expect.poll(() => page.locator('#list [data-id]').count()).toBe(7);
    const ids: string[] = await page
      .locator('#list [data-id]')
      .evaluateAll((rows) => rows.map(({ dataset }) => dataset.id));
    expect(await (await asStaff('?limit=7')).json()).toEqual(ids.map((id) => expect.objectContaining({ id })));
  });
});

describe('an API that is busy', () => {
  test('is asked again after the time it names, and no earlier', async ({ visit }) => {
    const id = await post({ message: 'Are you busy?' });
    const page = await openSignIn(visit);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + hour);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const refuse = (seconds: string) => (route: Route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': seconds, 'Access-Control-Expose-Headers': 'Retry-After' },
      });
    await page.route(isList, refuse('90'), { times: 1 });
    await signIn(page);
    await page.getByText('The API is busy. Trying again in 90 s.').waitFor();
    await page.clock.runFor(89_000);
    expect(requests).toHaveLength(1);
    await page.clock.runFor(1_000);
    await rowOf(page, id).waitFor();
    expect(requests).toHaveLength(2);

    await openOne(page, id);
    await page.route(({ pathname }) => pathname.endsWith(id), refuse('2'), { times: 1 });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.clock.runFor(5_000);
    const busy = page.getByText('The API is busy. Trying again in 2 s.');
    await busy.waitFor();
    await page.clock.runFor(2_000);
    await busy.waitFor({ state: 'hidden' });
    await rowOf(page, id).waitFor({ state: 'detached' });
  });

  test('is asked three times more, then left alone', async ({ visit }) => {
    await Promise.all(Array.from({ length: 101 }, () => fetch(`${throttled.apiUrl}/api/v1/contact`)));
    const page = await visit({ ...throttled, siteUrl: throttled.inboxUrl }, '');
    await page.clock.install();
    await signIn(page, throttled.staffToken);
    for (const _ of Array(3)) {
      await page.getByText('The API is busy. Trying again in 1 s.').waitFor();
      await page.clock.runFor(1_000);
    }
    await alertOf(page).getByText('The API is busy. Try again later.').waitFor();
  });
});

test('an hour asleep costs two requests and misses nothing', async ({ visit }) => {
  const known = await post({ message: 'Before' });
  const page = await openWithClock(visit);
  await rowOf(page, known).waitFor();
  const ids = await Promise.all(['One', 'Two', 'Three'].map((message) => post({ message })));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.clock.fastForward(hour);
  await page.locator('html').evaluate(({ ownerDocument }) => {
    ownerDocument.dispatchEvent(new ownerDocument.defaultView.Event('visibilitychange'));
  });
  for (const id of ids) await rowOf(page, id).waitFor();
  expect(requests.length).toBeLessThanOrEqual(2);
});

test.for([
  ['an hour fast', hour],
  ['ten years slow', -10 * 365 * 24 * hour],
] as const)('works with a clock that is %s', async ([, error], { visit }) => {
  const known = await post({ message: 'Before' });
  const page = await openWithClock(visit, Date.now() + error);
  await rowOf(page, known).waitFor();
  const id = await post({ message: 'What time is it?' });
  await page.clock.fastForward(minute);
  await rowOf(page, id).waitFor();
  const { createdAt } = v.parse(v.object({ createdAt: v.string() }), await (await asStaff(`/${id}`)).json());
  const dayFrom = (days: number) => new Date(Date.parse(createdAt) + days * 24 * hour).toLocaleDateString('sv');
  await page.getByText('More filters').click();
  await page.locator('#to').fill(dayFrom(-1));
  await rowOf(page, id).waitFor({ state: 'detached' });
  await page.locator('#to').fill(dayFrom(0));
  await page.locator('#from').fill(dayFrom(0));
  await rowOf(page, id).waitFor();
});

test('two windows share what was read, and can delete the same', async ({ visit }) => {
  const id = await post({ message: 'In which window?' });
  const page = await openWithClock(visit);
  const other = await page.context().newPage();
  await other.goto(`${site.siteUrl}/#token=${service.staffToken}`);
  await rowOf(other, id).getByText('Unread').waitFor();
  await openOne(page, id);
  await rowOf(other, id).getByText('Unread').waitFor({ state: 'hidden' });
  await openOne(other, id);
  for (const window of [page, other]) {
    await window.bringToFront();
    await window.getByRole('button', { name: 'Delete', exact: true }).click();
  }
  const answers = [page, other].map((window) =>
    window.waitForResponse((response) => response.request().method() === 'DELETE'),
  );
  await page.clock.fastForward(6_000);
  expect((await Promise.all(answers)).map((answer) => answer.status()).sort()).toEqual([204, 404]);
  for (const window of [page, other]) {
    await rowOf(window, id).waitFor({ state: 'detached' });
    expect(await window.getByText('Not deleted').count()).toBe(0);
  }
  expect(await statusOf(id)).toBe(404);
});

test('explains what someone else has deleted', async ({ visit }) => {
  const [opened = '', selected = '', kept = ''] = await Promise.all(
    ['Opened', 'Selected', 'Kept'].map((message) => post({ message })),
  );
  const page = await openWithClock(visit);
  for (const id of [opened, selected, kept]) await rowOf(page, id).getByRole('checkbox').check();
  for (const id of [opened, selected]) await asStaff(`/${id}`, 'DELETE');
  await rowOf(page, opened).getByRole('link').click();
  await page.getByText('This contact request has been deleted.').waitFor();
  expect(await page.getByRole('article').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Delete 2 selected' }).click();
  await page.clock.fastForward(6_000);
  for (const id of [selected, kept]) await rowOf(page, id).waitFor({ state: 'detached' });
  expect(await page.getByText('Not deleted').count()).toBe(0);
  expect(await statusOf(kept)).toBe(404);
});

test('shows no rows of filters that have changed', async ({ visit }) => {
  const id = await post({ message: 'Not spam' });
  const spam = await post({ message: 'Spam', _gotcha: 'x' });
  const page = await openSignIn(visit);
  const { held, release } = await holdRequests(page, isList);
  await signIn(page);
  await expect.poll(() => held.length).toBe(1);
  await page.locator('#spam').selectOption('Spam');
  await release();
  await rowOf(page, spam).waitFor();
  expect(await rowOf(page, id).count()).toBe(0);
});

test('asks a slow API once', async ({ visit }) => {
  const page = await openSignIn(visit);
  await page.route(isList, (route) => route.fallback({ url: route.request().url().replace('=200', '=2') }));
  await Promise.all(Array.from({ length: 5 }, () => post({ message: 'Quickly!' })));
  await signIn(page);
  await expect.poll(() => page.locator('#list [data-id]').count()).toBe(4);
  const { held, release } = await holdRequests(page, isList);
  for (const name of ['Load older ones', 'Download CSV']) {
    await page.getByRole('button', { name }).evaluate((button) => {
      button.click();
      button.click();
    });
  }
  await expect.poll(() => held.length).toBeGreaterThan(1);
  await release();
  await expect.poll(() => page.locator('#list [data-id]').count()).toBe(6);
  expect(held).toHaveLength(2);
});

test('another token brings its own permissions', async ({ visit }) => {
  const id = await post({ message: 'Who may delete?' });
  const page = await openInbox(visit, { token: service.readToken });
  await page.clock.install();
  await openOne(page, id);
  const deletion = page.getByRole('button', { name: 'Delete', exact: true });
  await deletion.click();
  await page.clock.fastForward(6_000);
  await page.getByText('This token cannot delete').waitFor();
  await page.goto(`${site.siteUrl}/#token=${service.staffToken}`);
  await rowOf(page, id).getByRole('link').click();
  await deletion.waitFor();
});

// Last, since each of its many contact requests would slow down the lists of other tests.
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
        const named = { message: text, firstName: text, lastName: text, company: text, 'form-name': text };
        return post({ ...named, subject: text, list: [text, text], [text]: text }, service.siteUrl);
      }),
    );
    await signIn(page);
    await rowOf(page, ids[0] ?? '').waitFor();

    const shown = await page.locator('html').evaluate(async ({ ownerDocument }, ids) => {
      const view = ownerDocument.defaultView;
      const textsIn = (selector: string) =>
        [...ownerDocument.querySelectorAll(selector)].map(({ textContent }) => textContent);
      const read = [];
      for (const id of ids) {
        view.location.hash = id;
        await new Promise((resolve) => view.addEventListener('hashchange', resolve, { once: true }));
        const row = `#list [data-id="${id}"]`;
        read.push({
          row: textsIn(`${row} :is(strong, span, bdi)`),
          name: ownerDocument.querySelector(`${row} input`).ariaLabel,
          title: textsIn('#openedTitle').join(),
          fields: textsIn('#fields > *'),
        });
      }
      return read;
    }, ids);
    expect(shown).toEqual(
      xssStrings.map((text, index) => ({
        row: [`${text} ${text}`, text, text, service.siteUrl],
        name: `Select ${text} ${text}`,
        title: `${text} ${text}`,
        fields: [
          ...['Message', text, 'First name', text, 'Last name', text, 'Email address', 'ada@example.com'],
          ...['Company', text, 'subject', text, 'list', text, text, text, text],
          ...['Form', text, 'Site', service.siteUrl, 'Received', expect.any(String), 'ID', ids[index]],
        ],
      })),
    );
    expect(await page.getByLabel('Form, of those loaded').locator('option').allTextContents()).toEqual(
      expect.arrayContaining(xssStrings),
    );
    expect(await page.title()).toMatch(/^(\(\d+\) )?Inbox$/);
    expect(await page.locator('script:not([src]), img, iframe, object, embed, base, svg').count()).toBe(0);
    const links: string[] = await page.locator('a').evaluateAll((links) => links.map(({ href }) => href));
    expect(links.filter((href) => !href.startsWith(`${site.siteUrl}/#`) && !/^(mailto|tel):/.test(href))).toEqual([]);
    expect(requested.filter((path) => !path.startsWith('/api/v1/contact'))).toEqual([]);
  });

  test('adds nobody to a reply', async ({ visit }) => {
    const addresses = ['bcc', 'cc'].flatMap((name) =>
      ['?', '&', '%3f', '%0a'].map((separator) => `ada${separator}${name}=grace%40example.com@example.com`),
    );
    const page = await openInbox(visit);
    for (const email of addresses) {
      const text = '&bcc=grace@example.com?bcc=grace@example.com#\nBcc: grace@example.com';
      await openOne(page, await post({ email, message: text, subject: text, phone: '+1 (555) 0100 x12' }));
      const links: string[] = await page
        .getByRole('article')
        .locator('a')
        .evaluateAll((links) => links.map(({ href }) => href));
      const written = links.map((href) => new URL(href));
      expect(written.map(({ protocol, pathname }) => protocol + decodeURIComponent(pathname))).toEqual([
        `mailto:${email}`,
        `mailto:${email}`,
        'tel:+15550100',
      ]);
      expect(written.map(({ searchParams }) => [...searchParams.keys()])).toEqual([['subject', 'body'], [], []]);
    }
  });
});

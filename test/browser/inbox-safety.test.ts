import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { serveSite } from '../../lib/local/example-site.ts';
import { openInbox, post } from './inbox-page.ts';
import { test, type Visit } from './visitor.ts';
import { xssStrings } from './xss-strings.ts';

const service = inject('inbox');
const away = inject('away');
const foreign = inject('foreign');

const site = { ...service, siteUrl: service.inboxUrl };
const allOfApi = `${service.apiUrl}/**`;
const folder = join(import.meta.dirname, '..', '..', 'inbox');
const isList = ({ origin, pathname }: URL) => origin === service.apiUrl && pathname === '/api/v1/contact';

const signIn = async (page: Page, token = service.staffToken) => {
  await page.getByLabel('Staff token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

/** Opens the inbox as someone who has not signed in: a test can prepare what the page will meet. */
const openSignIn = (visit: Visit) => visit(site, '');

const openOne = async (page: Page, id: string) => {
  await page.goto(`${site.siteUrl}/#${id}`);
  await page.getByRole('article').getByText(id, { exact: true }).waitFor();
};

const rowOf = (page: Page, id: string) => page.locator(`#list > [data-id="${id}"]`);

const storage = (page: Page, name: 'localStorage' | 'sessionStorage'): Promise<string> =>
  page.locator('html').evaluate(({ ownerDocument }, name) => JSON.stringify(ownerDocument.defaultView[name]), name);

const historyOf = (page: Page): Promise<string[]> =>
  page
    .locator('html')
    .evaluate(({ ownerDocument: { defaultView } }) =>
      defaultView.navigation.entries().map(({ url }: { url: string }) => url),
    );

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
      xssStrings.map((text) =>
        post({
          message: text,
          firstName: text,
          lastName: text,
          company: text,
          subject: text,
          'form-name': text,
          list: [text, text],
          [text]: text,
        }),
      ),
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
        const row = `#list > [data-id="${id}"]`;
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
        row: [`${text} ${text}`, text, text],
        name: `Select ${text} ${text}`,
        title: `${text} ${text}`,
        fields: [
          ...['Message', text, 'First name', text, 'Last name', text, 'Email address', 'ada@example.com'],
          ...['Company', text, 'subject', text, 'list', text, text, text, text],
          ...['Form', text, 'Received', expect.any(String), 'ID', ids[index]],
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
    for (const opened of ['newly', 'already']) {
      await page.goto(`${publicSite.publicUrl}/#token=${service.staffToken}`);
      await expect.poll(() => page.url(), opened).toBe(`${publicSite.publicUrl}/`);
      await page.getByLabel('Staff token').waitFor();
      expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
      expect(await historyOf(page)).not.toContainEqual(expect.stringContaining('token'));
    }
  });

  test.for([
    ['is malformed', 'crcs_short'],
    ['is unknown or has expired', `crcs_${'x'.repeat(43)}`],
  ] as const)('that %s is explained', async ([, token], { visit }) => {
    const page = await openSignIn(visit);
    await signIn(page, token);
    await page.getByRole('alert').getByText('The token is unknown, expired or revoked. Ask for another one.').waitFor();
    expect(await storage(page, 'sessionStorage')).not.toContain(token);
    await signIn(page);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  test('that is none is not sent', async ({ visit }) => {
    const page = await openSignIn(visit);
    await page.route(allOfApi, () => expect.unreachable());
    await signIn(page, 'my password');
    await page.getByText('This is not a token').waitFor();
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

test('signing out clears everything', async ({ visit }) => {
  const page = await openInbox(visit);
  for (const message of ['Is it private?', 'Really private?']) await openOne(page, await post({ message }));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Staff token').waitFor();
  for (let entries = (await historyOf(page)).length; entries > 0; entries -= 1) {
    await page.getByLabel('Staff token').waitFor();
    expect(await page.locator('#list > *, #fields > *').count()).toBe(0);
    expect(await page.content()).not.toContain('private?');
    expect(await storage(page, 'localStorage')).toBe('{}');
    expect(await storage(page, 'sessionStorage')).not.toContain(service.staffToken);
    if (entries > 1) await page.goBack();
  }
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

import { expect, it, vi } from 'vitest';
import { serve } from '../../support/server.ts';
import { startWorld } from './world.ts';

const form = (action: string) => `<form method="post" action="${action}"><textarea name="message"></textarea></form>`;

it.each([
  [
    'a page that the first one leads to',
    '<a href="about#top">About</a> <a href="/contact?a=1&amp;b=2">Contact</a>',
    '/contact?a=1&b=2',
  ],
  ['a script', '<script type="module" src="/assets/form.js"></script>', '/assets/form.js'],
])('finds what points here in %s', async (_, first, path) => {
  const world = await startWorld();
  world.pages.set('/', { body: first });
  world.pages.set(path, { body: `post("${world.url.replaceAll('/', '\\/')}\\/dev" + "/api/v1/contact")` });
  expect(await world.foundBy('sites')).toEqual([]);
});

it('follows a redirect', async () => {
  const world = await startWorld();
  const { body = '' } = world.pages.get('/') === 'silent' ? {} : { ...Object(world.pages.get('/')) };
  world.pages.set('/', { status: 301, location: '/en/' });
  world.pages.set('/en/', { body });
  expect(await world.foundBy('sites')).toEqual([]);
});

it('finds a form that points to another place of this service', async () => {
  const world = await startWorld();
  world.pages.set('/', { body: form('https://old.example.com/prod/api/v1/contact') });
  expect(await world.foundBy('sites')).toEqual([
    `wrong: The form of ${world.site} points to https://old.example.com/prod. -> Its action is ${world.url}/dev/api/v1/contact (docs/forms.md).`,
  ]);
});

it('takes no longer URL for its own', async () => {
  const world = await startWorld();
  world.pages.set('/', { body: form(`${world.url}/development/api/v1/contact`) });
  expect(await world.foundBy('sites')).toEqual([expect.stringContaining(`points to ${world.url}/development.`)]);
});

it('finds a form that points elsewhere', async () => {
  const world = await startWorld();
  world.pages.set('/', { body: '<a href="/contact">Contact</a>' });
  world.pages.set('/contact', { body: form('https://forms.example.com/f/abc') });
  expect(await world.foundBy('sites')).toEqual([
    `wrong: The form of ${world.site}/contact does not point here. -> Its action is ${world.url}/dev/api/v1/contact (docs/forms.md).`,
  ]);
});

it('notes that it saw no form, and looks at twenty pages more at most, of the same origin', async () => {
  const world = await startWorld();
  const links = Array.from({ length: 30 }, (_, number) => `<a href="/page-${number}">${number}</a>`);
  world.pages.set('/', { body: `<a href="http://127.0.0.1:9/">Other</a><a href="/a.pdf">PDF</a>${links.join('')}` });
  world.pages.set('/page-25', { body: form(`${world.url}/dev/api/v1/contact`) });
  expect(await world.foundBy('sites')).toEqual([
    `note: No page of ${world.site} that was looked at points here: its first, and 20 that it leads to. -> Is there a form further on? Its action is ${world.url}/dev/api/v1/contact (docs/forms.md).`,
  ]);
});

it.each([
  ['an error', { status: 500 }, 'HTTP 500'],
  ['what is no page', { type: 'application/json' }, 'it answers application/json'],
  ['redirects without end', { status: 302, location: '/' }, 'more than 5 redirects'],
  ['what is not encrypted', { status: 302, location: 'http://www.example.com/' }, 'http://www.example.com is no https'],
  ['nothing', 'silent', 'no answer in 10 seconds'],
] as const)('notes of a site on this machine that it answers %s', async (_, page, why) => {
  const world = await startWorld();
  world.pages.set('/', page);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let found: string[] | undefined;
  const finding = world.foundBy('sites').then((all) => {
    found = all;
  });
  const advance = async () => {
    // Not before it has been asked, so that only the site is waited for.
    if (world.visited.includes('/')) await vi.advanceTimersByTimeAsync(1000);
    else await new Promise(setImmediate);
  };
  while (!found) await advance();
  await finding;
  expect(found).toEqual([
    `note: The site ${world.site} does not answer with a page: ${why}. -> Repair the site, or take it out of sites (docs/settings.md).`,
  ]);
});

it('finds a site and a thank-you page that are not there', async () => {
  const world = await startWorld();
  // This machine, under which name nothing listens: no test leads away from it.
  world.sites.splice(0, 1, { origin: 'https://127.0.0.2:9', language: 'en', thankYouUrl: 'http://plain.example.com/' });
  expect(await world.foundBy('sites')).toEqual([
    expect.stringMatching(
      /^wrong: The site https:\/\/127\.0\.0\.2:9 does not answer with a page: (ECONNREFUSED|TypeError.*)\. /,
    ),
  ]);
  expect(await world.foundBy('thank-you pages')).toEqual([
    'wrong: The thank-you page http://plain.example.com/ does not answer: http://plain.example.com is no https. -> Repair the page, or set thankYouUrl (docs/settings.md).',
  ]);
});

it('is led to nothing of this machine by a site that is elsewhere', async () => {
  const world = await startWorld();
  const far = 'https://far.example.com';
  world.sites.splice(0, 1, { origin: far, language: 'en' });
  // What answers there is no page of this machine's, which alone a test can serve.
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...given) =>
    String(given[0]).startsWith(far) ? Response.redirect(world.site) : fetch(...given),
  );
  expect(await world.foundBy('sites')).toEqual([
    `wrong: The site ${far} does not answer with a page: it leads to ${world.site}, on this machine. -> Repair the site, or take it out of sites (docs/settings.md).`,
  ]);
  expect(world.visited).not.toContain('/');
});

it('is kept busy by no page that is made for it', async () => {
  const world = await startWorld();
  world.pages.set('/', { body: `${'<a '.repeat(250_000)}${'http://x'.repeat(25_000)}` });
  expect(await world.foundBy('sites')).toEqual([expect.stringContaining('that was looked at points here')]);
});

it('notes of a thank-you page on this machine that it is an error', async () => {
  const world = await startWorld();
  world.pages.set('/thanks', { status: 404 });
  expect(await world.foundBy('thank-you pages')).toEqual([
    `note: The thank-you page ${world.site}/thanks does not answer: HTTP 404. -> Repair the page, or set thankYouUrl (docs/settings.md).`,
  ]);
});

it('says that the function knows sites of another form', async () => {
  const world = await startWorld();
  world.answers['lambda:GetFunctionConfiguration'] = () => ({ Environment: { Variables: { SITES: '[{}]' } } });
  expect(await world.foundBy('sites')).toEqual([
    'wrong: The check of sites could not be made: The function that takes forms is of another version: npx cdk deploy ContactService-dev -> Try it again.',
  ]);
});

it('looks at eight sites at a time, so that memory holds no more of their pages', async () => {
  const world = await startWorld();
  let [open, most] = [0, 0];
  await using site = await serve(async (_, response) => {
    open += 1;
    most = Math.max(most, open);
    while (open < 8 && most < 8) await new Promise(setImmediate);
    // Long enough for whoever else is on the way.
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    open -= 1;
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(form(`${world.url}/dev/api/v1/contact`));
  });
  world.sites.splice(0, 1, ...Array.from({ length: 40 }, () => ({ origin: site.url, language: 'en' })));
  expect(await world.foundBy('sites')).toEqual([]);
  expect(most).toBe(8);
});

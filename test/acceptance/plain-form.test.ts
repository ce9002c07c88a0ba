import { expect, test } from 'vitest';
import { contactPath, create, listSince, post, postBody, postForm, storedIn, visitor } from './client.ts';
import type { Contact } from './contact.ts';
import { expectError } from './expect-error.ts';
import { expectPage, pageText } from './expect-page.ts';
import { requestHead, sendRaw } from './raw-http.ts';
import { target } from './target.ts';

/** The headers of a browser that posts a form. */
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const fromSite = { ...browser, Origin: target.siteOrigin, Referer: `${target.siteOrigin}/contact.html` };

/** Waits for a visitor's contact requests in the list. */
const listOf = async ({ email }: { readonly email: string }, since: Contact): Promise<Contact[]> => {
  let list: Contact[] = [];
  await expect
    .poll(async () => {
      list = (await listSince(since)).filter((contact) => contact.email === email);
      return list;
    })
    .not.toEqual([]);
  return list;
};

test('stores a plain form, and redirects the browser to the success page', async () => {
  const before = await create();
  const fields = visitor();
  const response = await postForm(fields, fromSite);
  const stored = await listOf(fields, before);
  expect(stored).toMatchObject([fields]);
  if (target.thankYouUrl === undefined) {
    expect(pageText(expectPage(response, 201))).toMatch(/thank you/i);
    // A repeat of what a defence caught would show that by another id.
    expect(response.text + response.headers.get('location')).not.toContain(stored[0]?.id);
  } else {
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(target.thankYouUrl);
  }
});

test('responds to errors with a page that names each invalid field by its label', async () => {
  const page = expectPage(
    await postForm(
      {
        email: 'nobody',
        phone: '1'.repeat(65),
        message: 'x'.repeat(5001),
        company: 'x'.repeat(201),
        firstName: 'x'.repeat(101),
        lastName: 'x'.repeat(101),
      },
      fromSite,
    ),
    400,
  );
  const text = pageText(page);
  for (const name of [/email/i, /phone/i, /company/i, /message/i, /first name/i, /last name/i]) {
    expect(text).toMatch(name);
  }
  expect(text).toContain('200');
});

test('links from the success page to no foreign address', async () => {
  const page = expectPage(await postForm(visitor(), { ...browser, Referer: 'https://foreign.example.net/trap' }), 201);
  expect(page).not.toContain('foreign.example.net');
});

test('has no link on the error page: it would open the form anew, without what was written', async () => {
  const page = expectPage(await postForm({ email: 'nobody' }, fromSite), 400);
  expect(page).not.toContain('href=');
});

const script = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`;

test('escapes markup from every field, name and header', async () => {
  const names = ['email', 'phone', 'company', 'message', 'firstName', 'lastName', '_gotcha', script];
  const body = new URLSearchParams(names.map((name): [string, string] => [name, script]));
  body.append('message', script);
  const page = expectPage(await postBody(body, { ...browser, Referer: `${target.siteOrigin}/${script}` }), 400);
  expect(page).not.toMatch(/<(script|img)/i);
});

test.for([
  ['of another site', 403, /cannot be sent/, { ...browser, Origin: 'https://foreign.example.net' }, 'message=Hi'],
  ['that is too large', 413, /too long/, fromSite, `message=${'x'.repeat(64 * 1024)}`],
  ['of an unknown type', 415, /Content-Type/, { ...fromSite, 'Content-Type': 'text/x; y=application/json' }, 'Hi'],
  ['of a type like JSON', 415, /Content-Type/, { ...fromSite, 'Content-Type': 'application/jsonp' }, 'Hi'],
] as const)('responds to a form %s with a page of status %i and the reason', async ([, status, why, headers, body]) => {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const text = pageText(expectPage(await postBody(body, { ...type, ...headers }), status));
  expect(text).toMatch(/not sent/i);
  expect(text).toMatch(why);
  // A refused site has no form to go back to.
  if (status === 403) expect(text).not.toMatch(/Back button/);
  else expect(text).toMatch(/Back button/);
});

test('responds to a used key with different content with a page of status 422', async () => {
  const headers = { ...fromSite, 'Idempotency-Key': `${target.run}-plain-form` };
  await postForm(visitor(), headers);
  expectPage(await postForm(visitor(), headers), 422);
});

test('stores a double click once', async () => {
  const before = await create();
  const fields = visitor();
  const [first, second] = await Promise.all([postForm(fields, fromSite), postForm(fields, fromSite)]);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  const stored = await listOf(fields, before);
  // A double click across two hours is stored in both.
  const hours = new Set(stored.map(({ createdAt }) => createdAt.slice(0, 'YYYY-MM-DDThh'.length)));
  expect(stored).toHaveLength(hours.size);
});

test('stores the form again if its text differs, or for a client that gets JSON', async () => {
  const before = await create();
  const fields = visitor();
  await postForm(fields, fromSite);
  await postForm({ ...fields, message: `${fields.message} again` }, fromSite);
  await postForm(fields, { ...fromSite, Accept: '*/*' });
  await post(fields, { ...fromSite, Accept: 'text/html' });
  const listed = async () => (await listSince(before, '')).filter(({ email }) => email === fields.email).length;
  await expect.poll(listed).toBe(4);
});

test('stores a form although a stranger sent the same before, with a filled trap', async () => {
  const before = await create();
  const fields = visitor();
  const caught = await postForm({ ...fields, _gotcha: 'https://spam.example.net' }, fromSite);
  const accepted = await postForm(fields, fromSite);
  expect([caught.status, caught.text]).toEqual([accepted.status, accepted.text]);
  expect(await listOf(fields, before)).toMatchObject([fields]);
});

test('responds with JSON to a script that accepts HTML', async () => {
  for (const mode of ['cors', 'same-origin', 'no-cors'])
    storedIn(await postForm(visitor(), { ...fromSite, 'Sec-Fetch-Mode': mode }));
  expect((await postForm({}, { ...fromSite, 'Sec-Fetch-Mode': 'navigate' })).text).toMatch(/^<!doctype html>/);
});

test.for([
  'application/json',
  '*/*',
  'text/html; q=0.5, application/json;q=0.7',
  'text/html;q=0',
  'nonsense',
  'text/html;q=2, application/json',
  'text/html;q=0, application/json;q=-1',
])('responds with JSON to Accept: %s', async (accept) => {
  storedIn(await postForm(visitor(), { Accept: accept }));
  expectError(await postForm({}, { Accept: accept }), 400, ['email', 'message']);
});

test('responds with JSON without an Accept header', async () => {
  const body = JSON.stringify(visitor());
  const head = requestHead('POST', contactPath, 'Content-Type: application/json', `Content-Length: ${body.length}`);
  storedIn(await sendRaw(head + body));
});

test.for([
  'text/html',
  'TEXT/HTML',
  'text/*, application/json;q=0.5',
  'application/json;q=0.1, text/html;q=0.2',
  'text/html;level=1;q=0.5, application/json;q=0.1',
  'text/html, application/xhtml+xml, */*',
  'text/html, text/*;q=0.5, image/*, application/*',
])('responds with a page to Accept: %s', async (accept) => {
  expectPage(await postForm({}, { Accept: accept }), 400);
});

test.for(['application/json', 'Application/JSON', 'application/json ; charset=utf-8'])(
  'responds with JSON to a JSON body as %s, whatever Accept says',
  async (type) => {
    storedIn(await post(visitor(), { Accept: 'text/html', 'Content-Type': type }));
  },
);

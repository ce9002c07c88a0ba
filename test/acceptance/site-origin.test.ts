import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  contactPath,
  create,
  fetchContact,
  listOnceItHolds,
  post,
  postBody,
  postForm,
  send,
  storedIn,
  visitor,
} from './client.ts';
import { expectError } from './expect-error.ts';
import type { ApiResponse } from './http.ts';
import { requestHead, sendRaw } from './raw-http.ts';
import { requires, target } from './target.ts';

const { siteOrigin } = target;
const fromSite = { Origin: siteOrigin };
const foreign = 'https://foreign.example.net';

const names = (header: string | null) => (header ?? '').toLowerCase().split(/\s*,\s*/);

/** Expects that a page of the site can read the response, and that caches keep origins apart. */
const expectReadable = ({ headers }: ApiResponse, origin = siteOrigin) => {
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  // Some libraries send credentials, though there are no cookies.
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(names(headers.get('vary'))).toContain('origin');
};

describe('a page of a site', () => {
  test('reads a success and its headers', async () => {
    const response = await post(visitor(), fromSite);
    storedIn(response);
    expectReadable(response);
    expect(names(response.headers.get('access-control-expose-headers'))).toEqual(
      expect.arrayContaining(['location', 'idempotent-replayed', 'retry-after']),
    );
  });

  test.for<[status: number, of: string, postFromSite: () => Promise<ApiResponse>]>([
    [400, 'JSON', () => post({}, fromSite)],
    [400, 'a plain form', () => postForm({}, { Accept: 'text/html', ...fromSite })],
    [413, 'a form', () => postForm({ message: 'x'.repeat(64 * 1024) }, fromSite)],
    [415, 'another type', () => postBody('Hi', { ...fromSite, 'Content-Type': 'text/html' })],
  ])('reads the error %i of %s', async ([status, , postFromSite]) => {
    const response = await postFromSite();
    expect(response.status).toBe(status);
    expectReadable(response);
  });

  test('reads the 422 for a key that was used with different content', async () => {
    const headers = { 'Idempotency-Key': randomUUID(), ...fromSite };
    await post(visitor(), headers);
    const response = await post(visitor(), headers);
    expectError(response, 422, ['Idempotency-Key']);
    expectReadable(response);
  });
});

test.for([
  foreign,
  `${siteOrigin}/`,
  `${siteOrigin}.example.net`,
  `https://evil-${new URL(siteOrigin).host}`,
  `${new URL(siteOrigin).protocol}//${new URL(siteOrigin).hostname}:8443`,
  siteOrigin.toUpperCase(),
  `${siteOrigin}, ${siteOrigin}`,
  'example.net',
  'Null',
  '',
])('refuses the Origin "%s" with 403, and stores nothing', async (origin) => {
  const before = await create();
  const fields = visitor();
  const response = await post(fields, { Origin: origin });
  expectError(response, 403);
  expect([null, siteOrigin]).toContain(response.headers.get('access-control-allow-origin'));
  expect(names(response.headers.get('vary'))).toContain('origin');
  const after = await create();
  const list = await listOnceItHolds(before, [before, after]);
  expect(list.filter(({ email }) => email === fields.email)).toEqual([]);
});

test('refuses two Origin headers with 403, in either order', async () => {
  const body = JSON.stringify(visitor());
  const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  for (const origins of [
    [siteOrigin, foreign],
    [foreign, siteOrigin],
  ]) {
    const head = requestHead('POST', contactPath, ...type, ...origins.map((origin) => `Origin: ${origin}`));
    expectError(await sendRaw(head + body), 403);
  }
});

test('stores the site of the page, and keeps the first site for the same key', async () => {
  const fields = visitor({ site: foreign });
  const key = { 'Idempotency-Key': randomUUID() };
  const stored = storedIn(await post(fields, { ...fromSite, ...key }));
  expect(stored.site).toBe(siteOrigin);
  expect((await fetchContact(stored.id)).body).toEqual(stored);
  const replay = await post(fields, key);
  expect([replay.headers.get('idempotent-replayed'), storedIn(replay)]).toEqual(['true', stored]);
  expect(storedIn(await post(fields)).site).toBeUndefined();
});

test('accepts submissions without an Origin', async () => {
  const response = await post(visitor());
  storedIn(response);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(names(response.headers.get('vary'))).toContain('origin');
});

test('accepts submissions of a page that hides its origin, which reads successes and errors', async () => {
  const hidden = { Origin: 'null' };
  const response = await post(visitor(), hidden);
  storedIn(response);
  expectReadable(response, 'null');
  expectReadable(await post({}, hidden), 'null');
});

const preflight = (origin: string, query = '') =>
  send(contactPath + query, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,idempotency-key,traceparent',
    },
  });

test.for([siteOrigin, 'null'])('a preflight allows %s to POST, with any headers', async (origin, context) => {
  requires(context, 'preflight');
  const response = await preflight(origin);
  expect(response.status).toBe(204);
  expectReadable(response, origin);
  expect(names(response.headers.get('access-control-allow-methods'))).toEqual(['post']);
  const allowedHeaders = names(response.headers.get('access-control-allow-headers'));
  expect(allowedHeaders).toEqual(['content-type', 'idempotency-key', 'traceparent']);
});

test('a preflight allows a foreign origin nothing', async (context) => {
  requires(context, 'preflight');
  const { headers } = await preflight(foreign);
  expect(['*', foreign]).not.toContain(headers.get('access-control-allow-origin'));
});

test('a preflight allows a site, even if a query parameter is named like the header', async (context) => {
  requires(context, 'preflight');
  expectReadable(await preflight(siteOrigin, '?origin=newsletter&Origin=newsletter'));
});

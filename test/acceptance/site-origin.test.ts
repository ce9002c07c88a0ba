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
  sendAsStaff,
  storedIn,
  visitor,
} from './client.ts';
import { expectError } from './expect-error.ts';
import type { Answer } from './http.ts';
import { requestHead, sendRaw } from './raw-http.ts';
import { requires, target } from './target.ts';

const { siteOrigin } = target;
const fromSite = { Origin: siteOrigin };
const foreign = 'https://foreign.example.net';

const names = (header: string | null) => (header ?? '').toLowerCase().split(/\s*,\s*/);

/** Expects that a browser gives the answer to a page of the site origin, and that caches keep origins apart. */
const expectReadable = ({ headers }: Answer) => {
  expect(headers.get('access-control-allow-origin')).toBe(siteOrigin);
  expect(names(headers.get('vary'))).toContain('origin');
};

/** The same of the gateway's own errors, which cannot choose among several site origins. */
const expectReadableOfGateway = ({ headers }: Answer) =>
  expect([siteOrigin, '*']).toContain(headers.get('access-control-allow-origin'));

/** Expects that a browser keeps the answer from a page of the foreign origin. */
const expectUnreadable = ({ headers }: Answer) => {
  const allowed = headers.get('access-control-allow-origin');
  expect(allowed).not.toBe('*');
  expect(allowed).not.toBe(foreign);
};

describe('a page of a site origin', () => {
  test('reads the success and a mistake in a field, with Location, Idempotent-Replayed and Retry-After', async () => {
    const [success, mistake] = [await post(visitor(), fromSite), await post({}, fromSite)];
    storedIn(success);
    expectError(mistake, 400, ['email', 'message']);
    for (const answer of [success, mistake]) {
      expectReadable(answer);
      expect(names(answer.headers.get('access-control-expose-headers'))).toEqual(
        expect.arrayContaining(['location', 'idempotent-replayed', 'retry-after']),
      );
    }
  });

  test('reads a malformed body', async () => {
    const answer = await postBody('{', { 'Content-Type': 'application/json', ...fromSite });
    expectError(answer, 400, ['body']);
    expectReadable(answer);
  });

  test('reads that its body is too large', async () => {
    const answer = await postForm({ message: 'x'.repeat(64 * 1024) }, fromSite);
    expectError(answer, 413);
    expectReadable(answer);
  });

  test('reads that its type is not taken', async () => {
    const answer = await postBody('Hi', fromSite);
    expectError(answer, 415);
    expectReadable(answer);
  });

  test('reads that its key was used with other content', async () => {
    const headers = { 'Idempotency-Key': randomUUID(), ...fromSite };
    storedIn(await post(visitor(), headers));
    const answer = await post(visitor(), headers);
    expectError(answer, 422, ['Idempotency-Key']);
    expectReadable(answer);
  });

  test('reads that there is no such endpoint', async (context) => {
    requires(context, 'gateway-responses');
    const answer = await send('/api/v1/contacts', { method: 'POST', headers: fromSite });
    expectError(answer, 404);
    expectReadableOfGateway(answer);
  });

  test('reads a page that a plain form gets', async () => {
    const answer = await postForm({}, { Accept: 'text/html', ...fromSite });
    expect(answer.status).toBe(400);
    expectReadable(answer);
  });
});

test.for([
  foreign,
  `${siteOrigin}/`,
  `${siteOrigin}.example.net`,
  `https://evil-${new URL(siteOrigin).host}`,
  `ftp://${new URL(siteOrigin).host}`,
  `${new URL(siteOrigin).protocol}//${new URL(siteOrigin).hostname}:8443`,
  siteOrigin.toUpperCase(),
  `${siteOrigin}, ${siteOrigin}`,
  'example.net',
  'Null',
  '',
])('the Origin "%s" is refused with 403, and nothing is stored', async (origin) => {
  const before = await create();
  const fields = visitor();
  const answer = await post(fields, { Origin: origin });
  expectError(answer, 403);
  expect([null, siteOrigin]).toContain(answer.headers.get('access-control-allow-origin'));
  expect(names(answer.headers.get('vary'))).toContain('origin');
  const after = await create();
  const list = await listOnceItHolds(before, [before, after]);
  expect(list.filter(({ email }) => email === fields.email)).toEqual([]);
});

test('two Origin headers are refused with 403, whichever comes last', async () => {
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

test('the site of the page that posted is stored, is that of the first post with a key, and no field sets it', async () => {
  const [fields, key] = [visitor({ site: foreign }), { 'Idempotency-Key': randomUUID() }];
  const stored = storedIn(await post(fields, { ...fromSite, ...key }));
  expect(stored.site).toBe(siteOrigin);
  expect((await fetchContact(stored.id)).body).toEqual(stored);
  const replay = await post(fields, key);
  expect([replay.headers.get('idempotent-replayed'), storedIn(replay)]).toEqual(['true', stored]);
  expect(storedIn(await post(fields)).site).toBeUndefined();
});

test('the Origin null counts as not sent: the answer is for no page to read', async () => {
  for (const headers of [{ Origin: 'null' }, {}]) {
    const answer = await post(visitor(), headers);
    storedIn(answer);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(names(answer.headers.get('vary'))).toContain('origin');
  }
});

test("a page of a foreign origin cannot read the gateway's own errors", async (context) => {
  requires(context, 'foreign-origin-errors');
  expectUnreadable(await send('/api/v1/contacts', { method: 'POST', headers: { Origin: foreign } }));
});

const preflight = (origin: string) =>
  send(contactPath, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,idempotency-key',
    },
  });

test('a preflight of a site origin allows POST with Content-Type and Idempotency-Key', async (context) => {
  requires(context, 'preflight');
  const answer = await preflight(siteOrigin);
  expect(answer.status).toBe(204);
  expectReadable(answer);
  expect(names(answer.headers.get('access-control-allow-methods'))).toContain('post');
  expect(names(answer.headers.get('access-control-allow-headers'))).toEqual(
    expect.arrayContaining(['content-type', 'idempotency-key']),
  );
});

test('a preflight never allows the staff token, nor other methods', async (context) => {
  requires(context, 'preflight');
  const { headers } = await preflight(siteOrigin);
  expect(names(headers.get('access-control-allow-headers'))).not.toContain('authentication');
  expect(names(headers.get('access-control-allow-methods'))).toEqual(['post']);
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});

test('a preflight of a foreign origin allows it nothing', async (context) => {
  requires(context, 'preflight');
  expectUnreadable(await preflight(foreign));
});

test('the staff endpoints let no page read them', async () => {
  const { id } = await create();
  const headers = fromSite;
  for (const answer of [
    await sendAsStaff(`${contactPath}?limit=1`, { headers }),
    await sendAsStaff(`${contactPath}?limit=none`, { headers }),
    await sendAsStaff(`${contactPath}/${id}`, { headers }),
    await sendAsStaff(`${contactPath}/${id}`, { method: 'DELETE', headers }),
    await sendAsStaff('/v1/campaigns', { headers }),
    await sendAsStaff(`/v1/campaigns/${id}`, { headers }),
    await send(contactPath, { headers }),
    await send('/v1/campaigns', { headers }),
  ]) {
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  }
  expect((await fetchContact(id)).status).toBe(404);
});

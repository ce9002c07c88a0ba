// After a failure, fast-check prints seed and path: FUZZ_SEED and FUZZ_PATH repeat it.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { campaignsPath, contactPath, fetchContact, send } from '../acceptance/client.ts';
import type { ApiResponse } from '../acceptance/http.ts';
import { target } from '../acceptance/target.ts';

const { FUZZ_SEED: seed, FUZZ_PATH: path } = process.env;

/** Milliseconds for new requests. */
const duration = 60_000;

/** Part of every text that is sent: no log line may hold it. */
const marker = 'zq7mark';

const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...' \t\r\n\u00a0\u3000\ufeff=%&+;"\\é\u0301\u202e😀') }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\ud83d', '\u0007', '\0', `a${'\u0301\u0316'.repeat(3000)}`) },
  { weight: 1, arbitrary: fc.constantFrom(100, 200, 2000, 5000, 70_000).map((length) => 'é'.repeat(length)) },
);

const marked = anyText.map((text) => marker + text);

const email = fc.oneof(fc.emailAddress(), marked).map((address) => marker + address);

/** In ASCII: what the service makes of other digits and dashes is no matter of chance. */
const phone = fc.string({ unit: fc.constantFrom(...'0123456789+()-./ x#'), maxLength: 33 });

const textFor = (name: string) => (name === 'email' ? email : name === 'phone' ? phone : fc.oneof(marked, anyText));

/** Fields that `kept` understands: the trap and the idempotency key are sent apart. */
const field = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...fieldNames) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('topic', 'campaign', 'id', 'createdAt', 'site', 'extra', '__proto__', 'constructor'),
    },
    { weight: 1, arbitrary: marked },
  )
  .chain((name) => fc.tuple(fc.constant(name), textFor(name)));

type Fields = readonly (readonly [name: string, text: string])[];

const required: Fields = [
  ['email', `${marker}@example.com`],
  ['message', `${marker} Hello`],
];

/** Half of all bodies have the required fields, so that many are accepted. Each name occurs once. */
const fields: fc.Arbitrary<Fields> = fc
  .tuple(fc.array(field, { maxLength: 6 }), fc.boolean())
  .map(([any, isComplete]) => [...new Map(isComplete ? [...any, ...required] : any)]);

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: RequestInit['body'];
  /** The fields of a well-formed body. */
  readonly fields?: Fields;
}

const someHeaders = (values: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Headers> =>
  fc
    .record(values, { requiredKeys: [] })
    .map((some) =>
      Object.fromEntries(Object.entries(some).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    );

const headerText = fc.string({ unit: fc.constantFrom(...'aZ09 !~,;="/*.-_\t\u00e9'), maxLength: 40 });

const accept = fc.oneof(
  fc.constantFrom('text/html', 'application/json', 'text/csv', '*/*', 'text/html;q=0.1, */*'),
  headerText,
);

const origin = fc.constantFrom(target.siteOrigin, 'null', 'https://foreign.example.net', '', 'https://a b');

const visitorHeaders = someHeaders({ Origin: origin, Accept: accept, 'Accept-Language': headerText });

const multipart = (pairs: Fields) => {
  const data = new FormData();
  for (const [name, value] of pairs) data.append(name, value);
  return data;
};

const encoders: readonly ((pairs: Fields) => Pick<Sent, 'headers' | 'body'>)[] = [
  (pairs) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(Object.fromEntries(pairs)) }),
  (pairs) => ({
    headers: {},
    body: new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])),
  }),
  (pairs) => ({ headers: {}, body: multipart(pairs) }),
];

const post = fc
  .record({
    pairs: fields,
    encode: fc.constantFrom(...encoders),
    headers: visitorHeaders,
    extra: someHeaders({ _gotcha: anyText, 'idempotency-key': fc.oneof(fc.uuid(), headerText) }),
    key: fc.option(fc.oneof(fc.constantFrom('one', 'other'), headerText), { nil: undefined }),
  })
  .map(({ pairs, encode, headers, extra, key: ofHeader }): Sent => {
    const encoded = encode([...pairs, ...Object.entries(extra)]);
    const keyHeader = ofHeader === undefined ? {} : { 'Idempotency-Key': ofHeader };
    return {
      method: 'POST',
      path: contactPath,
      fields: pairs,
      body: encoded.body,
      headers: { ...headers, ...encoded.headers, ...keyHeader },
    };
  });

/** A body that is seldom what its type says. */
const malformedPost = fc
  .record({
    headers: visitorHeaders,
    type: fc.oneof(
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'),
      headerText,
    ),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((json) => Buffer.from(json)),
      fc
        .string({
          unit: fc.constantFrom('--b', '\r\n', '--', 'Content-Disposition: form-data; name="email"', ':', 'x'),
        })
        .map((text) => Buffer.from(text)),
      fc.json({ stringUnit: 'binary' }).map((json) => Buffer.from(`{"email":${json},"message":[${json}]}`)),
    ),
  })
  .map(({ headers, type, body }): Sent => {
    return { method: 'POST', path: contactPath, headers: { ...headers, 'Content-Type': type }, body };
  });

const limitedTokens = Object.values(target.limitedTokens);

const authentication = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(target.staffToken, `Bearer ${target.staffToken}`) },
  { weight: 1, arbitrary: fc.constantFrom(...limitedTokens) },
  { weight: 1, arbitrary: headerText },
);

const staffHeaders = fc
  .tuple(someHeaders({ Origin: origin, Accept: accept }), authentication)
  .map(([headers, token]) => ({ Authentication: token, ...headers }));

const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2026-01-01T00:00:60+01:00', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z'),
  marked,
);

const parameter = fc.oneof(
  fc.tuple(fc.constant('limit'), fc.oneof(fc.integer({ min: -1, max: 1001 }).map(String), marked)),
  fc.tuple(fc.constantFrom('since', 'until'), time),
  fc.tuple(fc.constant('order'), fc.constantFrom('asc', 'desc', 'up')),
  fc.tuple(fc.constant('spam'), fc.constantFrom('true', 'false', 'yes')),
  fc.tuple(fc.constant('cursor'), fc.oneof(fc.base64String(), marked)),
  fc.tuple(fc.oneof(marked, fc.constantFrom('__proto__', 'constructor')), marked),
);

const list = fc
  .record({
    base: fc.constantFrom(contactPath, campaignsPath),
    query: fc.array(parameter, { maxLength: 4 }),
    headers: staffHeaders,
  })
  .map(({ base, query, headers }): Sent => ({ method: 'GET', path: `${base}?${new URLSearchParams(query)}`, headers }));

const segment = fc.oneof(
  fc.uuid(),
  marked.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 200))),
  fc.constantFrom('%00', '%2F', '%ff', '%', '..%2F', '__proto__'),
);

const one = fc
  .record({
    method: fc.constantFrom('GET', 'DELETE'),
    base: fc.constantFrom(contactPath, campaignsPath),
    id: segment,
    headers: staffHeaders,
  })
  .map(({ method, base, id, headers }): Sent => ({ method, path: `${base}/${id}`, headers }));

const change = fc
  .record({
    id: segment,
    headers: staffHeaders,
    body: fc.oneof(
      fc.json(),
      marked,
      fc
        .dictionary(fc.oneof(fc.constantFrom('spam', 'answered'), marked), fc.oneof(fc.boolean(), marked))
        .map((object) => JSON.stringify(object)),
    ),
  })
  .map(({ id, ...rest }): Sent => ({ method: 'PATCH', path: `${contactPath}/${id}`, ...rest }));

const elsewhere = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
    path: fc.oneof(
      fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
      fc.constantFrom(contactPath, `${contactPath}/`, campaignsPath, '/api', '/v1'),
    ),
    headers: staffHeaders,
  })
  .map(({ headers, ...rest }): Sent => ({ ...rest, headers }));

const request = fc.oneof(
  { weight: 6, arbitrary: post },
  { weight: 2, arbitrary: malformedPost },
  { weight: 2, arbitrary: list },
  { weight: 1, arbitrary: one },
  { weight: 1, arbitrary: change },
  { weight: 1, arbitrary: elsewhere },
);

const windows1252 = (character: string) =>
  new TextDecoder('windows-1252').decode(Uint8Array.of(character.charCodeAt(0)));

/**
 * A text as it is stored in one line: trimmed, in NFC, with blanks for line breaks and tabs, without other control characters, and
 * with U+FFFD for half a character.
 */
const kept = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\u0080-\u009f]/g, windows1252)
    .replaceAll(/\r\n?|[\n\t\v\f]/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');

/** Expects that staff read what was sent, wherever the service found that it belongs. */
const expectReadable = async (sent: Fields, response: ApiResponse) => {
  const id = response.headers.get('location')?.split('/').at(-1) ?? '';
  const { status, text } = await fetchContact(id);
  expect(status).toBe(200);
  const { id: _, createdAt: __, site: ___, spamReason: ____, extra = {}, ...stored } = JSON.parse(text);
  const values = [...Object.values(stored), ...Object.values(extra)].map(String);
  const expected = sent.map(([, value]) => kept(value)).filter((value) => value !== '');
  expect(values.map(kept).toSorted()).toEqual(expected.toSorted());
};

test('any request gets a documented response, and each accepted contact request is returned as sent', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
      // Each run has its own keys, and shrinking makes new runs.
      const run = randomUUID();
      const accepted: (readonly [Fields, ApiResponse])[] = [];
      for (const { method, path: sentPath, headers, body, fields: sent } of requests) {
        const { 'Idempotency-Key': chosen, ...others } = headers;
        const keyHeader = chosen === 'one' || chosen === 'other' ? `${run}-${chosen}` : chosen;
        const init = {
          method,
          body: body ?? null,
          headers: { ...others, ...(keyHeader !== undefined && { 'Idempotency-Key': keyHeader }) },
        };
        // Expects that openapi.yaml documents the response.
        const response = await send(sentPath, init);
        expect(response.status).toBeLessThan(500);
        // A page has no id.
        const hasId = response.status === 201 && response.headers.has('location');
        if (sent && hasId) accepted.push([sent, response]);
      }
      for (const [sent, response] of accepted) await expectReadable(sent, response);
      const log = write.mock.calls.join('');
      write.mockClear();
      for (const secret of [marker, target.staffToken, ...limitedTokens]) expect(log).not.toContain(secret);
    }),
    {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: duration,
      ...(seed !== undefined && { seed: Number(seed) }),
      ...(path !== undefined && { path }),
    },
  );
});

import fc from 'fast-check';
import { email, marker, message, phone, textOf } from './texts.ts';

/** Whose token a request carries, if any. */
export type Caller = (typeof callers)[number];
const callers = [
  ...['staff', 'bearer', 'contacts:read', 'contacts:delete', 'campaigns:read'],
  ...['nobody', 'unknown', 'malformed', 'basic'],
] as const;

export type Origin = (typeof origins)[number];
const origins = ['none', 'null', 'site', 'foreign'] as const;

/** A visitor's post. */
export interface Create {
  readonly kind: 'create';
  readonly type: 'json' | 'urlencoded' | 'multipart' | 'other' | 'none';
  /** Behind the media type, or in its place for `other`. */
  readonly typeDetail: string;
  /** Names and values: as JSON texts for `json`, else as texts. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** What is wrong with the body as a whole. */
  readonly flaw: 'none' | 'cut' | 'no-object' | 'bad-utf8' | 'bad-percent' | 'file' | 'no-boundary';
  /** The body is filled up to so many bytes, by a field of blanks. */
  readonly size: number;
  readonly origin: Origin;
  readonly accept: string;
  /** `''`: none. A valid key gets something before it that no other scenario's has. */
  readonly key: string;
  readonly keyIn: 'header' | 'field';
  /** Sent twice, at the same moment. */
  readonly twice: boolean;
}

/** A time, as the model knows it and as it is written. */
export interface Time {
  /** The nth last contact request's, or none's when there are fewer. */
  readonly ofContact: number;
  readonly plusMilliseconds: number;
  readonly offsetMinutes: number;
}

/** Each is a list of its own to a cursor. */
export type ListName = (typeof listNames)[number];
const listNames = ['contacts', 'contacts asc', 'spam', 'spam asc', 'campaigns'] as const;

/** A value of a query parameter: as it is; a time; or a cursor that a list has given, with `spoil` behind it. */
export type QueryValue =
  | { readonly text: string }
  | { readonly time: Time }
  | { readonly cursorOf: ListName; readonly spoil: string };

/** What who asks has already. */
export type Known = (typeof knownThings)[number];
const knownThings = ['nothing', 'tag', 'weak', 'among', 'any', 'other', 'bare', 'malformed', 'mixed'] as const;

export interface List {
  readonly kind: 'list';
  readonly of: 'contacts' | 'campaigns';
  readonly caller: Caller;
  readonly origin: Origin;
  readonly query: readonly (readonly [name: string, value: QueryValue])[];
  readonly csv: boolean;
  readonly known: Known;
  /** How many pages further to go. */
  readonly further: number;
}

/** A request for one thing by its id. */
export interface One {
  readonly kind: 'one';
  readonly of: 'contacts' | 'campaigns';
  readonly method: 'GET' | 'DELETE';
  readonly caller: Caller;
  readonly origin: Origin;
  /** The nth last that there is, or was; or a path segment as it is. */
  readonly id: { readonly there: number } | { readonly deleted: number } | { readonly segment: string };
  readonly upperCase: boolean;
  readonly known: Known;
}

/** A request for what is no endpoint. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly origin: Origin;
  readonly body: string;
}

export interface Preflight {
  readonly kind: 'preflight';
  readonly origin: Origin;
}

/** Bytes that need not be HTTP, in Latin-1. `%TOKEN%` and `%HOST%` are replaced. */
export interface Raw {
  readonly kind: 'raw';
  readonly bytes: string;
}

export type Step = Create | List | One | Elsewhere | Preflight | Raw;

const caller = fc.oneof({ weight: 5, arbitrary: fc.constant('staff' as const) }, fc.constantFrom(...callers));
const origin = fc.oneof({ weight: 6, arbitrary: fc.constant('none' as const) }, fc.constantFrom(...origins));

const known = fc.constantFrom(...knownThings);

const lines = { company: 200, firstName: 100, lastName: 100 };

const knownField = fc.oneof(
  fc.tuple(fc.constant('email'), email),
  fc.tuple(fc.constant('phone'), phone),
  fc.tuple(fc.constant('message'), message),
  ...Object.entries(lines).map(([name, limit]) => fc.tuple(fc.constant(name), textOf(limit))),
);

const unknownName = fc.oneof(
  fc.constantFrom(
    'Email',
    'message ',
    '',
    '__proto__',
    'constructor',
    'toString',
    'id',
    'createdAt',
    'spam',
    'expiresAt',
    ...['site', 'extra', 'releasedAt', 'listPartition', 'x'.repeat(64), 'x'.repeat(65), '💩', 'a\nb', '%22', '1'],
  ),
  fc.string({ maxLength: 12 }).map((name) => marker + name),
);
const furtherField = fc.tuple(unknownName, fc.oneof({ weight: 4, arbitrary: textOf(100) }, textOf(2000)));

/** More fields than one sees on a form, or so many as are too much; or some values that are too much together. */
const manyFields = fc.oneof(
  fc
    .tuple(fc.integer({ min: 48, max: 52 }), fc.constantFrom('x', '', ' '))
    .map(([count, last]) =>
      Array.from({ length: count }, (_, at): [string, string] => [`further-${at}`, at === 0 ? last : 'x']),
    ),
  fc
    .integer({ min: -2, max: 2 })
    // 8 names of 7 bytes and 2,000 characters of a byte; one name of 4 bytes.
    .map((more) => [
      ...Array.from({ length: 8 }, (_, at): [string, string] => [`large-${at}`, 'x'.repeat(2000)]),
      ['rest', 'x'.repeat(16 * 1024 - 8 * 2007 - 4 + more)] as [string, string],
    ]),
  fc
    .integer({ min: 1, max: 200 })
    .map((count) => Array.from({ length: count }, (): [string, string] => ['topic', 'a'])),
);
const honeypot = fc.tuple(
  fc.constant('_gotcha'),
  fc.oneof(fc.constantFrom('', ' ', 'https://spam.example.net'), textOf(50)),
);

/** Mostly what is complete, so that much gets stored. */
const textFields = fc
  .tuple(
    fc.array(knownField, { maxLength: 2 }),
    fc.option(fc.tuple(email, message), { freq: 6 }),
    fc.array(fc.oneof({ weight: 2, arbitrary: furtherField }, honeypot), { maxLength: 2 }),
    fc.nat({ max: 4 }),
    fc.oneof({ weight: 12, arbitrary: fc.constant<[string, string][]>([]) }, manyFields),
  )
  .map(([some, complete, others, mayRepeat, many]) => {
    const pairs: [string, string][] = [...some, ...others];
    if (complete) pairs.unshift(['email', complete[0]], ['message', complete[1]]);
    if (mayRepeat !== 4) return [...new Map([...pairs, ...(many.length > 100 ? [] : many)])];
    return [...pairs, ...many];
  });

/** JSON that is no text, and may be deep. */
const noText = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '0',
    '-1.5e300',
    '[]',
    '{}',
    '[""]',
    '[[null]]',
    '["a","b"]',
    `{"${marker}":1}`,
  ),
  fc.integer({ min: 1, max: 30_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1, max: 5_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
);

const jsonFields = fc
  .tuple(
    textFields,
    fc.array(fc.tuple(fc.oneof(fc.constantFrom('_gotcha', 'company', 'email', 'message'), unknownName), noText), {
      maxLength: 1,
    }),
    fc.boolean(),
  )
  .map(([texts, others, some]) => [
    ...texts.map(([name, text]): [string, string] => [name, JSON.stringify(text)]),
    ...(some ? others : []),
  ]);

const size = fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, fc.constantFrom(65_535, 65_536, 65_537, 100_000));

const accept = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc.constantFrom(
    '*/*',
    'application/json',
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  ),
);

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', '~'.repeat(200)) },
  { weight: 1, arbitrary: fc.constantFrom('a b', 'é', '\t', 'x'.repeat(256), `${marker} ${marker}`) },
);

const keyIn = fc.constantFrom('header' as const, 'header' as const, 'field' as const);

const others = {
  size,
  origin,
  accept,
  key,
  keyIn,
  twice: fc.integer({ max: 9, min: 0 }).map((number) => number === 9),
};
const kind = fc.constant('create' as const);
const flawOf = <const Flaw extends Create['flaw']>(...flaws: Flaw[]): fc.Arbitrary<Create['flaw']> =>
  fc.oneof({ weight: 24, arbitrary: fc.constant('none' as const) }, fc.constantFrom(...flaws));
const utf8 = fc.constantFrom('', '', '; charset=utf-8', ';charset="UTF-8"');

const post: fc.Arbitrary<Create> = fc.oneof(
  fc.record({
    ...{ kind, type: fc.constant('json' as const), typeDetail: utf8, fields: jsonFields, ...others },
    flaw: flawOf('cut', 'no-object', 'bad-utf8'),
  }),
  fc.record({
    ...{ kind, type: fc.constant('urlencoded' as const), typeDetail: utf8, fields: textFields, ...others },
    flaw: flawOf('bad-utf8', 'bad-percent'),
  }),
  fc.record({
    ...{ kind, type: fc.constant('multipart' as const), typeDetail: fc.constant(''), fields: textFields, ...others },
    flaw: flawOf('cut', 'bad-utf8', 'file', 'no-boundary'),
  }),
);

const untyped: fc.Arbitrary<Create> = fc.record({
  ...{ kind, type: fc.constantFrom('other' as const, 'none' as const), fields: textFields, ...others },
  typeDetail: fc.constantFrom('text/plain', 'application/xml', 'application/jsonx', 'json', '*/*', 'nonsense/', marker),
  flaw: fc.constant('none' as const),
});

const time = fc.record({
  ofContact: fc.nat({ max: 20 }),
  plusMilliseconds: fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -1e10, max: 1e10 })),
  offsetMinutes: fc.constantFrom(0, 0, 60, -330, 845),
});

const text = (values: fc.Arbitrary<string>) => values.map((value): QueryValue => ({ text: value }));

const cursor: fc.Arbitrary<QueryValue> = fc.oneof(
  fc.record({
    cursorOf: fc.constantFrom(...listNames),
    spoil: fc.constantFrom('', '', '', 'A', '=', '%', ' '),
  }),
  text(fc.oneof(fc.constantFrom('', 'rM5d6KNG', 'AAAAAAAAAAAA', marker), fc.base64String({ maxLength: 40 }))),
);

const moment: fc.Arbitrary<QueryValue> = fc.oneof(
  { weight: 3, arbitrary: time.map((value): QueryValue => ({ time: value })) },
  text(fc.constantFrom('', 'yesterday', '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', marker, '0')),
);

const limit = (max: number) =>
  text(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }).map(String) },
      fc.constantFrom('0', '-1', '1.5', '1e1', '', ' 1', marker, String(max), String(max + 1), '9'.repeat(400)),
    ),
  );

const query = (max: number, ...more: (readonly [string, fc.Arbitrary<QueryValue>])[]) =>
  fc.array(
    fc.oneof(
      ...([['limit', limit(max)], ['cursor', cursor], ...more] as const).map(([name, value]) =>
        fc.tuple(fc.constant(name), value),
      ),
      fc.tuple(fc.constantFrom('nonsense', 'Limit', '__proto__', `${marker}é`, ''), text(fc.constantFrom('1', ''))),
    ),
    { maxLength: 3 },
  );

const list: fc.Arbitrary<List> = fc
  .constantFrom('contacts' as const, 'contacts' as const, 'campaigns' as const)
  .chain((of) =>
    fc.record({
      kind: fc.constant('list' as const),
      of: fc.constant(of),
      caller,
      origin,
      query:
        of === 'contacts'
          ? query(
              200,
              ['since', moment],
              ['until', moment],
              ['spam', text(fc.constantFrom('true', 'true', 'false', 'TRUE', '', '1'))],
              ['order', text(fc.constantFrom('asc', 'asc', 'asc', 'desc', 'ASC', '', 'newest'))],
            )
          : query(1000),
      csv: of === 'contacts' ? fc.boolean() : fc.constant(false),
      known,
      further: fc.nat({ max: 3 }),
    }),
  );

const nth = fc.nat({ max: 3 });

const one: fc.Arbitrary<One> = fc.record({
  kind: fc.constant('one' as const),
  of: fc.constantFrom('contacts' as const, 'contacts' as const, 'campaigns' as const),
  method: fc.constantFrom('GET' as const, 'GET' as const, 'GET' as const, 'DELETE' as const),
  caller,
  origin,
  id: fc.oneof(
    { weight: 4, arbitrary: fc.record({ there: nth }) },
    fc.record({ deleted: nth }),
    fc.record({
      segment: fc.oneof(
        fc.uuid(),
        fc.constantFrom('0', 'null', '%20', '%2F', '..%2F..', '%00', '__proto__', '%C3%A9', marker, 'x'.repeat(2000)),
        fc.string({ minLength: 1, maxLength: 40 }).map((segment) => encodeURIComponent(`x${segment}`)),
      ),
    }),
  ),
  upperCase: fc.boolean(),
  known,
});

const elsewhere: fc.Arbitrary<Elsewhere> = fc.record({
  kind: fc.constant('elsewhere' as const),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  path: fc.oneof(
    // Below, beside and above what there is; the endpoints' own paths, with another method.
    fc.constantFrom(
      '/',
      '/api',
      '/api/v1',
      '/v1',
      '/v2/campaigns',
      '/api/v1/contacts',
      '/API/v1/contact',
      '/v1/contact',
    ),
    fc.constantFrom(
      '/api/v1/contact',
      '/v1/campaigns',
      '/api/v1/campaigns',
      '/favicon.ico',
      '/.env',
      '/api/v1/contact.json',
    ),
    fc.uuid().map((id) => `/v1/campaigns/${id}/contacts`),
    fc.uuid().map((id) => `/api/v1/contact/${id}/x`),
    fc.string({ minLength: 1, maxLength: 20 }).map((path) => `/x${encodeURIComponent(path)}`),
  ),
  caller,
  origin,
  body: fc.constantFrom('', '{}', marker),
});

const heads = [
  'GET /v1/campaigns HTTP/1.1\r\nHost: %HOST%\r\nAuthentication: %TOKEN%\r\nConnection: close\r\n\r\n',
  'POST /api/v1/contact HTTP/1.1\r\nHost: %HOST%\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'POST /api/v1/contact HTTP/1.1\r\nHost: %HOST%\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
] as const;

/** A request with some bytes taken out and others put in. */
const raw: fc.Arbitrary<Raw> = fc
  .record({
    head: fc.constantFrom(...heads),
    at: fc.nat({ max: 200 }),
    taken: fc.nat({ max: 6 }),
    put: fc.oneof(
      fc.constantFrom('\0', '\r', '\n', '\r\n', ' ', ':', '%', '\xff', 'x'.repeat(9_000), 'Content-Length: 1\r\n'),
      fc.string({ maxLength: 6 }),
    ),
  })
  .map(({ head, at, taken, put }) => ({
    kind: 'raw',
    bytes: head.slice(0, at) + put + head.slice(at + taken),
  }));

/** A few requests, one after another: what one leaves behind, the next may meet. */
export const scenario: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: post },
    { weight: 1, arbitrary: untyped },
    { weight: 5, arbitrary: list },
    { weight: 6, arbitrary: one },
    { weight: 2, arbitrary: elsewhere },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('preflight' as const), origin }) },
    { weight: 1, arbitrary: raw },
  ),
  { minLength: 1, maxLength: 6 },
);

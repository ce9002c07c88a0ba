import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type ContactsService, idIn, idsIn, minimal, siteOrigin, startContacts } from '../../support/contacts.ts';
import { allPagesOf, nextUrl } from '../../support/paging.ts';

/** Contact requests that arrived at these times, in this order; a service whose clock may be set. */
const startAt = async (...times: string[]) => {
  let now = new Date(0);
  const contacts = await startContacts(() => now);
  const ids: string[] = [];
  for (const time of times) {
    now = new Date(time);
    ids.push(idIn(await contacts.post(minimal)));
  }
  return { contacts, ids };
};

const startWith = async (count: number) => {
  const { contacts, ids } = await startAt(
    ...Array.from({ length: count }, (_, at) => new Date(Date.UTC(2026, 2, 1) + at).toISOString()),
  );
  return { contacts, newestFirst: ids.toReversed() };
};

describe('the list', () => {
  it('is empty when there is nothing', async () => {
    const { contacts } = await startWith(0);
    const answer = await contacts.list();
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('[]');
    expect(answer.headers).toStrictEqual({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    });
  });

  it('shows whole contact requests, newest first', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const contacts = await startContacts(() => now);
    const first = await contacts.post({ ...minimal, company: 'x' });
    now = new Date('2026-03-01T12:00:00.001Z');
    const second = await contacts.post({ phone: '12345', message: 'Hello' });
    expect((await contacts.list()).body).toStrictEqual([second.body, first.body]);
  });

  it('shows what was stored the moment before', async () => {
    const { contacts } = await startWith(3);
    const created = await contacts.post(minimal);
    expect(idsIn(await contacts.list())).toContain(idIn(created));
  });
});

describe('limit', () => {
  it('is 50 unless it is given, and 200 at most', async () => {
    const { contacts, newestFirst } = await startWith(201);
    const page = async (...query: [string, string][]) => idsIn(await contacts.list({ query }));
    expect(await page()).toStrictEqual(newestFirst.slice(0, 50));
    expect(await page(['limit', '1'])).toStrictEqual(newestFirst.slice(0, 1));
    expect(await page(['limit', '200'])).toStrictEqual(newestFirst.slice(0, 200));
  });

  it.each(['0', '201', '-1', '1.5', '1e2', '0x10', '', ' 5', '+5', '５', 'ten', '99999999999999999999', 'NaN'])(
    'is not %j',
    async (limit) => {
      const { contacts } = await startWith(0);
      const answer = await contacts.list({ query: [['limit', limit]] });
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual({
        error: 'Bad Request',
        details: [{ field: 'limit', message: expect.any(String) }],
      });
    },
  );
});

describe('the link to the next page', () => {
  it('is absolute and keeps the other parameters', async () => {
    const { contacts } = await startWith(3);
    const query: [string, string][] = [
      ['since', '2026-03-01T01:00:00+01:00'],
      ['limit', '2'],
      ['spam', 'false'],
    ];
    const first = await contacts.list({ query });
    const url = nextUrl(first);
    expect(`${url?.origin}${url?.pathname}`).toBe('https://api.example.com/test/api/v1/contact');
    expect(Object.fromEntries(url?.searchParams ?? [])).toStrictEqual({
      ...Object.fromEntries(query),
      cursor: expect.any(String),
    });
    const second = await contacts.list({ query: [...(url?.searchParams ?? [])] });
    expect(idsIn(second)).toHaveLength(1);
    expect(second.headers).not.toHaveProperty('Link');
  });

  it('replaces the cursor that led to this page', async () => {
    const { contacts, newestFirst } = await startWith(5);
    const pages = await allPagesOf(contacts.list, [['limit', '2']]);
    expect(pages.map(idsIn)).toStrictEqual([newestFirst.slice(0, 2), newestFirst.slice(2, 4), newestFirst.slice(4)]);
    const [, second] = pages;
    expect(second && nextUrl(second)?.searchParams.getAll('cursor')).toHaveLength(1);
  });

  it('is absent from a last page that is full', async () => {
    const { contacts } = await startWith(4);
    const pages = await allPagesOf(contacts.list, [['limit', '2']]);
    expect(pages.map((page) => idsIn(page).length)).toStrictEqual([2, 2]);
  });

  it('follows the protocol and the host that were asked', async () => {
    const { contacts } = await startWith(2);
    const headers = { Host: '127.0.0.1:3000', 'X-Forwarded-Proto': 'http' };
    const answer = await contacts.list({ headers, query: [['limit', '1']] });
    expect(nextUrl(answer)?.origin).toBe('http://127.0.0.1:3000');
  });
});

describe('a cursor', () => {
  const twoPages = async (): Promise<{ contacts: ContactsService; cursor: string }> => {
    const { contacts } = await startWith(2);
    const first = await contacts.list({ query: [['limit', '1']] });
    return { contacts, cursor: nextUrl(first)?.searchParams.get('cursor') ?? '' };
  };

  it('is refused when it was changed anywhere', async () => {
    const { contacts, cursor } = await twoPages();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. ';
    const change = fc.record({
      at: fc.nat({ max: cursor.length }),
      drop: fc.nat({ max: 3 }),
      put: fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 3 }),
    });
    const changed = change
      .map(({ at, drop, put }) => cursor.slice(0, at) + put + cursor.slice(at + drop))
      .filter((text) => text !== cursor);
    await fc.assert(
      fc.asyncProperty(changed, async (text) => {
        const answer = await contacts.list({ query: [['cursor', text]] });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ details: [{ field: 'cursor' }] });
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['nothing', ''],
    ['a word', 'next'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00]).toString('base64url')],
    ['a sort key', Buffer.from('2026-03-01T00:00:00.000Z#x').toString('base64url')],
    ['JSON', Buffer.from('{"id":"x"}').toString('base64url')],
  ])('is refused when it is %s', async (_, text) => {
    const { contacts } = await startWith(0);
    const answer = await contacts.list({ query: [['cursor', text]] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field: 'cursor' }] });
  });

  it('goes on where it stood, though what it stood at was deleted', async () => {
    const { contacts, newestFirst } = await startWith(3);
    const first = await contacts.list({ query: [['limit', '1']] });
    await contacts.delete({ pathParameters: { id: newestFirst[0] ?? '' } });
    const second = await contacts.list({ query: [...(nextUrl(first)?.searchParams ?? [])] });
    expect(idsIn(second)).toStrictEqual(newestFirst.slice(1, 2));
  });

  it('that lies outside of the times that are asked for leads to those that lie behind it', async () => {
    const { contacts, newestFirst } = await startWith(4);
    const first = await contacts.list({ query: [['limit', '2']] });
    const cursor = nextUrl(first)?.searchParams.get('cursor') ?? '';
    const within = async (name: string, time: string) =>
      idsIn(
        await contacts.list({
          query: [
            ['cursor', cursor],
            [name, time],
          ],
        }),
      );
    expect(await within('until', '2026-03-01T00:00:00.001Z')).toStrictEqual(newestFirst.slice(3));
    expect(await within('since', '2026-03-01T00:00:00.003Z')).toStrictEqual([]);
    expect(await within('since', '2026-03-01T00:00:00.001Z')).toStrictEqual(newestFirst.slice(2, 3));
  });
});

describe('since and until', () => {
  const times = ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z'];
  const [before, at, after] = [0, 1, 2];
  const cases: [query: Record<string, string>, shown: number[]][] = [
    [{ since: '2026-03-01T00:00:00.000Z' }, [after, at]],
    [{ since: '2026-03-01T00:00:00.001Z' }, [after]],
    [{ since: '2026-03-01T00:00:00.0000001Z' }, [after]],
    [{ since: '2026-03-01T00:00:00.002Z' }, []],
    [{ until: '2026-03-01T00:00:00Z' }, [before]],
    [{ until: '2026-03-01T00:00:00.001Z' }, [at, before]],
    [{ until: '2026-03-01T00:00:00.0000001Z' }, [at, before]],
    [{ until: '2026-02-28T23:59:59.999Z' }, []],
    [{ since: '2026-03-01T00:00:00z' }, [after, at]],
    [{ since: '2026-03-01t00:00:00Z' }, [after, at]],
    [{ since: '2026-03-01T02:00:00+02:00' }, [after, at]],
    [{ since: '2026-02-28T18:30:00-05:30' }, [after, at]],
    [{ until: '2026-03-01T01:00:00+01:00' }, [before]],
    [{ since: '2026-02-28T23:59:59.999Z', until: '2026-03-01T00:00:00.001Z' }, [at, before]],
    [{ since: '2026-03-01T00:00:00Z', until: '2026-03-01T00:00:00Z' }, []],
    [{ since: '2026-03-02T00:00:00Z', until: '2026-03-01T00:00:00Z' }, []],
    [{ since: '0000-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' }, [after, at, before]],
  ];
  it.each(cases)('%j', async (query, shown) => {
    const { contacts, ids } = await startAt(...times);
    const answer = await contacts.list({ query: Object.entries(query) });
    expect(idsIn(answer)).toStrictEqual(shown.map((index) => ids[index]));
    expect(answer.headers).not.toHaveProperty('Link');
  });

  it('hold for every page', async () => {
    const { contacts, newestFirst } = await startWith(9);
    const pages = await allPagesOf(contacts.list, [
      ['limit', '2'],
      ['since', '2026-03-01T00:00:00.002Z'],
      ['until', '2026-03-01T00:00:00.007Z'],
    ]);
    expect(pages.map(idsIn)).toStrictEqual([newestFirst.slice(2, 4), newestFirst.slice(4, 6), newestFirst.slice(6, 7)]);
  });

  it.each([
    'yesterday',
    '',
    '2026-03-01',
    '2026-03-01T00:00:00',
    '2026-03-01T00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '1772323200000',
    '2026-03-01T00:00:00 01:00',
  ])('are not %j', async (time) => {
    const { contacts } = await startWith(0);
    for (const name of ['since', 'until']) {
      const answer = await contacts.list({ query: [[name, time]] });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ details: [{ field: name }] });
    }
  });
});

describe('spam', () => {
  it('pages through those that are marked, apart from the others', async () => {
    let time = 0;
    const contacts = await startContacts(() => new Date(time++));
    const marked: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const spam = at % 2 === 0;
      const id = idIn(await contacts.post({ ...minimal, website: spam ? 'x' : '' }));
      if (spam) marked.unshift(id);
    }
    const pages = await allPagesOf(contacts.list, [
      ['spam', 'true'],
      ['limit', '2'],
    ]);
    expect(pages.flatMap(idsIn)).toStrictEqual(marked);
    expect(idsIn(await contacts.list({ query: [['spam', 'false']] }))).toHaveLength(5);
  });

  it.each(['', '1', 'TRUE', 'yes', 'only'])('is not %j', async (spam) => {
    const { contacts } = await startWith(0);
    const answer = await contacts.list({ query: [['spam', spam]] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field: 'spam' }] });
  });
});

describe('a parameter', () => {
  it.each(['page', 'Limit', 'limit ', 'offset', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'is not called %j',
    async (name) => {
      const { contacts } = await startWith(0);
      const answer = await contacts.list({ query: [[name, '1']] });
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual({
        error: 'Bad Request',
        details: [{ field: name, message: expect.any(String) }],
      });
    },
  );

  it.each([
    ['limit', '5'],
    ['since', '2026-03-01T00:00:00Z'],
    ['until', '2026-03-01T00:00:00Z'],
    ['spam', 'true'],
    ['cursor', 'x'],
  ])('comes once: %s', async (name, value) => {
    const { contacts } = await startWith(0);
    const answer = await contacts.list({
      query: [
        [name, value],
        [name, value],
      ],
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field: name }] });
  });

  it('at fault is named with every other', async () => {
    const { contacts } = await startWith(0);
    const answer = await contacts.list({
      query: [
        ['limit', '0'],
        ['spam', 'x'],
        ['page', '2'],
        ['since', 'now'],
      ],
    });
    const { details } = v.parse(v.object({ details: v.array(v.object({ field: v.string() })) }), answer.body);
    expect(details.map(({ field }) => field).toSorted()).toStrictEqual(['limit', 'page', 'since', 'spam']);
  });
});

describe('what has expired', () => {
  const start = async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const contacts = await startContacts(() => now);
    const create = async (at: number, expiresAt?: string) => {
      const result = await contacts.store.create({
        fields: minimal,
        spam: false,
        createdAt: new Date(Date.UTC(2026, 2, 1) + at),
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      });
      return result.outcome === 'conflict' ? '' : result.contact.id;
    };
    return { contacts, create, setNow: (time: string) => (now = new Date(time)) };
  };

  it('is gone at that second from the list, for fetching and for deleting', async () => {
    const { contacts, create, setNow } = await start();
    const id = await create(0, '2026-03-01T13:00:00.000Z');
    setNow('2026-03-01T12:59:59.999Z');
    expect(idsIn(await contacts.list())).toStrictEqual([id]);
    expect((await contacts.get({ pathParameters: { id } })).status).toBe(200);

    setNow('2026-03-01T13:00:00.000Z');
    expect(idsIn(await contacts.list())).toStrictEqual([]);
    expect((await contacts.get({ pathParameters: { id } })).status).toBe(404);
    expect((await contacts.delete({ pathParameters: { id } })).status).toBe(404);
  });

  it('is a contact request whose days of retention are over', async () => {
    let now = new Date('2026-03-01T12:00:00.000Z');
    const contacts = await startContacts(() => now, 30);
    const id = idIn(await contacts.post(minimal));
    now = new Date('2026-03-31T11:59:59.999Z');
    expect(idsIn(await contacts.list())).toStrictEqual([id]);
    now = new Date('2026-03-31T12:00:00.000Z');
    expect(idsIn(await contacts.list())).toStrictEqual([]);
    expect((await contacts.get({ pathParameters: { id } })).status).toBe(404);
  });

  it('can be deleted before', async () => {
    const { contacts, create, setNow } = await start();
    const id = await create(0, '2026-03-01T13:00:00.000Z');
    setNow('2026-03-01T12:59:59.000Z');
    expect((await contacts.delete({ pathParameters: { id } })).status).toBe(204);
  });

  it('counts for no page', async () => {
    const { contacts, create, setNow } = await start();
    const ids: string[] = [];
    for (let at = 0; at < 30; at += 1) {
      const expires = at % 3 !== 0;
      const id = await create(at, expires ? '2026-03-01T13:00:00Z' : undefined);
      if (!expires) ids.unshift(id);
    }
    setNow('2026-03-02T00:00:00Z');
    const pages = await allPagesOf(contacts.list, [['limit', '4']]);
    expect(pages.map(idsIn)).toStrictEqual([ids.slice(0, 4), ids.slice(4, 8), ids.slice(8)]);
  });
});

it('gives no page of a site access, and needs none', async () => {
  const { contacts } = await startWith(0);
  const answer = await contacts.list({ headers: { Origin: siteOrigin } });
  expect(answer.status).toBe(200);
  expect(answer.headers).not.toHaveProperty('Vary');
});

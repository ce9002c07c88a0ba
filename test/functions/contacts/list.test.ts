import { beforeAll, describe, expect, it } from 'vitest';
import { releaseContact } from '../../../functions/contacts/manage-contacts.ts';
import { encodeCursor } from '../../../functions/http/paging.ts';
import { createDocumentClient } from '../../../functions/shared/dynamodb.ts';
import { type ContactsService, idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { countReads } from '../../support/count-reads.ts';
import { pagesOf } from '../../support/paging.ts';
import { client } from '../../support/tables.ts';

/** Each list, by the name in its cursors. */
const lists = [
  ['contacts', 'false', 'desc'],
  ['contacts, oldest first', 'false', 'asc'],
  ['contacts marked as spam', 'true', 'desc'],
  ['contacts marked as spam, oldest first', 'true', 'asc'],
] as const;

it('refuses a forged cursor with a valid checksum, and a cursor of another list or order', async () => {
  const contacts = await startContacts();
  const id = '00000000-0000-4000-8000-000000000000';
  const time = '2026-03-01T12:00:00.000Z';
  const ask = (cursor: string, [, spam, order]: (typeof lists)[number]) =>
    contacts.list({ query: Object.entries({ cursor, spam, order }) });
  for (const list of lists) {
    const [name] = list;
    for (const key of ['', 'x', id, `${time}#`, `${time}#${id}0`, `2026#${id}`, `${'x'.repeat(2000)}#${id}`]) {
      expect(await ask(encodeCursor(name, key), list)).toMatchObject({
        status: 400,
        body: { details: [{ field: 'cursor', message: expect.stringContaining('Link header') }] },
      });
    }
    for (const asked of lists) {
      const { status } = await ask(encodeCursor(name, `${time}#${id}`), asked);
      expect(status).toBe(asked === list ? 200 : 400);
    }
  }
  expect((await contacts.list({ query: [['cursor', encodeCursor('contacts', `${time}#${id}`)]] })).status).toBe(200);
});

it('ends an ascending list at the time of its first page, or at an earlier until', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now);
  const post = async () => idIn(await contacts.post(minimal));
  const one = await post();
  const other = await post();
  const read = async (...query: (readonly [string, string])[]) => {
    const pages = pagesOf(contacts.list, [['order', 'asc'], ['limit', '1'], ...query]);
    const ids: string[] = [];
    for await (const page of pages) {
      now = new Date(now.getTime() + 1);
      await post();
      ids.push(...idsIn(page));
      if (ids.length > 50) throw new Error('The list does not end.');
    }
    return ids;
  };
  // Contact requests of the same millisecond belong to the list.
  expect(new Set(await read())).toStrictEqual(new Set([one, other]));
  expect(await read(['until', '2026-03-01T12:00:00Z'])).toStrictEqual([]);
  expect(await read(['until', '2026-03-01T12:00:00.002Z'])).toHaveLength(3);
  expect((await read(['until', '2999-01-01T00:00:00Z'])).length).toBeGreaterThan(5);
});

it('misses nothing from a minute before the last time on: neither a release nor what the index showed late', async () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds));
  let now = at(0);
  const contacts = await startContacts(() => now);
  const post = async (seconds: number, fields: object = {}) => {
    now = at(seconds);
    return idIn(await contacts.post({ ...minimal, ...fields }));
  };
  const spam = await post(0, { _gotcha: 'x' });
  const one = await post(0);
  const other = await post(10);
  const last = await post(100);
  const read = async (since: Date, afterFirstPage: () => unknown = () => {}) => {
    const ids: string[] = [];
    const query = { order: 'asc', limit: '1', since: since.toISOString() };
    for await (const page of pagesOf(contacts.list, Object.entries(query))) {
      if (ids.length === 0) await afterFirstPage();
      ids.push(...idsIn(page));
    }
    return ids;
  };
  now = at(101);
  const releaseSpam = () => releaseContact({ client, table: contacts.table }, spam, at(102));
  expect(await read(at(0), releaseSpam)).toStrictEqual([one, other, last]);
  const late = await post(70);
  now = at(103);
  expect(await read(at(40))).toStrictEqual([late, last, spam]);
});

it('ends a page of a selection after two seconds, with a link, even if it found nothing', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now);
  const sought = idIn(await contacts.post({ ...minimal, 'form-name': 'quote' }));
  for (let at = 0; at < 14; at += 1) {
    now = new Date(now.getTime() + 1);
    await contacts.post(minimal);
  }
  const slow = createDocumentClient();
  const reads = countReads(slow);
  slow.middlewareStack.add(
    (next) => (args) => {
      now = new Date(now.getTime() + 700);
      return next(args);
    },
    { step: 'initialize' },
  );
  const { list } = await startContacts(() => now, {}, { client: slow, table: contacts.table });
  const read = async (form: string) => {
    reads.queries = 0;
    const pages: string[][] = [];
    for await (const page of pagesOf(list, Object.entries({ form, limit: '1' }))) pages.push(idsIn(page));
    return { pages, queries: reads.queries };
  };
  // After queries for 2, 4 and 8, more than two seconds are over.
  expect(await read('Quote')).toStrictEqual({ pages: [[], [sought]], queries: 4 });
  expect(await read('newsletter')).toStrictEqual({ pages: [[], []], queries: 4 });
});

describe('a list of the largest contact requests', () => {
  const ids: string[] = [];
  let contacts: ContactsService;
  beforeAll(async () => {
    contacts = await startContacts();
    const quotes = (length: number) => '"'.repeat(length);
    const responses = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, quotes(2000)]);
    const largest = { ...minimal, message: quotes(5000), ...Object.fromEntries(responses) };
    // One after another: so many at once can exceed the time limits of the store's client.
    for (let at = 0; at < 75; at += 1) ids.push(idIn(await contacts.post(largest)));
  });

  it.each(['application/json', 'text/csv'])('ends a page of %s before the limit of Lambda', async (accept) => {
    const sizes: number[] = [];
    const read: string[] = [];
    for await (const { text, headers } of pagesOf(contacts.list, [['limit', '200']], { Accept: accept })) {
      sizes.push(Buffer.byteLength(JSON.stringify({ statusCode: 200, headers, body: text })));
      read.push(...ids.filter((id) => text.includes(id)));
    }
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThan(6 * 1024 * 1024);
    expect(read.toSorted()).toStrictEqual(ids.toSorted());
  });
});

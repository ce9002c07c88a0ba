import fc from 'fast-check';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../functions/http/paging.ts';
import { type ContactsService, idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { pagesOf } from '../../support/paging.ts';

/** What happens between two pages: a contact request arrives at a time, or one is deleted. */
const change = fc.oneof(
  fc.record({ createAt: fc.nat({ max: 9 }), spam: fc.boolean() }),
  fc.record({ deleteAt: fc.nat() }),
);

const scenario = fc.record({
  // Few times for many contact requests, so that many share one.
  times: fc.array(fc.nat({ max: 9 }), { maxLength: 25 }),
  limit: fc.integer({ min: 1, max: 7 }),
  order: fc.constantFrom('asc', 'desc'),
  changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }),
});

const create = async ({ store }: ContactsService, time: number, spam: boolean) => {
  const result = await store.create({
    fields: minimal,
    spam,
    createdAt: new Date(Date.UTC(2026, 2, 1) + time),
  });
  return result.outcome === 'conflict' ? '' : result.contact.id;
};

const times = v.array(v.object({ createdAt: v.string() }));

it('skips nothing that stood there and stays, and repeats nothing, whatever happens between the pages', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ times: createTimes, limit, order, changes }) => {
      const contacts = await startContacts();
      const staying = new Set(await Promise.all(createTimes.map((time) => create(contacts, time, false))));
      const present = [...staying];
      const seen: string[] = [];
      const seenTimes: string[] = [];
      const sizes: number[] = [];

      let turn = 0;
      for await (const page of pagesOf(contacts.list, [
        ['limit', String(limit)],
        ['order', order],
      ])) {
        const ids = idsIn(page);
        seen.push(...ids);
        seenTimes.push(...v.parse(times, page.body).map(({ createdAt }) => createdAt));
        sizes.push(ids.length);
        for (const step of changes[turn] ?? []) {
          if ('createAt' in step) {
            const id = await create(contacts, step.createAt, step.spam);
            if (!step.spam) present.push(id);
          } else if (present.length > 0) {
            const [id = ''] = present.splice(step.deleteAt % present.length, 1);
            await contacts.delete({ pathParameters: { id } });
            staying.delete(id);
          }
        }
        turn += 1;
      }

      expect(new Set(seen)).toHaveLength(seen.length);
      expect([...staying].filter((id) => !seen.includes(id))).toStrictEqual([]);
      const oldestFirst = seenTimes.toSorted();
      expect(seenTimes).toStrictEqual(order === 'asc' ? oldestFirst : oldestFirst.reverse());
      expect(sizes.slice(0, -1)).toStrictEqual(Array(sizes.length - 1).fill(limit));
    }),
    { numRuns: 40 },
  );
});

/** Four lists: of what is spam or not, in each order. */
const lists = [
  ['contacts', 'false', 'desc'],
  ['contacts, oldest first', 'false', 'asc'],
  ['contacts marked as spam', 'true', 'desc'],
  ['contacts marked as spam, oldest first', 'true', 'asc'],
] as const;

it('refuses a cursor that was made up, though its checksum is right, and one of another list or order', async () => {
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

it('ends a list that is read forward at the time when its reading began, or before it at until', async () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  const contacts = await startContacts(() => now);
  const post = async () => idIn(await contacts.post(minimal));
  const [one, other] = [await post(), await post()];
  const read = async (...query: (readonly [string, string])[]) => {
    const pages = pagesOf(contacts.list, [['order', 'asc'], ['limit', '1'], ...query]);
    const ids: string[] = [];
    for await (const page of pages) {
      now = new Date(now.getTime() + 1);
      await post();
      ids.push(...idsIn(page));
    }
    return ids;
  };
  // What was made in the very millisecond belongs to it.
  expect(new Set(await read())).toStrictEqual(new Set([one, other]));
  expect(await read(['until', '2026-03-01T12:00:00Z'])).toStrictEqual([]);
  expect(await read(['until', '2026-03-01T12:00:00.002Z'])).toHaveLength(3);
  expect((await read(['until', '2999-01-01T00:00:00Z'])).length).toBeGreaterThan(5);
});

describe('a list of the largest contact requests', () => {
  const ids: string[] = [];
  let contacts: ContactsService;
  beforeAll(async () => {
    contacts = await startContacts();
    const quotes = (length: number) => '"'.repeat(length);
    const answers = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, quotes(2000)]);
    const largest = { ...minimal, message: quotes(5000), ...Object.fromEntries(answers) };
    while (ids.length < 75) ids.push(idIn(await contacts.post(largest)));
  });

  it.each(['application/json', 'text/csv'])('ends a page of %s before it is too large for Lambda', async (accept) => {
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

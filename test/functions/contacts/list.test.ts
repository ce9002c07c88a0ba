import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { encodeCursor } from '../../../functions/cursor.ts';
import { type ContactsService, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { pagesOf } from '../../support/paging.ts';

/** What happens between two pages: something arrives at a time, or one of those that are there is deleted. */
const change = fc.oneof(
  fc.record({ createAt: fc.nat({ max: 9 }), spam: fc.boolean() }),
  fc.record({ deleteAt: fc.nat() }),
);

const scenario = fc.record({
  // Few times for many contact requests, so that many share one.
  times: fc.array(fc.nat({ max: 9 }), { maxLength: 25 }),
  limit: fc.integer({ min: 1, max: 7 }),
  changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }),
});

const create = async ({ store }: ContactsService, time: number, spam: boolean) => {
  const result = await store.create({ fields: minimal, spam, createdAt: new Date(Date.UTC(2026, 2, 1) + time) });
  return result.outcome === 'conflict' ? '' : result.contact.id;
};

const times = v.array(v.object({ createdAt: v.string() }));

it('skips nothing that stood there and stays, and repeats nothing, whatever happens between the pages', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ times: createTimes, limit, changes }) => {
      const contacts = await startContacts();
      const staying = new Set(await Promise.all(createTimes.map((time) => create(contacts, time, false))));
      const present = [...staying];
      const seen: string[] = [];
      const seenTimes: string[] = [];
      const sizes: number[] = [];

      let turn = 0;
      for await (const page of pagesOf(contacts.list, [['limit', String(limit)]])) {
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
      expect(seenTimes).toStrictEqual(seenTimes.toSorted().reverse());
      expect(sizes.slice(0, -1)).toStrictEqual(Array(sizes.length - 1).fill(limit));
    }),
    { numRuns: 40 },
  );
});

it('refuses a cursor that was made up, though its checksum is right', async () => {
  const contacts = await startContacts();
  const id = '00000000-0000-4000-8000-000000000000';
  const time = '2026-03-01T12:00:00.000Z';
  const ask = (list: string, key: string, spam: 'false' | 'true') =>
    contacts.list({
      query: [
        ['cursor', encodeCursor(list, key)],
        ['spam', spam],
      ],
    });
  const [contactsList, spamList] = ['contacts', 'contacts marked as spam'];
  for (const key of ['', 'x', id, `${time}#`, `${time}#${id}0`, `2026#${id}`, `${'x'.repeat(2000)}#${id}`]) {
    expect(await ask(contactsList, key, 'false')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'cursor' }] },
    });
  }
  expect(await ask(contactsList, `${time}#${id}`, 'false')).toMatchObject({ status: 200, text: '[]' });
  expect(await ask(spamList, `${time}#${id}`, 'true')).toMatchObject({ status: 200, text: '[]' });
  expect((await ask(contactsList, `${time}#${id}`, 'true')).status).toBe(400);
  expect((await ask(spamList, `${time}#${id}`, 'false')).status).toBe(400);
});

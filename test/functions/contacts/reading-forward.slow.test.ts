import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { startStaff } from '../../staff/staff.ts';
import type { Call } from '../../support/call.ts';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import { createLaggingClient } from '../../support/lagging-index.ts';
import { pagesOf } from '../../support/paging.ts';

const minute = 60_000;

const listed = v.array(
  v.looseObject({ id: v.string(), createdAt: v.string(), releasedAt: v.exactOptional(v.string()) }),
);

/** A script that reads forward as the README says, and keeps the latest copy of each contact request. */
const startReader = (list: Call) => {
  const kept = new Map<string, unknown>();
  let last: string | undefined;
  const read = async function* () {
    const since = last === undefined ? [] : [['since', new Date(Date.parse(last) - minute).toISOString()] as const];
    const places: string[] = [];
    for await (const page of pagesOf(list, [['order', 'asc'], ['limit', '2'], ...since])) {
      for (const contact of v.parse(listed, page.body)) {
        kept.set(contact.id, contact);
        places.push(`${contact.releasedAt ?? contact.createdAt}#${contact.id}`);
      }
      last = places.at(-1)?.split('#')[0] ?? last;
      yield;
    }
    expect(new Set(places)).toHaveLength(places.length);
    expect(places).toStrictEqual(places.toSorted());
  };
  return { kept, read };
};

/** An event some time later. The clock is off by up to half a second, and the index lags by up to 59 seconds. */
const event = fc.record({
  after: fc.nat({ max: 8000 }),
  what: fc.constantFrom(
    'create',
    'create',
    'create',
    'create with a key',
    'create spam',
    'release',
    'delete',
    'read a page',
    'read a page',
    'read a page',
  ),
  which: fc.nat(),
  skew: fc.integer({ min: -500, max: 500 }),
  lag: fc.integer({ min: 0, max: 59_000 }),
});

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

/** Lets visitors, staff and a reader act on one table. @returns the reader's copies, and the stored contact requests */
const simulate = async (events: readonly Event[]) => {
  const staff = await startStaff();
  const table = staff.tables.contacts;
  let [time, skew, lag] = [Date.UTC(2026, 2, 1), 0, 0];
  const now = () => new Date(time + skew);
  const client = await createLaggingClient(
    table,
    () => time,
    () => lag,
  );
  const contacts = await startContacts(now, undefined, { client, table });
  const { kept, read } = startReader(contacts.list);

  const [normal, spam]: [string[], string[]] = [[], []];
  const take = (ids: string[], which: number) => ids.splice(which % Math.max(1, ids.length), 1);
  let reading = read();
  const happen = {
    create: async () => {
      normal.push(idIn(await contacts.post(minimal)));
    },
    // After a delete, the key makes a new contact request with the same id.
    'create with a key': async (which: number) => {
      const id = idIn(await contacts.post(minimal, { 'Idempotency-Key': `key-${which % 3}` }));
      if (!normal.includes(id)) normal.push(id);
    },
    'create spam': async () => {
      spam.push(idIn(await contacts.post({ ...minimal, _gotcha: 'x' })));
    },
    release: async (which: number) => {
      for (const id of take(spam, which)) {
        expect(await staff.run(['contacts', 'release', id], { client, now: now() })).toMatchObject({ code: 0 });
        normal.push(id);
      }
    },
    delete: async (which: number) => {
      for (const id of take(normal, which)) await contacts.delete({ pathParameters: { id } });
    },
    'read a page': async () => {
      if ((await reading.next()).done) reading = read();
    },
  };
  for (const { after, what, which, ...rest } of events) {
    time += after;
    ({ skew, lag } = rest);
    await happen[what](which);
  }

  time += minute;
  for await (const _ of reading);
  for await (const _ of read());
  const there = await Promise.all(
    normal.map(async (id): Promise<[string, unknown]> => [id, (await contacts.get({ pathParameters: { id } })).body]),
  );
  return { kept, there: new Map(there) };
};

it('misses nothing and keeps the latest copies when it rereads a minute each time, over an index that lags', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { size: 'max', maxLength: 100 }), async (events) => {
      const { kept, there } = await simulate(events);
      expect(new Map([...kept].filter(([id]) => there.has(id)))).toStrictEqual(there);
    }),
    { numRuns: 15 },
  );
});

import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { startStaff } from '../../staff/staff.ts';
import type { Call } from '../../support/call.ts';
import { idIn, minimal, startContacts } from '../../support/contacts.ts';
import { createLaggingClient } from '../../support/lagging-index.ts';
import { pagesOf } from '../../support/paging.ts';

const minute = 60_000;

const listed = v.array(
  v.looseObject({ id: v.string(), createdAt: v.string(), releasedAt: v.exactOptional(v.string()) }),
);

/** Who reads forward as the README says, and keeps what they read. */
const startReader = (list: Call, overlap: number) => {
  const kept = new Map<string, unknown>();
  let last: string | undefined;
  const read = async function* () {
    const since = last === undefined ? [] : [['since', new Date(Date.parse(last) - overlap).toISOString()] as const];
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

/** What happens next: some time later, by a clock that is off by up to half a second, seen by the index up to 59 seconds later. */
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

/** Lets visitors, staff and a reader act on one table; what the reader has in the end, and what there is. */
const simulate = async (seed: number, overlap = minute) => {
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
  const { kept, read } = startReader(contacts.list, overlap);

  const [normal, spam]: [string[], string[]] = [[], []];
  const take = (ids: string[], which: number) => ids.splice(which % Math.max(1, ids.length), 1);
  let reading = read();
  const happen = {
    create: async () => {
      normal.push(idIn(await contacts.post(minimal)));
    },
    // What has the key may have been deleted since: then it is made anew, under the same id.
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
  for (const { after, what, which, ...rest } of fc.sample(event, { seed, numRuns: 200 })) {
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

describe('who reads forward, with a minute of overlap, over an index that lags by up to 59 seconds', () => {
  it.each([1, 12, 14])('has in the end exactly what there is, as it is (seed %i)', async (seed) => {
    const { kept, there } = await simulate(seed);
    expect(new Map([...kept].filter(([id]) => there.has(id)))).toStrictEqual(there);
  });

  // Else the lag would be none, and the test above would prove nothing.
  it('would miss some without the overlap', async () => {
    const { kept, there } = await simulate(14, 0);
    expect([...there.keys()].filter((id) => !kept.has(id))).not.toStrictEqual([]);
  });
});

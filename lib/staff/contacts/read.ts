import { setFlagsFromString } from 'node:v8';
import type * as v from 'valibot';
import { type ContactRange, listQueryOf } from '../../../functions/contacts/list-store.ts';
import { type QueryClient, readList } from '../../../functions/list-page.ts';
import type { Staff } from '../context.ts';
import { persist } from '../tables/persist.ts';

/** How many items are fetched from a partition at a time, and make a page; memory holds as many of each partition. */
const pageSize = 100;

export interface ReadOptions<Item> {
  readonly schema: v.GenericSchema<unknown, Item>;
  /** Keeps those for which it holds. @defaultValue all */
  readonly keeps?: ((item: Item) => boolean) | undefined;
  /** How many it reads at most. @defaultValue all */
  readonly limit?: number | undefined;
  /** Is told how many are kept so far. */
  readonly report?: (done: number) => void;
  /** Is told the id of each item that cannot be read. */
  readonly leaveOut: (id: string) => void;
}

/**
 * Contact requests, page by page, each read once; where the store fails it goes on from where it was. Memory holds some
 * pages, however many there are.
 * @throws what the store keeps failing with; what Ctrl-C aborts with
 */
export async function* readContacts<Item>(
  staff: Pick<Staff, 'tables' | 'wait' | 'signal'>,
  range: ContactRange,
  { schema, keeps, limit = Infinity, report = () => {}, leaveOut }: ReadOptions<Item>,
): AsyncGenerator<readonly Item[]> {
  const { tables, signal } = staff;
  // Else garbage piles up to twice the memory that a short run takes, since there is no want of it (npm run bench -- export).
  setFlagsFromString('--optimize-for-size');
  const client: QueryClient = {
    send: (query, options) => persist(staff, () => tables.client.send(query, options)),
  };
  let [page, read, kept]: [Item[], number, number] = [[], 0, 0];
  // Where some are not kept, nobody knows how many it takes.
  const nextLimit = () => (keeps ? pageSize : Math.min(pageSize, limit - kept));
  const found = readList(
    { ...listQueryOf(range, tables.listShards), client, table: tables.contacts, schema, signal },
    nextLimit,
    leaveOut,
  );
  for await (const { item } of found) {
    read += 1;
    if (!keeps || keeps(item)) {
      page.push(item);
      kept += 1;
    }
    if (kept === limit) break;
    if (read % pageSize > 0) continue;
    yield page;
    report(kept);
    page = [];
  }
  yield page;
  report(kept);
}

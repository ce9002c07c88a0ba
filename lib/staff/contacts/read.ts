import { setFlagsFromString } from 'node:v8';
import type * as v from 'valibot';
import { type ContactRange, listQueryOf } from '../../../functions/contacts/store.ts';
import { listReader, type QueryClient } from '../../../functions/shared/list-page.ts';
import type { Staff } from '../context.ts';
import { persist } from '../tables/persist.ts';

/** How many items make a page. Of each shard as many are read ahead, which memory holds. */
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
  const ahead = pageSize * tables.listShards;
  const readNext = listReader({
    ...listQueryOf(range, tables.listShards),
    client,
    table: tables.contacts,
    schema,
    signal,
    // Where some are not kept, nobody knows how many it takes.
    limit: keeps ? ahead : Math.min(ahead, limit),
  });
  let kept = 0;
  let next: string | undefined;
  do {
    const read = await readNext();
    read.unreadable.forEach(leaveOut);
    const items = (keeps ? read.items.filter(keeps) : read.items).slice(0, limit - kept);
    for (let at = 0; at < items.length; at += pageSize) {
      const page = items.slice(at, at + pageSize);
      yield page;
      kept += page.length;
      report(kept);
    }
    next = read.next;
  } while (next !== undefined && kept < limit);
}

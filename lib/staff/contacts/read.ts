import { setFlagsFromString } from 'node:v8';
import type * as v from 'valibot';
import { type ContactRange, listQueryOf } from '../../../functions/contacts/store.ts';
import { type QueryClient, readListPage } from '../../../functions/shared/list-page.ts';
import type { Staff } from '../context.ts';
import { persist } from '../tables/persist.ts';

/** How many items make a page. */
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
 * Contact requests, page by page. If the store fails, it goes on from where it was. Memory holds one page, however many
 * there are.
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
  const query = {
    ...listQueryOf(range),
    client,
    table: tables.contacts,
    schema,
    signal,
    // If only some are kept, nobody knows how many it takes.
    limit: keeps ? pageSize : Math.min(pageSize, limit),
  };
  let kept = 0;
  let after: string | undefined;
  do {
    const read = await readListPage({ ...query, after });
    read.unreadable.forEach(leaveOut);
    const page = (keeps ? read.items.filter(keeps) : read.items).slice(0, limit - kept);
    if (page.length > 0) {
      yield page;
      kept += page.length;
      report(kept);
    }
    after = read.next;
  } while (after !== undefined && kept < limit);
}

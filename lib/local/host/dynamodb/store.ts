import type { Template } from '../template/template.ts';
import type { LockedData } from './data-lock.ts';
import type { StoreAddress } from './store-call.ts';
import { createTables } from './store-tables.ts';

/**
 * Opens the DynamoDB of a data directory, with these tables in it, and what follows on their changes.
 * @returns where it answers; it takes any region
 * @throws {Error} one line, when a table is there with another key or index than its definition says
 */
export const openStore = async (
  data: LockedData,
  { tables, queues }: Pick<Template, 'tables' | 'queues'>,
): Promise<StoreAddress> => {
  const store = await data.startStore({ streamRoutes: [], queues });
  await createTables(store, data.folder, tables);
  return store;
};

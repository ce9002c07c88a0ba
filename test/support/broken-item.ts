import { randomUUID } from 'node:crypto';
import { putAll } from './tables.ts';

/** Puts an unreadable item into a list. @returns its id */
export const putBrokenItem = async (table: string, listPartition: string, listSort: string): Promise<string> => {
  const id = randomUUID();
  const broken = { id, createdAt: { secret: 1 }, name: ['secret'], message: ['secret'] };
  await putAll(table, [{ ...broken, listPartition, listSort: listSort + id }]);
  return id;
};

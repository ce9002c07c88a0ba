import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import type { TableDefinition } from '../template/definitions.ts';
import { type Engine, storedTableSchema } from './engine.ts';
import type { Entries, Stored } from './entries.ts';

/** How many items to look at before other requests take their turn. */
const batchSize = 100;

/** Seconds since the epoch. */
const expirySchema = v.object({ N: v.pipe(v.string(), v.toNumber()) });

const isExpired = (item: Stored, attribute: string, now: number): boolean => {
  const expiry = v.safeParse(expirySchema, item[attribute]);
  return expiry.success && expiry.output.N <= now / 1000;
};

/** @returns a function that removes the expired items of a table, as the time to live of DynamoDB does */
export const createExpiry =
  (entries: Entries, { removeItem }: Engine) =>
  async ({ name, expiryAttribute }: TableDefinition, now: number): Promise<void> => {
    if (expiryAttribute === undefined) return;
    const table = v.parse(storedTableSchema, entries.get(`table~${name}`));
    const prefix = `item-${name}~`;
    let last = prefix;
    for (;;) {
      const batch = [...entries.pairs({ gt: last, lt: `${prefix}\u{10ffff}`, limit: batchSize })];
      const expired = batch.filter(([, item]) => isExpired(item, expiryAttribute, now));
      if (expired.length > 0) {
        await entries.write(() => {
          for (const [key] of expired) {
            // Another request may have replaced it meanwhile.
            const item = entries.get(key);
            if (item && isExpired(item, expiryAttribute, now)) removeItem(table, item);
          }
        });
      } else {
        await setImmediate();
      }
      const next = batch.at(-1);
      if (!next) return;
      [last] = next;
    }
  };

import type { Clock } from './clock.ts';
import type { Log } from './host-log.ts';
import type { Store } from './store/store.ts';
import type { TableDefinition } from './template/definitions.ts';

/** Milliseconds between two searches for expired items. DynamoDB takes up to some days. */
const interval = 60 * 60_000;

/**
 * Removes the expired items of tables, now and every hour.
 * @returns a function that stops
 */
export const startTimeToLive = (
  tables: readonly TableDefinition[],
  { removeExpired }: Pick<Store['calls'], 'removeExpired'>,
  clock: Clock,
  log: Log,
): (() => Promise<void>) => {
  let cancelTimer = () => {};

  const removeAll = async () => {
    try {
      for (const table of tables) await removeExpired(table, clock.now());
    } catch (error) {
      log('store', `expired items stay: ${error instanceof Error ? error.message : error}`);
    }
  };

  const begin = () => {
    underWay = removeAll();
    cancelTimer = clock.after(interval, begin);
  };

  let underWay = Promise.resolve();
  begin();
  return async () => {
    cancelTimer();
    await underWay;
  };
};

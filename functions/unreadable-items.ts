import type { ListPage } from './list-page.ts';
import { log } from './log.ts';
import type { CountMetric } from './metrics.ts';

/** Tells the operator of the items that a page had to leave out: docs/runbook.md says what to do about them. */
export const reportUnreadable = (list: string, { unreadable }: ListPage<unknown>, count: CountMetric): void => {
  for (const id of unreadable) {
    log('error', 'item left out of a list: it cannot be read', { list, id });
    count('UnreadableItems');
  }
};

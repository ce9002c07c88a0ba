import { contactListStore, contactStore } from '../functions/contacts/store.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { countReads } from '../test/support/count-reads.ts';
import { inBatches } from './batches.ts';
import type { Measurement } from './measurement.ts';
import type { Part } from './part.ts';
import { withDynalite } from './store.ts';

const pageSize = 50;
const pagesRead = 20;
const expired = 40_000;
const beginning = Date.UTC(2026, 0, 1);

const measure = (): Promise<Measurement[]> =>
  withDynalite(async () => {
    // It makes its client as it is loaded, and the client knows then where its store is.
    const { createTable } = await import('../test/support/tables.ts');
    const client = createDocumentClient();
    const reads = countReads(client);
    const table = await createTable(contactsTable);
    const [store, list] = [contactStore(client, table), contactListStore(client, table)];

    let stored = 0;
    const add = async (amount: number, expiresAt?: Date) => {
      await inBatches(amount, (index) =>
        store.create({
          fields: { email: 'ada@example.com', message: 'Hello' },
          spam: false,
          createdAt: new Date(beginning + (stored + index) * 1000),
          ...(expiresAt && { expiresAt }),
        }),
      );
      stored += amount;
    };

    const readPages = async (pages: number) => {
      Object.assign(reads, { queries: 0, items: 0 });
      let after: string | undefined;
      for (let page = 0; page < pages; page += 1) {
        ({ next: after } = await list.list({ limit: pageSize, after, spam: false, now: new Date(beginning) }));
      }
      return { items: reads.items / pages, queries: reads.queries / pages };
    };

    const growth: Measurement[] = [];
    for (const total of [1_000, 100_000]) {
      await add(total - stored);
      const page = `A page of ${pageSize}, of ${total.toLocaleString('en')} contact requests`;
      const { items, queries } = await readPages(pagesRead);
      growth.push(
        { name: page, value: items, unit: 'items' },
        { name: '… in so many queries', value: queries, unit: 'count' },
      );
    }

    await add(expired, new Date(beginning));
    const { items, queries } = await readPages(1);
    return [
      ...growth,
      { name: `A page of ${pageSize} past ${expired.toLocaleString('en')} expired ones`, value: items, unit: 'items' },
      { name: '… in so many queries', value: queries, unit: 'count' },
    ];
  });

export const pageReads: Part = {
  title: 'Items read for a list page',
  tells: `What the store reads for a page, whether it returns it or not: the mean of the first ${pagesRead} pages. It must not grow with what is stored. DynamoDB takes up to two days to remove expired contact requests, which a page has to read past: the last figures are those of the worst case, a page behind them all.`,
  measure,
};

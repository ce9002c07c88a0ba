import { contactListStore } from '../functions/contacts/list-store.ts';
import { contactStore } from '../functions/contacts/store.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { createDocumentClient } from '../functions/dynamodb.ts';
import { countReads } from '../test/support/count-reads.ts';
import { inBatches } from './batches.ts';
import type { Measurement } from './measurement.ts';
import type { Part } from './part.ts';
import { withDynalite } from './store.ts';

const pageSize = 50;
const pagesRead = 20;
const beginning = Date.UTC(2026, 0, 1);

const measurePageReads = (): Promise<Measurement[]> =>
  withDynalite(async () => {
    // It makes its client as it is loaded, and the client knows then where its store is.
    const { createTable } = await import('../test/support/tables.ts');
    const client = createDocumentClient();
    const reads = countReads(client);
    const table = await createTable(contactsTable);
    const store = contactStore(client, table);

    let stored = 0;
    const fillUpTo = async (total: number) => {
      await inBatches(total - stored, (index) =>
        store.create({
          fields: { email: 'ada@example.com', message: 'Hello' },
          spam: false,
          listShards: 1,
          createdAt: new Date(beginning + (stored + index) * 1000),
        }),
      );
      stored = total;
    };

    const measure = async (total: number): Promise<Measurement> => {
      await fillUpTo(total);
      reads.items = 0;
      let after: string | undefined;
      for (let page = 0; page < pagesRead; page += 1) {
        ({ next: after } = await contactListStore(client, table, 1).list({
          limit: pageSize,
          after,
          spam: false,
          now: new Date(beginning),
        }));
      }
      return {
        name: `A page of ${pageSize}, of ${total.toLocaleString('en')} contact requests`,
        value: reads.items / pagesRead,
        unit: 'items',
      };
    };

    return [await measure(1_000), await measure(100_000)];
  });

export const pageReads: Part = {
  title: 'Items read for a list page',
  tells: `What the store reads for a page, whether it returns it or not: the mean of the first ${pagesRead} pages. It must not grow with what is stored.`,
  measure: measurePageReads,
};

import { contactListStore, contactStore } from '../functions/contacts/store.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { countReads } from '../test/support/count-reads.ts';
import { inBatches } from './batches.ts';
import type { Measurement } from './measurement.ts';
import type { Part } from './part.ts';
import { readPages } from './scale/pages.ts';
import { withDynalite } from './store.ts';

const pageSize = 50;
const pagesRead = 20;
const beginning = Date.UTC(2026, 0, 1);

const measureGrowth = (): Promise<Measurement[]> =>
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

/** What the store of the rounds takes for an answer, in milliseconds of its own clock. */
const latency = 5;

const measureRounds = async (shards: number, limit: number): Promise<Measurement[]> => {
  const pages = await readPages(shards, Math.min(400, 20_000 / limit), () => latency, limit);
  const mean = (of: 'items' | 'milliseconds') => pages.reduce((sum, page) => sum + page[of], 0) / pages.length;
  const page = `a page of ${limit.toLocaleString('en')}, ${shards === 1 ? 'one shard' : `${shards} shards`}`;
  return [
    {
      name: `Waiting for ${page}`,
      value: mean('milliseconds'),
      unit: 'ms',
      beside: { what: 'one round', ratio: mean('milliseconds') / latency },
      target: { bound: '≤', value: shards === 1 ? 1 : 1.3 },
    },
    {
      name: `Items for ${page}`,
      value: mean('items'),
      unit: 'items',
      beside: { what: 'those on it', ratio: mean('items') / limit },
      target: { bound: '≤', value: 1.6 },
    },
  ];
};

const measure = async (): Promise<Measurement[]> => {
  const cases = [1, 10].flatMap((shards) => [50, 200, 1000].map((limit) => [shards, limit] as const));
  const rounds = await Promise.all(cases.map(([shards, limit]) => measureRounds(shards, limit)));
  return [...(await measureGrowth()), ...rounds.flat()];
};

export const pageReads: Part = {
  title: 'Items read for a list page',
  tells: `What the store reads for a page, whether it returns it or not: the mean of the first ${pagesRead} pages. It must not grow with what is stored. Below, the rounds of reads that a page waits for: the mean of up to 400 pages of 20,000 contact requests, from a simulated store that answers each query after ${latency} ms, on a clock of its own. A page of 50 over ten shards cannot take fewer than 97 items for 1.3 rounds.`,
  measure,
};

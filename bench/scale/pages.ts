import * as v from 'valibot';
import { listQueryOf } from '../../functions/contacts/store.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import { readListPage } from '../../functions/shared/list-page.ts';
import { uuidFromText } from '../../functions/shared/uuid.ts';
import { seeded } from './random.ts';
import { type Took, virtualStore } from './virtual-store.ts';

const ids = Array.from({ length: 20_000 }, (_, index) => uuidFromText(`scale ${index}`));

const schema = v.object({ [contactsTable.listIndex.sortKey]: v.string() });

/** Reads pages of the list, one after the other, as the service does. @returns what each took */
export const readPages = async (
  listShards: number,
  pagesRead: number,
  latency: () => number,
  limit = 50,
): Promise<Took[]> => {
  const { client, time } = virtualStore(ids, listShards, latency);
  const pages: Took[] = [];
  let after: string | undefined;
  for (let page = 0; page < pagesRead; page += 1) {
    pages.push(
      await time(async () => {
        const query = { ...listQueryOf({ spam: false }, listShards), client, table: 'contacts', schema };
        ({ next: after } = await readListPage({ ...query, limit, after }));
      }),
    );
  }
  return pages;
};

const most = 2 ** 32;

/**
 * What a query takes: half of them 4 ms at most, one in a hundred 15 ms or more, log-normally. It is assumed: AWS says that
 * they take some milliseconds. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Introduction.html
 */
export const assumedLatency = (): (() => number) => {
  const random = seeded(19);
  const sigma = Math.log(15 / 4) / 2.326;
  return () => {
    // Box and Muller's: two even numbers give a normal one.
    const [one, other] = [(random() + 1) / (most + 1), random() / most];
    return 4 * Math.exp(sigma * Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other));
  };
};

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import type { Campaign } from '../../../functions/campaigns/campaign.ts';
import { campaignsTable } from '../../../functions/campaigns/campaign.ts';
import {
  type CampaignListStore,
  campaignListStore,
  campaignStore,
} from '../../../functions/campaigns/campaign-store.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { client, createTable } from '../../support/tables.ts';

/** The list, page after page. */
const pagesOf = async (store: CampaignListStore, limit: number): Promise<Campaign[][]> => {
  const pages: Campaign[][] = [];
  let after: string | undefined;
  do {
    const { items, next } = await store.list({ limit, after });
    pages.push([...items]);
    after = next;
  } while (after !== undefined);
  return pages;
};

const namesIn = (pages: readonly (readonly Campaign[])[]) => pages.flat().map(({ name }) => name);

it.each([
  ['in any case', ['10', 'A', 'a1', 'b', 'B2', 'C', 'c0']],
  ['prefixes first', ['spring', 'Spring "one"', 'Spring sale', 'Spring!', 'Spring-sale', 'Springs']],
  ['in Unicode’s order', ['zoo', 'Zoo 2', 'Été', 'Δ', '春', 'ＡＢＣ', 'ﾃｽﾄ', '\uffff', '😀', '\u{10ffff}']],
])('lists by name, %s', async (_, sorted) => {
  const { store, addAll } = await startCampaigns();
  await addAll(sorted.toReversed());
  expect(namesIn(await pagesOf(store, 2))).toStrictEqual(sorted);
});

it('lists campaigns of one name by id', async () => {
  const { store, add } = await startCampaigns();
  const ids = ['b', 'a', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  for (const id of ids) await add('Spring', id);
  expect((await store.list({ limit: 3 })).items).toStrictEqual(ids.toSorted().map((id) => ({ id, name: 'Spring' })));
});

it('reports an unreadable campaign', async () => {
  const table = await createTable(campaignsTable);
  const id = '00000000-0000-4000-8000-000000000000';
  await client.send(
    new PutCommand({ TableName: table, Item: { id, listPartition: 'campaigns', listSort: `x${id}`, name: 5 } }),
  );
  await expect(campaignStore(client, table).get(id)).rejects.toThrow();
  expect(await campaignListStore(client, table).list({ limit: 1 })).toStrictEqual({ items: [], unreadable: [id] });
});

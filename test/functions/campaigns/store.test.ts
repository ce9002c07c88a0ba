import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { campaignStore } from '../../../functions/campaigns/store.ts';
import { campaignsTable } from '../../../functions/campaigns/table.ts';
import { startCampaigns } from '../../support/campaigns.ts';
import { client, createTable } from '../../support/tables.ts';

it('gives back id and name', async () => {
  const { store, add } = await startCampaigns();
  const id = await add('Spring 😀');
  expect(await store.get(id)).toStrictEqual({ id, name: 'Spring 😀' });
  expect(await store.get('00000000-0000-4000-8000-000000000000')).toBeUndefined();
});

it('lists by name in Unicode’s order, page after page, whatever the script', async () => {
  const { store, addAll } = await startCampaigns();
  const names = ['😀', 'ﾃｽﾄ', 'zoo', 'ＡＢＣ', '春', 'Zoo 2', 'Été', '\u{10ffff}', '\uffff'];
  await addAll(names);
  const sorted = ['zoo', 'Zoo 2', 'Été', '春', 'ＡＢＣ', 'ﾃｽﾄ', '\uffff', '😀', '\u{10ffff}'];
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.list({ limit: 2, after });
    found.push(...page.items.map(({ name }) => name));
    after = page.next;
  } while (after !== undefined);
  expect(found).toStrictEqual(sorted);
});

it('takes the longest name', async () => {
  const { store, add } = await startCampaigns();
  const name = '😀'.repeat(200);
  const id = await add(name);
  expect((await store.list({ limit: 1 })).items).toStrictEqual([{ id, name }]);
});

it('refuses to read what is no campaign', async () => {
  const table = await createTable(campaignsTable);
  const store = campaignStore(client, table);
  const id = '00000000-0000-4000-8000-000000000000';
  await client.send(
    new PutCommand({ TableName: table, Item: { id, listPartition: 'campaigns', listSort: 'x', name: 5 } }),
  );
  await expect(store.get(id)).rejects.toThrow();
  await expect(store.list({ limit: 1 })).rejects.toThrow();
});

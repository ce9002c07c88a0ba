import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Campaign, comparable, toItem } from '../../functions/campaigns/campaign.ts';
import { campaignListStore } from '../../functions/campaigns/campaign-store.ts';
import { StaffError } from '../shared/staff-error.ts';
import type { Table } from './table.ts';

const pageSize = 1000;

const refuseUnknown = (id: string) => (error: unknown) => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  throw new StaffError(`There is no campaign ${id}. Run "npx --no-install crcs campaigns list" to see all.`);
};

/**
 * Lists all campaigns by name: they are few.
 * @param leaveOut gets the id of each unreadable one
 */
export const listCampaigns = async ({ client, table }: Table, leaveOut: (id: string) => void): Promise<Campaign[]> => {
  const store = campaignListStore(client, table);
  const campaigns: Campaign[] = [];
  let after: string | undefined;
  do {
    const { items, unreadable, next } = await store.list({ limit: pageSize, after });
    unreadable.forEach(leaveOut);
    campaigns.push(...items);
    after = next;
  } while (after !== undefined);
  return campaigns;
};

/**
 * Tells which texts of contact requests mean the same campaign: its id and its current name, in any case.
 * @returns the campaign's id; of a text that is none, the text without case
 */
export const campaignKeys = (campaigns: readonly Campaign[]) => {
  const ids = new Map(campaigns.map(({ id, name }) => [comparable(name), id]));
  return (text: string): string => ids.get(comparable(text)) ?? comparable(text);
};

/** @throws {StaffError} if another campaign has that name, in any case */
const refuseTakenName = async (
  campaigns: Table,
  { name, id }: Pick<Campaign, 'name'> & { readonly id?: string },
): Promise<void> => {
  const all = await listCampaigns(campaigns, () => {});
  const other = all.find((each) => comparable(each.name) === comparable(name) && each.id !== id);
  if (other) throw new StaffError(`A campaign with that name already exists: ${other.id}.`);
};

/** Adds a campaign, or replaces the one of that id. */
export const putCampaign = async ({ client, table }: Table, campaign: Campaign): Promise<void> => {
  await client.send(new PutCommand({ TableName: table, Item: toItem(campaign) }));
};

/** @throws {StaffError} if the name is taken, in any case */
export const addCampaign = async (campaigns: Table, name: string): Promise<Campaign> => {
  await refuseTakenName(campaigns, { name });
  const campaign = { id: randomUUID(), name };
  await putCampaign(campaigns, campaign);
  return campaign;
};

/**
 * @returns the former name
 * @throws {StaffError} if there is no campaign of that id, or the name is taken, in any case
 */
export const renameCampaign = async ({ client, table }: Table, campaign: Campaign): Promise<string> => {
  await refuseTakenName({ client, table }, campaign);
  const put = new PutCommand({
    TableName: table,
    Item: toItem(campaign),
    ConditionExpression: 'attribute_exists(id)',
    ReturnValues: 'ALL_OLD',
  });
  const { Attributes } = await client.send(put).catch(refuseUnknown(campaign.id));
  // That of an unreadable campaign may be no text.
  return v.parse(v.fallback(v.string(), campaign.name), Attributes?.['name']);
};

/** @throws {StaffError} if there is no campaign of that id */
export const removeCampaign = async ({ client, table }: Table, id: string): Promise<void> => {
  await client
    .send(new DeleteCommand({ TableName: table, Key: { id }, ConditionExpression: 'attribute_exists(id)' }))
    .catch(refuseUnknown(id));
};

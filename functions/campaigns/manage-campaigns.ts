import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Table } from '../shared/dynamodb.ts';
import { type Campaign, comparable, toItem } from './campaign.ts';
import { campaignListStore } from './campaign-store.ts';

const pageSize = 1000;

/**
 * Reads all campaigns by name: they are few.
 * @param leaveOut gets the id of each unreadable one
 */
export const readCampaigns = async ({ client, table }: Table, leaveOut: (id: string) => void): Promise<Campaign[]> => {
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

/** @returns the id of another campaign that has the name, in any case */
const holderOfName = async (campaigns: Table, { id, name }: Campaign): Promise<string | undefined> => {
  const all = await readCampaigns(campaigns, () => {});
  return all.find((each) => comparable(each.name) === comparable(name) && each.id !== id)?.id;
};

/** Adds a campaign, or replaces the one of that id, whatever the names of others. */
export const putCampaign = async ({ client, table }: Table, campaign: Campaign): Promise<void> => {
  await client.send(new PutCommand({ TableName: table, Item: toItem(campaign) }));
};

/** Another campaign has the name, in any case. */
interface NameTaken {
  readonly outcome: 'taken';
  /** The id of that campaign. */
  readonly by: string;
}

type Added = { readonly outcome: 'added'; readonly campaign: Campaign } | NameTaken;

/** Adds a campaign, unless its name is taken. */
export const addCampaign = async (campaigns: Table, name: string): Promise<Added> => {
  const campaign = { id: randomUUID(), name };
  const by = await holderOfName(campaigns, campaign);
  if (by !== undefined) return { outcome: 'taken', by };
  await putCampaign(campaigns, campaign);
  return { outcome: 'added', campaign };
};

type Renamed =
  | { readonly outcome: 'renamed'; readonly formerName: string }
  | { readonly outcome: 'missing' }
  | NameTaken;

/** Renames a campaign, unless there is none of that id, or the name is taken. */
export const renameCampaign = async ({ client, table }: Table, campaign: Campaign): Promise<Renamed> => {
  const by = await holderOfName({ client, table }, campaign);
  if (by !== undefined) return { outcome: 'taken', by };
  const put = new PutCommand({
    TableName: table,
    Item: toItem(campaign),
    ConditionExpression: 'attribute_exists(id)',
    ReturnValues: 'ALL_OLD',
  });
  try {
    const { Attributes } = await client.send(put);
    // The name of an unreadable campaign may be no text.
    const formerName = v.parse(v.fallback(v.string(), campaign.name), Attributes?.['name']);
    return { outcome: 'renamed', formerName };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { outcome: 'missing' };
    throw error;
  }
};

/** @returns whether there was a campaign of that id */
export const removeCampaign = async ({ client, table }: Table, id: string): Promise<boolean> => {
  try {
    await client.send(
      new DeleteCommand({ TableName: table, Key: { id }, ConditionExpression: 'attribute_exists(id)' }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

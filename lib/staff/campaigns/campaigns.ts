import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import {
  type Campaign,
  campaignsPartition,
  campaignsTable,
  comparable,
  nameEnd,
  toItem,
} from '../../../functions/campaigns/campaign.ts';
import { campaignListStore } from '../../../functions/campaigns/store.ts';
import { StaffError } from '../command-line/staff-error.ts';
import type { StaffTable } from '../tables/tables.ts';

/** What a page of the list holds at most. */
const pageSize = 1000;

const orUnknown = (id: string) => (error: unknown) => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  throw new StaffError(`There is no campaign ${id}: "campaigns list" shows those there are.`);
};

/** @throws {StaffError} when another campaign has that name, whatever its case */
const refuseTakenName = async (
  { client, table }: StaffTable,
  { name, id }: Pick<Campaign, 'name'> & { readonly id?: string },
): Promise<void> => {
  const { name: index, partitionKey, sortKey } = campaignsTable.listIndex;
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: index,
      KeyConditionExpression: '#partition = :partition AND begins_with(#sort, :name)',
      ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
      ExpressionAttributeValues: { ':partition': campaignsPartition, ':name': `${comparable(name)}${nameEnd}` },
    },
  );
  for await (const { Items: items = [] } of pages) {
    const other = items.find((item) => item['id'] !== id);
    if (other) throw new StaffError(`There is a campaign of that name: ${other['id']}.`);
  }
};

/**
 * Adds a campaign under a new id.
 * @param name as `campaignName` leaves it
 * @throws {StaffError} when there is a campaign of that name, whatever its case
 */
export const addCampaign = async ({ client, table }: StaffTable, name: string): Promise<Campaign> => {
  await refuseTakenName({ client, table }, { name });
  const campaign = { id: randomUUID(), name };
  await client.send(new PutCommand({ TableName: table, Item: toItem(campaign) }));
  return campaign;
};

/**
 * Gives a campaign another name.
 * @param campaign the id and the new name, which is as `campaignName` leaves it
 * @throws {StaffError} when there is no campaign of that id, or another has the name, whatever its case
 */
export const renameCampaign = async ({ client, table }: StaffTable, campaign: Campaign): Promise<void> => {
  await refuseTakenName({ client, table }, campaign);
  await client
    .send(new PutCommand({ TableName: table, Item: toItem(campaign), ConditionExpression: 'attribute_exists(id)' }))
    .catch(orUnknown(campaign.id));
};

/**
 * Removes a campaign.
 * @throws {StaffError} when there is no campaign of that id
 */
export const removeCampaign = async ({ client, table }: StaffTable, id: string): Promise<void> => {
  await client
    .send(new DeleteCommand({ TableName: table, Key: { id }, ConditionExpression: 'attribute_exists(id)' }))
    .catch(orUnknown(id));
};

/**
 * All campaigns, by name: they are few.
 * @param leaveOut is told the id of each that cannot be read
 */
export const listCampaigns = async (
  { client, table }: StaffTable,
  leaveOut: (id: string) => void,
): Promise<Campaign[]> => {
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

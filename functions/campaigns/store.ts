import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Campaign, campaignItem } from './campaign.ts';

/** The campaigns in DynamoDB, to read. */
export const campaignStore = (client: DynamoDBDocumentClient, table: string) => ({
  /** The campaign of an id. */
  async get(id: string): Promise<Campaign | undefined> {
    const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id } }));
    return item && v.parse(campaignItem, item);
  },
});

export type CampaignStore = ReturnType<typeof campaignStore>;

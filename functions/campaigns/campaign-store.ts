import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type ListPage, readListPage } from '../shared/list-page.ts';
import { type Campaign, campaignItem, campaignsPartition, campaignsTable } from './campaign.ts';

/** The campaigns in DynamoDB. */
export const campaignStore = (client: DynamoDBDocumentClient, table: string) => ({
  async get(id: string): Promise<Campaign | undefined> {
    const { Item: item } = await client.send(new GetCommand({ TableName: table, Key: { id } }));
    return item && v.parse(campaignItem, item);
  },
});

export type CampaignStore = ReturnType<typeof campaignStore>;

interface CampaignQuery {
  readonly limit: number;
  /** The sort key of the previous page's last item. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The list of campaigns in DynamoDB. Separate, so that the function for one campaign does not bundle the code for lists. */
export const campaignListStore = (client: DynamoDBDocumentClient, table: string) => ({
  /** A page of the list, by name. */
  list({ limit, after, signal }: CampaignQuery): Promise<ListPage<Campaign>> {
    return readListPage({
      client,
      table,
      index: campaignsTable.listIndex,
      partition: campaignsPartition,
      order: 'ascending',
      limit,
      after,
      schema: campaignItem,
      signal,
    });
  },
});

export type CampaignListStore = ReturnType<typeof campaignListStore>;

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ListPage, readListPage } from '../list-page.ts';
import { type Campaign, campaignItem, campaignsPartition } from './campaign.ts';
import { campaignsTable } from './table.ts';

export interface CampaignQuery {
  readonly limit: number;
  /** The sort key that the page before ended with. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The list of campaigns in DynamoDB: apart from the store, since who asks for one carries no code to list them. */
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

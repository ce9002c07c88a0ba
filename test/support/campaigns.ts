import { randomUUID } from 'node:crypto';
import { campaignsTable, toItem } from '../../functions/campaigns/campaign.ts';
import {
  type CampaignListStore,
  type CampaignStore,
  campaignListStore,
  campaignStore,
} from '../../functions/campaigns/campaign-store.ts';
import { getCampaign, listCampaigns } from '../../functions/campaigns/read.ts';
import type { Table } from '../../functions/shared/dynamodb.ts';
import type { CountMetric } from '../../functions/shared/metrics.ts';
import { type Call, callerOf } from './call.ts';
import { inboxOrigins } from './contacts.ts';
import { client, createTable, putAll } from './tables.ts';

interface CampaignsService {
  readonly table: string;
  /** The metrics counted so far. */
  readonly counts: Parameters<CountMetric>[];
  readonly store: CampaignStore & CampaignListStore;
  readonly list: Call;
  readonly get: Call;
  /** Stores a campaign. @returns its id */
  readonly add: (name: string, id?: string) => Promise<string>;
  readonly addAll: (names: readonly string[]) => Promise<void>;
}

/** The two campaign endpoints, on a new table unless one is given. */
export const startCampaigns = async (given?: Table): Promise<CampaignsService> => {
  const table = given?.table ?? (await createTable(campaignsTable));
  const store = {
    ...campaignStore(given?.client ?? client, table),
    ...campaignListStore(given?.client ?? client, table),
  };
  const counts: CampaignsService['counts'] = [];
  return {
    table,
    store,
    counts,
    list: callerOf(
      'GET /v1/campaigns',
      listCampaigns(store, (...counted) => counts.push(counted), inboxOrigins),
    ),
    get: callerOf('GET /v1/campaigns/{id}', getCampaign(store, inboxOrigins)),
    add: async (name, id = randomUUID()) => {
      await putAll(table, [toItem({ id, name })]);
      return id;
    },
    addAll: (names) =>
      putAll(
        table,
        names.map((name) => toItem({ id: randomUUID(), name })),
      ),
  };
};

import { campaignsTable } from './campaigns/campaign.ts';
import { listCampaigns } from './campaigns/read.ts';
import { campaignListStore } from './campaigns/store.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics, metricsVariables } from './shared/metrics.ts';
import { prime, primingEvent } from './shared/prime.ts';
import { readTableName, readVariables } from './shared/variables.ts';

export const handler = listCampaigns(
  campaignListStore(createDocumentClient(), readTableName(campaignsTable)),
  embeddedMetrics(readVariables(metricsVariables).ENVIRONMENT, () => new Date()),
);

export const primed = prime(
  handler,
  primingEvent('GET /v1/campaigns', { multiValueQueryStringParameters: { limit: ['1'] } }),
);

import { campaignsTable } from './campaigns/campaign.ts';
import { campaignListStore } from './campaigns/campaign-store.ts';
import { listCampaigns } from './campaigns/read.ts';
import { inboxSettings } from './http/cors.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics, metricsSettings } from './shared/metrics.ts';
import { prime, primingEvent } from './shared/prime.ts';
import { readTableName, readVariables } from './shared/variables.ts';

const { environment } = readVariables(metricsSettings);
const { inboxOrigins } = readVariables(inboxSettings);

export const handler = listCampaigns(
  campaignListStore(createDocumentClient(), readTableName(campaignsTable)),
  embeddedMetrics(environment, () => new Date()),
  inboxOrigins,
);

export const primed = prime(
  handler,
  primingEvent('GET /v1/campaigns', { multiValueQueryStringParameters: { limit: ['1'] } }),
);

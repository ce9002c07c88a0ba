import { campaignsTable } from './campaigns/campaign.ts';
import { listCampaigns } from './campaigns/read.ts';
import { campaignListStore } from './campaigns/store.ts';
import { inboxVariables } from './http/cors.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics, metricsVariables } from './shared/metrics.ts';
import { prime, primingEvent } from './shared/prime.ts';
import { readTableName, readVariables } from './shared/variables.ts';

const variables = readVariables({ ...metricsVariables, ...inboxVariables });

export const handler = listCampaigns(
  campaignListStore(createDocumentClient(), readTableName(campaignsTable)),
  embeddedMetrics(variables.ENVIRONMENT, () => new Date()),
  variables.INBOX_ORIGINS,
);

export const primed = prime(
  handler,
  primingEvent('GET /v1/campaigns', { multiValueQueryStringParameters: { limit: ['1'] } }),
);

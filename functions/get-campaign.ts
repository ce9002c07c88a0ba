import { campaignsTable } from './campaigns/campaign.ts';
import { campaignStore } from './campaigns/campaign-store.ts';
import { getCampaign } from './campaigns/read.ts';
import { inboxSettings } from './http/cors.ts';
import { createDocumentClient } from './shared/dynamodb.ts';
import { prime, primingEvent } from './shared/prime.ts';
import { nilUuid } from './shared/uuid.ts';
import { readTableName, readVariables } from './shared/variables.ts';

export const handler = getCampaign(
  campaignStore(createDocumentClient(), readTableName(campaignsTable)),
  readVariables(inboxSettings).inboxOrigins,
);

export const primed = prime(handler, primingEvent('GET /v1/campaigns/{id}', { pathParameters: { id: nilUuid } }));

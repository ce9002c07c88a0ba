import { createDocumentClient } from '../dynamodb.ts';
import { readEnvironment, tableName } from '../environment.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { idOf } from '../http/path.ts';
import { json } from '../http/response.ts';
import { type CampaignStore, campaignStore } from './store.ts';

/** GET /v1/campaigns/:id: interface.md, section 4.6. */
export const getCampaign = (store: Pick<CampaignStore, 'get'>) =>
  httpHandler(async (request) => {
    const campaign = await store.get(idOf(request));
    if (!campaign) throw new HttpError(404);
    return json(200, campaign);
  });

const { CAMPAIGNS_TABLE } = readEnvironment({ CAMPAIGNS_TABLE: tableName });

export const handler = getCampaign(campaignStore(createDocumentClient(), CAMPAIGNS_TABLE));

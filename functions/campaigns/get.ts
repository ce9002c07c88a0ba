import { createDocumentClient } from '../dynamodb.ts';
import { unlessKnown } from '../http/conditional.ts';
import { HttpError } from '../http/errors.ts';
import { httpHandler } from '../http/handler.ts';
import { idOf } from '../http/path.ts';
import { json } from '../http/response.ts';
import { eventOfNobody, nobodysId, prime } from '../prime.ts';
import { readTableName } from '../variables.ts';
import { type CampaignStore, campaignStore } from './store.ts';
import { campaignsTable } from './table.ts';

/** GET /v1/campaigns/:id: interface.md, section 4.6. */
export const getCampaign = (store: CampaignStore) =>
  httpHandler(async (request) => {
    const campaign = await store.get(idOf(request));
    if (!campaign) throw new HttpError(404);
    return unlessKnown(request, json(200, campaign));
  });

export const handler = getCampaign(campaignStore(createDocumentClient(), readTableName(campaignsTable)));

export const primed = prime(handler, eventOfNobody('GET /v1/campaigns/{id}', { pathParameters: { id: nobodysId } }));

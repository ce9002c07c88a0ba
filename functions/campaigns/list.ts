import { createDocumentClient } from '../dynamodb.ts';
import { unlessKnown } from '../http/conditional.ts';
import { httpHandler } from '../http/handler.ts';
import { linkHeader } from '../http/link-header.ts';
import { parseQuery } from '../http/query.ts';
import { json } from '../http/response.ts';
import { type CountMetric, embeddedMetrics, metricsVariables } from '../metrics.ts';
import { eventOfNobody, prime } from '../prime.ts';
import { reportUnreadable } from '../unreadable-items.ts';
import { readTableName, readVariables } from '../variables.ts';
import { list, listParameters } from './list-parameters.ts';
import { type CampaignListStore, campaignListStore } from './list-store.ts';
import { campaignsTable } from './table.ts';

/** GET /v1/campaigns: interface.md, section 4.5. */
export const listCampaigns = (store: CampaignListStore, count: CountMetric) =>
  httpHandler(async (request, signal) => {
    const { limit, cursor } = parseQuery(request.query, listParameters);
    const page = await store.list({ limit, after: cursor, signal });
    reportUnreadable(list, page, count);
    return unlessKnown(request, json(200, page.items, linkHeader(request, list, page.next)));
  });

export const handler = listCampaigns(
  campaignListStore(createDocumentClient(), readTableName(campaignsTable)),
  embeddedMetrics(readVariables(metricsVariables).ENVIRONMENT, () => new Date()),
);

export const primed = prime(
  handler,
  eventOfNobody('GET /v1/campaigns', { multiValueQueryStringParameters: { limit: ['1'] } }),
);
